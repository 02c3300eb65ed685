import {
  type SfgCaller,
  type SfgEntry,
  type SfgReason,
  SfgUncertain,
  type Ambiente as SiiAmbiente,
  type SiiClient,
  type SiiFailure,
} from '@timbre/sii'
import { secondsFrom, systemNow } from '../../kernel/clock.ts'
import type { Sql } from '../../kernel/db.ts'
import type { EmpresaScope } from '../../kernel/scope.ts'
import { SignerMissing, SiiUnreachable, type SiiVerdict } from '../../ports/sii.ts'
import type { SiiDocument } from '../../ports/sii-document.ts'
import type { PortalAnswer, PortalOrder, PortalRefusal, PortalStanding, SiiPortal } from '../../ports/sii-portal.ts'
import { callerFor, type Identities } from './identity.ts'
import { dropOrder, openOrder, type PortalOrderRow, recordDoubt, recordSigned } from './portal-orders.ts'
import { asUnreachable, isRefusal, reaching } from './unreachable.ts'
import { verdictFrom } from './verdicts.ts'

interface PortalParts extends Identities {
  readonly sql: Sql
  readonly client: SiiClient
  readonly ambiente: SiiAmbiente
}

/**
 * For this long a document that was signed, and that the list of issued ones does not show, is not taken for unsent:
 * how soon the list shows it is not known, and another process may be sending it (UNVERIFIED.sfg_list_delay). Longer
 * than a flow of the portal may hold its session.
 */
const DOUBT_MS = 15 * 60_000

const REFUSALS: Readonly<Partial<Record<SfgReason, PortalRefusal>>> = {
  company_not_authorised: 'person_not_authorised',
  no_central_certificate: 'credential_refused',
  signature_refused: 'credential_refused',
  not_signed: 'credential_refused',
}

/**
 * Seconds to the next try where the portal did not sign and says nothing of a password. Few: it may be about one after
 * all, and whoever tries on has it blocked.
 */
const UNSIGNED_SECONDS = [60, 900]

/** The free portal (SFG), in the session of the person whose certificate is in custody. */
export function livePortal(parts: PortalParts): SiiPortal {
  const { sql, client } = parts
  return {
    async issue(order) {
      const { empresa, document_id } = order
      const caller = await portalCaller(parts, empresa)
      const credential = await parts.sfgCredentialOf(empresa)
      if (!credential) throw new SignerMissing()
      // The portal signs for the person of the session alone; another one's password would only be refused, and counted.
      if (credential.rut !== caller.user.identity.rut) return otherPerson(credential.rut, caller.user.identity.rut)
      const row = await openOrder(sql, empresa, document_id)
      const issued = await findIssued(client, caller, order, row)
      if (issued) return issued
      return issueAnew(parts, caller, order, { row, password: credential.password })
    },
    async statusOf({ empresa, document }) {
      const caller = await portalCaller(parts, empresa)
      const entry = await findEntry(client, caller, document)
      const listed = entry && verdictOf(entry)
      const standing = listed ? { verdict: listed, doubted: null } : await askRegister(parts, empresa, document)
      if (standing.verdict) await dropOrder(sql, empresa, document.id)
      return standing
    },
  }
}

async function portalCaller(parts: PortalParts, empresa: EmpresaScope) {
  const { identity, ambiente } = await callerFor(parts, empresa, parts.ambiente)
  return { user: { kind: 'certificate', identity }, ambiente, rut: empresa.rut } as const
}

function otherPerson(stored: string, holder: string): PortalAnswer {
  const sentence = `The SFG credential is of ${stored}, and the certificate that opens the session is of ${holder}.`
  return { issued: false, reason: 'credential_refused', sentence }
}

/** Whether what was signed for the order before is among the issued documents; throws while that cannot be told. */
async function findIssued(
  client: SiiClient,
  caller: SfgCaller,
  { document }: PortalOrder,
  { folio, xml, signed_at }: PortalOrderRow,
): Promise<PortalAnswer | null> {
  if (folio === null || xml === null || signed_at === null) return null
  const { tipo_dte, receptor, totals } = document
  const entry = await findEntry(client, caller, { tipo_dte, folio, receptor_rut: receptor.rut, total: totals.total })
  if (entry) return { issued: true, folio, xml }
  if (systemNow() < signed_at.getTime() + DOUBT_MS) {
    throw new SiiUnreachable(`folio ${folio} was signed on the portal, which does not show it yet`)
  }
  return null
}

/**
 * The entry of a document in the list of issued ones, by its folio. Receptor and amount are compared, too: a folio that
 * was signed and not sent may have gone to another document (UNVERIFIED.sfg_proposed_folio).
 */
async function findEntry(
  client: SiiClient,
  caller: SfgCaller,
  wanted: Pick<SiiDocument, 'tipo_dte' | 'folio' | 'receptor_rut' | 'total'>,
): Promise<SfgEntry | null> {
  const { tipo_dte: tipo, folio, receptor_rut, total } = wanted
  const { entries } = await reaching(() => client.sfg.list(caller, 'issued', { tipo, folio }))
  const found = entries.find((one) => one.folio === folio && one.rut === receptor_rut && one.amount === total)
  return found ?? null
}

async function issueAnew(
  { sql, client }: PortalParts,
  caller: SfgCaller,
  { empresa, document_id, document }: PortalOrder,
  { row, password }: { readonly row: PortalOrderRow; readonly password: string },
): Promise<PortalAnswer> {
  const bytesOf = (xml: string) => Buffer.from(xml, 'latin1')
  const onSigned = async ({ folio, xml }: { readonly folio: number; readonly xml: string }) => {
    const signed = { after: row.signatures, folio, xml: bytesOf(xml) }
    if (await recordSigned(sql, empresa, document_id, signed)) return
    throw new SiiUnreachable('another process is issuing the same document on the portal')
  }
  try {
    const { folio, xml } = await client.sfg.issue({ ...caller, document, password, onSigned })
    return { issued: true, folio, xml: bytesOf(xml) }
  } catch (error) {
    // Sent, and not seen among the issued documents: the next run looks for the folio that was kept.
    if (error instanceof SfgUncertain || !isRefusal(error)) return asUnreachable(error)
    const seconds = error.reason === 'not_signed' ? UNSIGNED_SECONDS[row.doubts] : undefined
    if (seconds === undefined) return refusalOf(error)
    await recordDoubt(sql, empresa, document_id)
    throw new SiiUnreachable(error.message, { again_at: secondsFrom(new Date(systemNow()), seconds) })
  }
}

function refusalOf({ reason, glosa, message }: SiiFailure): PortalAnswer {
  const known = REFUSALS[reason as SfgReason] ?? 'refused'
  return { issued: false, reason: known, sentence: glosa ?? message }
}

/** The words of the list for a document that is good; no source gives the others (UNVERIFIED.sfg_lists). */
const ISSUED = /emitid|aceptad/i

function verdictOf({ estado }: SfgEntry): SiiVerdict | null {
  return ISSUED.test(estado) ? { outcome: 'accepted', estado, finding: null, glosa: estado } : null
}

/** Whatever else the list says, the register of documents says it by a code. One that is absent there may still come. */
async function askRegister(parts: PortalParts, empresa: EmpresaScope, document: SiiDocument): Promise<PortalStanding> {
  const caller = await callerFor(parts, empresa, parts.ambiente)
  const question = { emisor_rut: empresa.rut, ...document }
  const status = await reaching(() => parts.client.dte.documentStatus(caller, question))
  const { held, state, estado, glosa } = status
  const verdict = held === true ? verdictFrom(status, { signed: false }) : null
  return { verdict, doubted: state === 'differs' ? { estado, glosa } : null }
}
