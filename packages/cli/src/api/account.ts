/** What `/account/*` answers: wrapped, with a message in Spanish for the person. */
export interface Wrapped<T> {
  readonly message: string
  readonly data: T
}

export interface Registered {
  readonly token: string
  readonly api_key?: { readonly id: string; readonly secret: string }
  readonly empresa?: { readonly id: string; readonly rut: string }
  readonly empresa_error?: { readonly message: string }
}

/** What a program of the sandbox needs; a live key is minted with the same and no more. */
export const KEY_SCOPES = [
  'documents:read',
  'documents:write',
  'empresas:read',
  'empresas:write',
  'webhooks:read',
  'webhooks:write',
  'folios:write',
] as const
