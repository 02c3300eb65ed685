// Signed DTE, CAF and keys made for the tests.

import { createPublicKey, generateKeyPairSync, X509Certificate } from 'node:crypto'
import {
  bundleOf,
  type Caf,
  type CertificateOrder,
  completeDraft,
  createSigner,
  type DteDraft,
  emitDteSync,
  issueCaf,
  issueCertificate,
  latin1Bytes,
  readCaf,
  readUnissuedCaf,
  type Signer,
  type UnissuedDte,
} from '@timbre/dte'

const rsa = (bits: number) => generateKeyPairSync('rsa', { modulusLength: bits }).privateKey
const authority = rsa(1024)
const folio_key = rsa(512)
const person = rsa(1024)
const KEY_ID = 900

const YEARS = { valid_from: new Date('2020-01-01T00:00:00Z'), valid_until: new Date('2049-12-31T00:00:00Z') }
const CERTIFIER = 'Certificadora de Prueba'
const ROOT: CertificateOrder = { holder: CERTIFIER, issuer: CERTIFIER, serial: 1, ...YEARS, authority: {} }

/** A CA that vouches for signers, where a test has it believed. */
export const TEST_CA = bundleOf([issueCertificate(ROOT, authority)])

/** A signer with a certificate of its own, made by the test's CA unless it is self-signed. */
export function signerOf(rut: string, changes: Partial<CertificateOrder> = {}, { self_signed = false } = {}): Signer {
  const order = { rut, holder: 'Firmante de Prueba', issuer: CERTIFIER, serial: 2, ...YEARS, ...changes }
  return createSigner(person, new X509Certificate(issueCertificate(order, person, self_signed ? person : authority)))
}

/** Signs in the place of a person for whom no CA vouches. */
export const SIGNER = signerOf('11111111-1', {}, { self_signed: true })

/** Whom to believe about what is stamped here. */
export const AUTHORITY_KEYS = { [KEY_ID]: createPublicKey(authority) }

function cafFileOf(draft: DteDraft | UnissuedDte, folio: number, last: number): Uint8Array {
  const order = {
    emisor_rut: draft.emisor.rut,
    emisor_name: draft.emisor.legal_name,
    tipo_dte: draft.tipo_dte,
    first_folio: folio,
    last_folio: last,
    authorised_on: draft.issue_date,
    key_id: KEY_ID,
  }
  return issueCaf(order, folio_key, authority)
}

/** A liquidación or an export, stamped and signed with keys of nobody. */
export function signedUnissued(dte: UnissuedDte, signer = SIGNER): Buffer {
  const caf = readUnissuedCaf(cafFileOf(dte, dte.folio, dte.folio), AUTHORITY_KEYS)
  if (!caf.ok) throw new Error(caf.refusal.message)
  const at = `${dte.issue_date}T12:00:00`
  const emitted = emitDteSync({ dte, caf: caf.value, signer, tmst_ted: at, tmst_firma: at })
  if (!emitted.ok) throw new Error(emitted.refusal.message)
  return Buffer.from(latin1Bytes(emitted.value.xml))
}

/** A CAF for the tipo and the emisor of a draft. */
export function cafOf(draft: DteDraft, folio: number, last = folio): Caf {
  const read = readCaf(cafFileOf(draft, folio, last), AUTHORITY_KEYS)
  if (!read.ok) throw new Error(read.refusal.message)
  return read.value
}

/** A signed file as the emission leaves it, with keys of nobody, and the timbre it carries. */
export function signedXml(draft: DteDraft, folio: number, signer = SIGNER): { xml: Buffer; ted: string } {
  const at = `${draft.issue_date}T12:00:00`
  const dte = completeDraft(draft, folio)
  const emitted = emitDteSync({ dte, caf: cafOf(draft, folio), signer, tmst_ted: at, tmst_firma: at })
  if (!emitted.ok) throw new Error(emitted.refusal.message)
  return { xml: Buffer.from(latin1Bytes(emitted.value.xml)), ted: emitted.value.ted }
}

/** A draft to be printed: every tipo that needs no more than parties and lines. */
export function sampleDraft(tipo_dte: 33 | 39 = 33, changes: Partial<DteDraft> = {}): DteDraft {
  return {
    tipo_dte,
    issue_date: '2026-11-10',
    emisor: {
      rut: '76543210-3',
      legal_name: 'Viña y Bodegas Peñalolén SpA',
      giro: 'Elaboración de vinos',
      ...(tipo_dte === 33 && { acteco: [110200] }),
      address: { street: 'José Arrieta 8512', comuna: 'Peñalolén', city: 'Santiago' },
    },
    receptor: {
      rut: '77123456-9',
      legal_name: 'Distribuidora Ñuble & Compañía Limitada',
      giro: 'Venta al por mayor',
      address: { street: 'Cinco de Abril 457', comuna: 'Chillán', city: 'Chillán' },
    },
    items: [
      { description: 'Carmenère Gran Reserva 2023, caja de 6', quantity: 40, unit: 'CJ', unit_price: 54900 },
      { description: 'Aceite de oliva 1 L', quantity: 24, unit_price: 7350 },
    ],
    ...changes,
  }
}
