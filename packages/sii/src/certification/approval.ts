/** The representante legal who read what is declared and approved it. */
export interface Approval {
  readonly rut: string
  readonly name: string
}

/** Nobody declares in another's name unasked. */
export function requireApproval({ rut, name }: Approval): void {
  if (!/^\d{1,8}-[\dK]$/.test(rut) || name.trim() === '') {
    throw new TypeError('A declaration of compliance names the representante legal who approved it')
  }
}
