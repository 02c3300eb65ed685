import { createPublicKey, generateKeyPairSync, X509Certificate } from 'node:crypto'
import {
  buildSobre,
  completeDraft,
  createSigner,
  type DteDraft,
  emitDte,
  issueCaf,
  issueCertificate,
  type Outcome,
  readCaf,
} from '@timbre/dte'

const EMISOR = '76543210-3'
const PERSON = '11111111-1'
const DRAFT: DteDraft = {
  tipo_dte: 33,
  issue_date: '2026-10-05',
  emisor: {
    rut: EMISOR,
    legal_name: 'Comercial Ñandú SpA',
    giro: 'Librería',
    acteco: [476101],
    address: { street: 'Av. Providencia 1234', comuna: 'Providencia' },
  },
  receptor: {
    rut: '77123456-9',
    legal_name: 'Pérez e Hijos Ltda.',
    giro: 'Comercio',
    address: { street: 'Calle Larga 56', comuna: 'Maipú' },
  },
  items: [{ description: 'Resma de papel', quantity: 2, unit_price: 2500 }],
}

const IDK = 900
const newKey = () => generateKeyPairSync('rsa', { modulusLength: 1024 }).privateKey

function take<T>(outcome: Outcome<T, string>): T {
  if (outcome.ok) return outcome.value
  throw new Error(outcome.refusal.message)
}

/** A DTE, its envelope and its CAF, signed by people and an authority that are nobody's. */
export async function signedFiles(): Promise<{ dte: Buffer; sobre: Buffer; caf: Buffer }> {
  const [authority, key, tmst_firma] = [newKey(), newKey(), '2026-10-05T12:00:00']
  const years = { valid_from: new Date('2020-01-01'), valid_until: new Date('2049-12-31') }
  const order = { rut: PERSON, holder: 'Firmante de Prueba', issuer: 'Nadie', serial: 1, ...years }
  const signer = createSigner(key, new X509Certificate(issueCertificate(order, key, authority)))
  const range = { first_folio: 1, last_folio: 50, authorised_on: '2026-10-01', key_id: IDK }
  const file = issueCaf({ emisor_rut: EMISOR, emisor_name: 'NANDU', tipo_dte: 33, ...range }, newKey(), authority)
  const caf = take(readCaf(file, { [IDK]: createPublicKey(authority) }))
  const dte = completeDraft(DRAFT, 7)
  const { xml } = take(await emitDte({ dte, caf, signer, tmst_ted: tmst_firma, tmst_firma }))
  const documents = [{ tipo_dte: 33, xml }] as const
  const cover = { emisor_rut: EMISOR, envia_rut: PERSON, resolucion: { date: '2014-08-22', number: 0 }, tmst_firma }
  const sobre = take(await buildSobre({ ...cover, documents }, signer))
  const lone = `<?xml version="1.0" encoding="ISO-8859-1"?>\n${xml}`
  return { dte: Buffer.from(lone, 'latin1'), sobre: Buffer.from(sobre, 'latin1'), caf: Buffer.from(file) }
}
