import { createPrivateKey, type KeyObject } from 'node:crypto'
import { writeCertificate } from '../authority/certificate.ts'
import {
  authoriseRange,
  newRangeKeys,
  nextFolio,
  type RangeKeys,
  rangesOf,
  type Series,
  seriesPrefix,
} from '../caf/register.ts'
import type { Simulator } from '../simulator.ts'
import { documentKey } from '../state/state.ts'
import type { Caf, SiiDocument, Taxpayer } from '../state/types.ts'
import { recordNote } from '../uploads/record.ts'
import type { SfgDraft } from './draft.ts'
import type { SfgCompany } from './pages.ts'

/** What the free portal does for its users: it keeps their certificates, gives folios and enters what was signed. */
const SFG = 'SFG'
const RANGE = 100
const YEAR = 365 * 86_400_000

/** The companies that are enrolled and have the person among their users. */
export function companiesFor(ctx: Simulator, person: string): Taxpayer[] {
  return ctx.state.taxpayers
    .values()
    .filter(
      ({ sfg, rut, users }) => sfg && (rut === person || users === null || users.some((user) => user.rut === person)),
    )
}

export function sfgCompany({ rut, name, address, comuna, giro, actecos }: Taxpayer): SfgCompany {
  return { rut, name, address, comuna, giro, acteco: actecos[0] ?? '620200' }
}

/**
 * A folio of the SII's own ranges. It is only a proposal: the document exists once it was sent, and a proposal that
 * nobody signs is left behind.
 */
export async function proposeFolio(ctx: Simulator, series: Series): Promise<{ folio: number; caf: Caf }> {
  const proposed = ctx.state.store<number>('sfg_folios')
  const look = () => {
    const next = (proposed.get(seriesPrefix(series)) ?? 0) + 1
    const range = rangesOf(ctx, series).find(
      ({ requested_by, desde, hasta }) => requested_by === SFG && desde <= next && next <= hasta,
    )
    return range === undefined ? null : { folio: next, caf: range }
  }
  let found = look()
  if (found === null) {
    const keys = await newRangeKeys(ctx)
    // Somebody else may have opened a range while the keys were made.
    found = look() ?? openRange(ctx, series, keys)
  }
  const { folio, caf } = found
  proposed.put(seriesPrefix(series), folio)
  return { folio, caf }
}

function openRange(ctx: Simulator, series: Series, keys: RangeKeys): { folio: number; caf: Caf } {
  const folio = nextFolio(ctx, series)
  return { folio, caf: authoriseRange(ctx, series, { from: folio, to: folio + RANGE - 1 }, SFG, keys) }
}

/** The password of the certificate that a person keeps at the SII; null where there is none. */
export function centralPassword(ctx: Simulator, person: string, company: string | null): string | null {
  const own = ctx.state.taxpayers.get(person)?.clave_centralizado ?? null
  return own ?? (company === null ? null : (ctx.state.taxpayers.get(company)?.clave_centralizado ?? null))
}

type KeptCertificate = { key: string; certificate: string }

export type CentralCertificate = { key: KeyObject; certificate: string }

const making = new WeakMap<Simulator, Map<string, Promise<CentralCertificate>>>()

/** The certificate itself, made when it is first asked for, and once however many ask meanwhile. */
export async function centralCertificate(ctx: Simulator, person: string): Promise<CentralCertificate> {
  const known = keptOf(ctx).get(person)
  if (known !== undefined) return { key: createPrivateKey(known.key), certificate: known.certificate }
  const under_way = making.get(ctx) ?? new Map<string, Promise<CentralCertificate>>()
  making.set(ctx, under_way)
  const made = under_way.get(person) ?? makeCertificate(ctx, person).finally(() => under_way.delete(person))
  under_way.set(person, made)
  return made
}

const keptOf = (ctx: Simulator) => ctx.state.store<KeptCertificate>('central_certificates')

async function makeCertificate(ctx: Simulator, person: string): Promise<CentralCertificate> {
  const key = await ctx.authority.personKey()
  const now = ctx.clock.now()
  const { pem } = writeCertificate({
    subject: { common_name: `Persona ${person}`, serial_number: person },
    issuer: ctx.authority.ca.name,
    holder_key: key,
    signing_key: ctx.authority.ca.key,
    not_before: now - 86_400_000,
    not_after: now + 3 * YEAR,
    use: { kind: 'person', rut: person },
  })
  keptOf(ctx).put(person, { key: key.export({ type: 'pkcs8', format: 'pem' }).toString(), certificate: pem })
  return { key, certificate: pem }
}

/** Enters a document that the portal signed: it is at the SII from this instant on, and accepted. */
export function enterDocument(
  ctx: Simulator,
  company: Taxpayer,
  draft: SfgDraft,
  folio: number,
  text: string,
): SiiDocument {
  const document: SiiDocument = {
    ambiente: 'produccion',
    emisor: company.rut,
    emisor_name: company.name,
    tipo: draft.tipo,
    folio,
    receptor: draft.receptor.rut,
    receptor_name: draft.receptor.name,
    fecha: draft.issued_on,
    monto: draft.total,
    neto: draft.net,
    exento: draft.exempt,
    iva: draft.iva,
    forma_pago: draft.tipo === 52 ? null : draft.payment,
    references: draft.references.map(({ tipo, folio: number, date, code }) => ({
      tipo,
      folio: number,
      cod_ref: code === '' ? null : Number(code),
      fecha: date,
    })),
    signature_value: /<SignatureValue>([^<]*)</.exec(text)?.[1]?.replace(/\s/g, '') ?? '',
    outcome: 'accepted',
    findings: [],
    track_id: '0',
    received_at: ctx.clock.now(),
    notes: [],
  }
  const key = documentKey(document.ambiente, document.emisor, document.tipo, document.folio)
  ctx.state.atomically(() => {
    ctx.state.documents.put(key, document)
    ctx.state.document_files.put(key, Buffer.from(text, 'latin1'))
    recordNote(ctx, document)
  })
  return document
}
