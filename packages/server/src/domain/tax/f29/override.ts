export interface Override {
  readonly code: number
  readonly amount: number
  readonly reason: string
}
