// Certifications under way as the operator's page shows them: one with every button and every fact, one of somebody else.

import type { CertificationUnderWay } from '../../src/domain/issuing/certification/operator/schema.ts'

const SINCE = '2026-11-16T12:00:00.000Z'

const MINE: CertificationUnderWay = {
  object: 'certification_under_way',
  account: { id: 'acct_1', name: 'Software del Sur SpA' },
  empresa: { id: 'emp_1', rut: '76192083-9', legal_name: 'Viña Maule S.A.' },
  doc_types: [33, 34, 61],
  step: 'set_de_pruebas',
  status: 'in_progress',
  since: SINCE,
  waits_for: 'operator',
  role: null,
  execution: 'operator',
  taken_by: null,
  taken_at: null,
  why: 'El SII solo lo ofrece en el navegador.',
  blocked_reason: { code: 'sii_unreachable', message: 'El SII no responde.', hint: null, details: {}, since: SINCE },
  words: 'SRH: SET RECHAZADO POR SII',
  said_at: SINCE,
  next_look_at: SINCE,
  attempt: 2,
  findings: ['caso 4711-3, línea 12: el monto no cuadra'],
  folios: [
    { tipo_dte: 33, first: 1, last: 4 },
    { tipo_dte: 61, first: 7, last: 7 },
  ],
  files: [
    {
      id: 'cfil_1',
      kind: 'basico',
      attempt: 2,
      file_name: 'basico-2.xml',
      bytes: 40_321,
      state: 'refused',
      track_id: '5000001',
      sent_at: SINCE,
      words: 'SRH',
      findings: [],
    },
    {
      id: 'cfil_2',
      kind: 'libro_ventas',
      attempt: 1,
      file_name: 'libro_ventas-1.xml',
      bytes: 0,
      state: 'planned',
      track_id: null,
      sent_at: null,
      words: null,
      findings: [],
    },
  ],
  acts: ['take', 'done', 'refuse', 'automatic', 'restart'],
  version: 'v1',
}

export const UNDER_WAY: readonly CertificationUnderWay[] = [
  MINE,
  {
    ...MINE,
    empresa: { id: 'emp_2', rut: '77000111-8', legal_name: 'Panadería La Espiga Limitada' },
    taken_by: 'Luis Rojas',
    taken_at: SINCE,
  },
  {
    ...MINE,
    empresa: { id: 'emp_3', rut: '60803000-K', legal_name: 'Ferretería Ñuble' },
    step: 'cumplimiento',
    status: 'action_required',
    waits_for: 'customer',
    role: 'representante_legal',
    execution: 'automatic',
    why: null,
    blocked_reason: null,
    words: null,
    next_look_at: null,
    acts: [],
  },
]
