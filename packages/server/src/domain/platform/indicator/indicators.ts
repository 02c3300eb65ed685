/**
 * Figures that the State publishes: the unidad tributaria mensual in pesos, the unidad de fomento of a day, the IPC as the
 * index of the INE (one base for every month), and the percentage of interest for each day that a tax is late.
 */
export const INDICATORS = ['utm', 'uf', 'ipc', 'interest'] as const
export type Indicator = (typeof INDICATORS)[number]

/** How many decimals each is published with: a figure is kept as a whole number of these. */
export const DECIMALS: Readonly<Record<Indicator, number>> = { utm: 0, uf: 2, ipc: 4, interest: 10 }

/** A figure as whole units of its last decimal. */
export interface Figure {
  readonly units: number
  /** Made up by the sandbox, since nobody published or loaded it. */
  readonly invented: boolean
}

/** The figures in force, by indicator and period; null where one is not known. */
export interface Indicators {
  of(indicator: Indicator, period: string): Figure | null
}

/** The period under which the interest of a day is: the first month of its half year (Código Tributario, art. 53). */
export function halfYearOf(day: string): string {
  return `${day.slice(0, 4)}-${day.slice(5, 7) < '07' ? '01' : '07'}`
}
