import type { PersonRole } from '../../../catalog/roles.ts'

/** Who has to act: the taxpayer's people, we, or the SII. The contract spells us `facturia`. */
export const ACTORS = ['customer', 'facturia', 'sii'] as const
export type Actor = (typeof ACTORS)[number]

/** Whether a queued job or a person of the operator does what is ours in a step. */
export const EXECUTIONS = ['automatic', 'operator'] as const
export type Execution = (typeof EXECUTIONS)[number]

/** Acts that a step of ours does not begin without, each the decision of one role. */
export const APPROVAL_ACTS = ['postulacion', 'muestras_revision', 'cumplimiento', 'habilitacion', 'go_live'] as const
export type ApprovalAct = (typeof APPROVAL_ACTS)[number]

/** Where the SII itself can be asked whether a step is done. */
export const PROBES = ['authorisation', 'portal_companies'] as const
export type Probe = (typeof PROBES)[number]

export interface Step {
  readonly actor: Actor
  /** Who holds it up when it stands still. */
  readonly stall_actor: Actor
  /** Who performs it, or the part of it that is a person's. */
  readonly performed_by: PersonRole | null
  readonly approval?: { readonly act: ApprovalAct; readonly role: PersonRole }
  /** Where a job executes it, what is approved is prepared first; nobody is asked before. */
  readonly prepares?: true
  /** What is ours in it, until the operator turns the switch of the step. */
  readonly execution: Execution
  readonly probe?: Probe
  /** Nothing can show that it was done: whoever did it says so. */
  readonly attestable?: true
  /** Part of the certification of tipos at the SII, which falls away for those that the taxpayer may issue already. */
  readonly certifies?: true
  /** Only for empresas that issue boletas. */
  readonly boletas_only?: true
  /** A job carries it out at the SII. */
  readonly carried_out_at_sii?: true
  /** Nothing is left to do once it is approved. */
  readonly completes_on_approval?: true
  /** Business days that it usually takes. */
  readonly days: number
}

const customer = { actor: 'customer', stall_actor: 'customer', execution: 'automatic', days: 1 } as const
const certification = {
  actor: 'facturia',
  stall_actor: 'customer',
  execution: 'automatic',
  performed_by: null,
  certifies: true,
  carried_out_at_sii: true,
} as const
const representante = 'representante_legal'

/** Every step of both lanes, by the keys of the contract. */
export const STEPS = {
  mandato: { ...customer, performed_by: representante },
  certificate: { ...customer, performed_by: 'titular_certificado' },
  sii_postulacion: {
    ...certification,
    performed_by: representante,
    approval: { act: 'postulacion', role: representante },
    days: 3,
  },
  set_de_pruebas: { ...certification, days: 5 },
  simulacion: { ...certification, days: 3 },
  intercambio: { ...certification, days: 2 },
  muestras_impresas: {
    ...certification,
    performed_by: 'titular_cuenta',
    approval: { act: 'muestras_revision', role: 'titular_cuenta' },
    prepares: true,
    days: 5,
  },
  cumplimiento: {
    ...certification,
    performed_by: representante,
    approval: { act: 'cumplimiento', role: representante },
    prepares: true,
    days: 2,
  },
  resolucion: {
    actor: 'sii',
    stall_actor: 'sii',
    performed_by: null,
    execution: 'automatic',
    probe: 'authorisation',
    certifies: true,
    days: 10,
  },
  habilitacion: {
    actor: 'facturia',
    stall_actor: 'customer',
    performed_by: representante,
    approval: { act: 'habilitacion', role: representante },
    execution: 'automatic',
    boletas_only: true,
    carried_out_at_sii: true,
    days: 5,
  },
  folios: { actor: 'facturia', stall_actor: 'sii', performed_by: null, execution: 'automatic', days: 1 },
  credential: { ...customer, performed_by: 'titular_certificado' },
  clave_centralizado: { ...customer, performed_by: 'titular_certificado', attestable: true },
  // With a single company the SII asks nothing, and so tells nothing: then whoever did it says so.
  usuario_autorizado: {
    ...customer,
    performed_by: 'usuario_administrador',
    probe: 'portal_companies',
    attestable: true,
  },
  emisor_verificado: {
    actor: 'facturia',
    stall_actor: 'sii',
    performed_by: null,
    execution: 'automatic',
    probe: 'authorisation',
    days: 1,
  },
  puesta_en_vivo: {
    actor: 'facturia',
    stall_actor: 'facturia',
    performed_by: null,
    execution: 'operator',
    days: 2,
  },
  /** The first document may leave, once the titular says so. On the mercado lane no step of the list stands for it. */
  emitting: {
    actor: 'facturia',
    stall_actor: 'customer',
    performed_by: 'titular_cuenta',
    approval: { act: 'go_live', role: 'titular_cuenta' },
    completes_on_approval: true,
    execution: 'automatic',
    days: 1,
  },
} as const satisfies Record<string, Step>

export type StepKey = keyof typeof STEPS
export const STEP_KEYS = Object.keys(STEPS) as StepKey[]

/** A step as every reader may ask it: what a row of the table leaves out is undefined. */
export const stepOf = (key: StepKey): Step => STEPS[key]

export function isStepKey(value: string): value is StepKey {
  return Object.hasOwn(STEPS, value)
}

/**
 * The two lanes, in their order. The free portal (SFG) has no certification, and the SII numbers its documents; boletas
 * leave through our own engine on both, so theirs come after an SFG empresa emits and never hold its facturas back.
 */
export const LANES = {
  mercado: [
    'mandato',
    'certificate',
    'sii_postulacion',
    'set_de_pruebas',
    'simulacion',
    'intercambio',
    'muestras_impresas',
    'cumplimiento',
    'resolucion',
    'habilitacion',
    'folios',
    'emitting',
  ],
  sfg: [
    'mandato',
    'credential',
    'clave_centralizado',
    'usuario_autorizado',
    'emisor_verificado',
    'puesta_en_vivo',
    'emitting',
    'habilitacion',
    'folios',
  ],
} as const satisfies Record<string, readonly StepKey[]>

export type Lane = keyof typeof LANES

/** Steps that a lane walks and does not show: going live is no step of the mercado lane's list. */
const UNSHOWN: Readonly<Record<Lane, readonly StepKey[]>> = { mercado: ['emitting'], sfg: [] }

/** On the free portal only boletas need folios of our own. */
const BOLETAS_ONLY: Readonly<Record<Lane, readonly StepKey[]>> = {
  mercado: ['habilitacion'],
  sfg: ['habilitacion', 'folios'],
}

export function isBoletasOnly(lane: Lane, key: StepKey): boolean {
  return BOLETAS_ONLY[lane].includes(key)
}

/** The steps of a lane in their order, for an empresa that issues boletas or not. */
export function stepsOf(lane: Lane, boletas: boolean): StepKey[] {
  return LANES[lane].filter((key) => boletas || !isBoletasOnly(lane, key))
}

export function isShown(lane: Lane, key: StepKey): boolean {
  return !UNSHOWN[lane].includes(key)
}

/** Steps for which a hosted page can be minted: those that a person does, holds up or has to approve. */
export function hasPage(key: StepKey): boolean {
  const { actor, stall_actor } = stepOf(key)
  return actor === 'customer' || stall_actor === 'customer'
}
