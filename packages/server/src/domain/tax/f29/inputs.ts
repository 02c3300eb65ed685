/** Figures that the registers do not hold. Null: nobody gave it. */
export interface F29Inputs {
  /** Percentage, up to three decimals. */
  readonly ppm_rate: number | null
  readonly payroll_tax: number | null
  readonly honorarios_withheld: number | null
  /** Code 77 of the period before, where it is not the one that was proposed here. */
  readonly previous_remanente: number | null
  /** The share of common-use IVA that gives credit, from 0 to 1, up to four decimals. */
  readonly common_use_factor: number | null
}
