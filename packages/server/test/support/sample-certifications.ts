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
  why: 'The SII offers it in a browser alone.',
  blocked_reason: { code: 'sii_unreachable', message: 'El SII no responde.', hint: null, details: {}, since: SINCE },
  words: 'SRH: SET RECHAZADO POR SII',
  next_look_at: SINCE,
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
