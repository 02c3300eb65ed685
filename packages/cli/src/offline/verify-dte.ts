import {
  type CheckedSignature,
  checkAgreement,
  checkTimbre,
  childOf,
  childrenOf,
  DOCUMENTS,
  type Outcome,
  type ReadRule,
  readDte,
  readEnvelope,
  readUnissued,
  type VerifyRule,
  verifySignatures,
  type XmlDocument,
  type XmlElement,
} from '@timbre/dte'
import { AMOUNT_NAMES, saidOfForm, saidOfSignature, saidOfTimbre } from './copy.ts'

/** Lo que se encontró al revisar algo: `ok`, un error, o algo que aquí no se puede comprobar. */
export interface Check {
  readonly what: 'forma' | 'esquema' | 'firma' | 'timbre' | 'totales'
  readonly state: 'ok' | 'error' | 'unknown'
  readonly says: string
  /** Dónde, con los nombres del XML. */
  readonly path?: string
  readonly rule?: string
}

export interface CheckedDocument {
  readonly title: string
  readonly emisor: string
  readonly receptor: string
  readonly issue_date: string
  readonly total: number | null
  readonly checks: readonly Check[]
}

export interface Verdict {
  readonly valid: boolean
  readonly kind: string
  /** Del archivo entero: su forma, el esquema, la firma del sobre. */
  readonly checks: readonly Check[]
  readonly documents: readonly CheckedDocument[]
}

export interface Circumstances {
  readonly schema: Check
  /** Si es un documento de prueba: sus folios no los autorizó el SII, y eso no es un error. */
  readonly sandbox: boolean
}

/** Revisa un archivo sin red: lo que es, quién firmó, si su timbre y sus sumas son verdaderos. */
export function verifyDte(bytes: Uint8Array, { schema, sandbox }: Circumstances): Verdict {
  const read = readEnvelope(bytes)
  if (!read.ok) {
    const { rule, path } = read.refusal
    const check: Check = { what: 'forma', state: 'error', says: saidOfForm(rule), path, rule }
    return { valid: false, kind: 'desconocido', checks: [check], documents: [] }
  }
  const { xml, kind } = read.value
  const outcome = verifySignatures(xml)
  const elements = dteElements(xml.root)
  const documents = elements.map((element) => checkDocument(xml, element, signaturesOf(outcome, element), sandbox))
  const outer = outcome.ok ? outcome.value.filter(({ container }) => !elements.includes(container)) : []
  const checks: Check[] = [
    {
      what: 'forma',
      state: 'ok',
      says: `${kind} con ${elements.length} documento${elements.length === 1 ? '' : 's'}.`,
    },
    schema,
    ...outer.map(checkSignature),
    ...(outcome.ok ? [] : [refusedFile(outcome.refusal)]),
  ]
  const all = [...checks, ...documents.flatMap((document) => document.checks)]
  return { valid: all.every(({ state }) => state !== 'error'), kind, checks, documents }
}

function dteElements(root: XmlElement): readonly XmlElement[] {
  if (root.name === 'DTE') return [root]
  return childrenOf(root.name === 'SetDTE' ? root : childOf(root, 'SetDTE'), 'DTE')
}

type Signatures = Outcome<readonly CheckedSignature[], VerifyRule>

const signaturesOf = (outcome: Signatures, element: XmlElement): readonly CheckedSignature[] =>
  outcome.ok ? outcome.value.filter(({ container }) => container === element) : []

function refusedFile({ rule, path }: { readonly rule: VerifyRule; readonly path: string }): Check {
  return { what: 'firma', state: 'error', says: saidOfSignature(rule), path, rule }
}

function checkSignature({ path, signer, refusal }: CheckedSignature): Check {
  if (refusal) return refusedFile(refusal)
  const who = signer ? `${signer.holder}${signer.rut ? `, RUT ${signer.rut}` : ''}` : 'alguien'
  return { what: 'firma', state: 'ok', says: `Firmado por ${who}; no cambió desde entonces.`, path }
}

function checkDocument(
  xml: XmlDocument,
  element: XmlElement,
  signatures: readonly CheckedSignature[],
  sandbox: boolean,
): CheckedDocument {
  const body = ['Documento', 'Liquidacion', 'Exportaciones'].map((name) => childOf(element, name)).find(Boolean)
  const proofs = [...signatures.map(checkSignature), ...(body ? [checkStamp(xml, body, sandbox)] : [])]
  const ours = readDte(element, xml)
  if (ours.ok) {
    const { dte, warnings } = ours.value
    const unread = warnings.map(({ path, rule }) => forma('error', 'Un valor no se puede leer.', path, rule))
    return { ...faceOf(dte), checks: [...unread, ...proofs, checkTotals(checkAgreement(dte))] }
  }
  const other = readUnissued(element, xml)
  const unsummed: Check = { what: 'totales', state: 'unknown', says: 'De este tipo no sabemos recalcular los totales.' }
  if (other.ok) return { ...faceOf(other.value.dte), checks: [...proofs, unsummed] }
  const { path, rule } = ours.refusal
  const nameless = { title: 'Documento', emisor: '', receptor: '', issue_date: '', total: null }
  return { ...nameless, checks: [forma('error', saidOfForm(rule as ReadRule), path, rule), ...proofs] }
}

function forma(state: Check['state'], says: string, path: string, rule: string): Check {
  return { what: 'forma', state, says, path, rule }
}

interface Face {
  readonly tipo_dte: number
  readonly folio: number
  readonly issue_date: string
  readonly emisor: { readonly rut: string; readonly legal_name: string }
  readonly receptor: { readonly rut: string; readonly legal_name?: string | undefined }
  readonly totals: { readonly total: number }
}

function faceOf({ tipo_dte, folio, issue_date, emisor, receptor, totals }: Face): Omit<CheckedDocument, 'checks'> {
  const names: Readonly<Record<number, { readonly name: string } | undefined>> = DOCUMENTS
  const named = names[tipo_dte]?.name ?? `Tipo ${tipo_dte}`
  return {
    title: `${named} (${tipo_dte}) N° ${folio}`,
    emisor: `${emisor.legal_name} ${emisor.rut}`.trim(),
    receptor: `${receptor.legal_name ?? ''} ${receptor.rut}`.trim(),
    issue_date,
    total: totals.total,
  }
}

function checkStamp(xml: XmlDocument, body: XmlElement, sandbox: boolean): Check {
  const refusal = checkTimbre(xml, body)
  if (refusal === null)
    return { what: 'timbre', state: 'ok', says: 'El SII autorizó el folio y el timbre es de este documento.' }
  if (sandbox && refusal.rule === 'unknown_sii_key') {
    const says =
      'Documento de prueba: su CAF no es del SII, así que el timbre no se puede comprobar. No tiene valor tributario.'
    return { what: 'timbre', state: 'unknown', says, path: refusal.path, rule: refusal.rule }
  }
  return { what: 'timbre', state: 'error', says: saidOfTimbre(refusal.rule), path: refusal.path, rule: refusal.rule }
}

function checkTotals(agreement: ReturnType<typeof checkAgreement>): Check {
  if (agreement === null)
    return {
      what: 'totales',
      state: 'unknown',
      says: 'Los totales no se pueden recalcular: hay un impuesto que no conocemos.',
    }
  const { totals, lines } = agreement
  if (totals.length === 0 && lines.length === 0)
    return { what: 'totales', state: 'ok', says: 'Las líneas suman lo que dicen los totales.' }
  const wrong = [
    ...(totals.length > 0 ? [`no cuadra ${totals.map((name) => AMOUNT_NAMES[name]).join(', ')}`] : []),
    ...(lines.length > 0
      ? [`cantidad por precio no da el monto en la línea ${lines.map((line) => line + 1).join(', ')}`]
      : []),
  ].join('; ')
  return {
    what: 'totales',
    state: 'error',
    says: `${wrong[0]?.toUpperCase()}${wrong.slice(1)}.`,
    rule: 'totals_disagree',
  }
}
