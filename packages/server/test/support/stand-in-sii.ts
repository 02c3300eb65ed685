// A stand-in for the live SII that grants CAF.

import { generateKeyPairSync } from 'node:crypto'
import { type CafOrder, issueCaf } from '@timbre/dte'
import type { CafAnswer, CafRequest, Sii } from '../../src/ports/sii.ts'
import { unconnectedSii } from './unconnected-sii.ts'

const rsa = (bits: number) => generateKeyPairSync('rsa', { modulusLength: bits })

/** The number of the SII's key in production, and in certification. */
export const PRODUCTION = 300
export const CERTIFICATION = 100

/** An SII for tests of live mode, with keys of its own: it signs CAFs as production does, and grants what it is asked. */
export function standInSii() {
  const authority = rsa(1024)
  const issue = (order: Omit<CafOrder, 'key_id' | 'emisor_name'> & Partial<CafOrder>): Buffer =>
    Buffer.from(
      issueCaf({ emisor_name: 'Prueba SpA', key_id: PRODUCTION, ...order }, rsa(512).privateKey, authority.privateKey),
    )
  const grant = async ({ rut, tipo_dte, quantity, first_folio, on }: CafRequest): Promise<CafAnswer> => ({
    granted: true,
    file: issue({
      emisor_rut: rut,
      tipo_dte: tipo_dte as CafOrder['tipo_dte'],
      first_folio,
      last_folio: first_folio + quantity - 1,
      authorised_on: on,
    }),
  })
  const authorityKeys = async () => ({ [PRODUCTION]: authority.publicKey, [CERTIFICATION]: authority.publicKey })
  const sii: Sii = { ...unconnectedSii(), requestCaf: grant, authorityKeys }
  return { sii, issue, grant }
}
