import { STEP_KEYS, stepOf } from '../lanes.ts'

/** Whom a certification waits for, those who have to be moved first: people of ours, the taxpayer's, then ourselves and the SII. */
export const WAITS_FOR = ['operator', 'input', 'customer', 'service', 'sii'] as const
export type WaitsFor = (typeof WAITS_FOR)[number]

/** The steps of a certification, that of boletas among them. */
export const CERTIFICATION_STEPS = STEP_KEYS.filter((key) => stepOf(key).certifies || stepOf(key).boletas_only)
