/** The roles in which a person acts for an empresa: a role, never a person. */
export const PERSON_ROLES = [
  'representante_legal',
  'usuario_administrador',
  'titular_certificado',
  'titular_cuenta',
] as const
export type PersonRole = (typeof PERSON_ROLES)[number]

/** A person who did something, and in which role. */
export interface Person {
  readonly rut: string
  readonly name: string
  readonly role: PersonRole
}
