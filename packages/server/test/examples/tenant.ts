/** The empresa that the scenes play in, and a key that may do everything with it. */
export interface Tenant {
  readonly key: string
  /** Of live mode, for what the sandbox has no need of. */
  readonly live: string
  readonly account_id: string
  readonly empresa_id: string
  readonly rut: string
}
