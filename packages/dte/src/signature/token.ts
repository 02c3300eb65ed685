import { textElement } from '../xml/write.ts'
import { type Signer, signature } from './sign.ts'

/**
 * The request that changes a seed for a session (SII, Manual de Autenticación Automática 1.9): the only file whose
 * signature covers the whole document and stands inside it. The same text serves the DTE and the boleta doors.
 */
export async function buildGetToken(seed: string, signer: Signer): Promise<string> {
  const item = `<item>${textElement('Semilla', seed)}</item>`
  const signed = await signature({ id: '', canonical: [`<getToken>${item}</getToken>`], scope: '' }, signer)
  return `<?xml version="1.0" encoding="UTF-8"?>\n<getToken>${item}${signed}</getToken>`
}
