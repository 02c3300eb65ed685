import {
  type Caller,
  type DocumentStatus,
  type EnvelopeStatus,
  type JudgedDocument,
  outcomeForTipo,
  type SiiClient,
} from '@timbre/sii'
import { secondsFrom } from '../../kernel/clock.ts'
import type { SiiStatus, SiiVerdict } from '../../ports/sii.ts'
import type { SiiDocument } from '../../ports/sii-document.ts'
import { signatureIn } from './signature-in.ts'

export interface VerdictQuestion {
  readonly company_rut: string
  /** Null where the SII never told one: documents are then asked for one by one. */
  readonly track_id: string | null
  readonly documents: readonly SiiDocument[]
  /** How often the envelope was sent. */
  readonly sends: number
  /** Its bytes, read where they are needed; null where they are kept no longer. */
  readonly envelope: () => Promise<Uint8Array | null>
  /** When it was sent last; null where that is known no longer. */
  readonly sent_at: Date | null
  readonly at: Date
}

export const isBoleta = (document: SiiDocument | undefined): boolean =>
  document?.tipo_dte === 39 || document?.tipo_dte === 41

/**
 * `lost`: the SII no longer finds the file, or does not have its documents. `unknown`: it finds nothing under the track
 * id, which it may do later.
 */
export type Verdicts = Pick<SiiStatus, 'verdicts' | 'told' | 'doubted'> & {
  readonly lost?: boolean
  readonly unknown?: boolean
}

/** Asks what became of the documents of an envelope. */
export async function askVerdicts(client: SiiClient, caller: Caller, question: VerdictQuestion): Promise<Verdicts> {
  const { company_rut, track_id, documents, sends } = question
  if (track_id === null) return askUntold(client, caller, question)
  const road = isBoleta(documents[0]) ? client.boleta : client.dte
  const status = await road.envelopeStatus(caller, { company_rut, track_id })
  const lost = status.outcome === 'lost'
  const { estado, glosa } = status
  if (lost || !status.processed) return { verdicts: new Map(), told: { estado, glosa }, lost }
  const told = verdictsTold(status, documents)
  // What was sent twice may be refused because its first copy came through: then each document tells.
  const doubted = documents.filter(({ id }) => {
    const said = told.get(id)
    return said === undefined || (said.outcome === 'rejected' && (sends > 1 || mayBeRepeated(said)))
  })
  if (doubted.length === 0) return { verdicts: told }
  const asked = await askOneByOne(client, caller, question, doubted)
  const verdicts = believed(question, estado, told, asked.verdicts)
  const open = documents.some(({ id }) => !verdicts.has(id))
  return {
    verdicts,
    doubted: new Map([...(asked.doubted ?? [])].filter(([id]) => !verdicts.has(id))),
    ...(open && { told: { estado, glosa } }),
  }
}

/** The SII's number for a document that it has already (DTE-3-100), which need not have come in the same file. */
const REPEATED_DOCUMENT = /^DTE-(\d-)?100$/

/** Whether a document may have been refused for its own first copy. The counters of an envelope give no reason at all. */
function mayBeRepeated({ estado, finding }: SiiVerdict): boolean {
  return finding === null ? estado === 'EPR' : REPEATED_DOCUMENT.test(finding)
}

/** A copy of a file that came before: what became of the documents is told by the first one. */
const REPEATED = 'RPT'

/** How long the first copy may take to be judged, by our reckoning. Verdicts a day late are known. */
const FIRST_COPY_SECONDS = 3 * 86_400

/**
 * A document that the SII has is good, whatever it said of the second copy of its envelope. One that it does not have was
 * refused for the reason that it gave; a repeated envelope gives none, so nothing is decided by it until its first copy
 * must have been judged.
 */
function believed(
  { sent_at, at }: Pick<VerdictQuestion, 'sent_at' | 'at'>,
  estado: string,
  told: ReadonlyMap<string, SiiVerdict>,
  asked: ReadonlyMap<string, SiiVerdict>,
): Map<string, SiiVerdict> {
  const verdicts = new Map([...told, ...asked])
  const is_judged = sent_at !== null && at >= secondsFrom(sent_at, FIRST_COPY_SECONDS)
  for (const [id, said] of told) {
    if (said.outcome !== 'rejected' || verdicts.get(id)?.outcome !== 'rejected') continue
    if (estado !== REPEATED) verdicts.set(id, said)
    else if (!is_judged || !asked.has(id)) verdicts.delete(id)
  }
  return verdicts
}

/** What the counters and the findings of an envelope say of each document; one of which they say nothing is left out. */
function verdictsTold(status: EnvelopeStatus, documents: readonly SiiDocument[]): Map<string, SiiVerdict> {
  const found = new Map<string, SiiVerdict>()
  for (const document of documents) {
    const judged = status.documents?.find(
      ({ tipo_dte, folio }) => tipo_dte === document.tipo_dte && folio === document.folio,
    )
    const verdict = judged ? verdictOf(judged) : counted(status, document)
    if (verdict) found.set(document.id, verdict)
  }
  return found
}

function verdictOf({ outcome, estado, glosa, findings }: JudgedDocument): SiiVerdict {
  const [first] = findings
  return { outcome, estado, finding: first?.code ?? null, glosa: first?.glosa ?? glosa ?? '' }
}

function counted(status: EnvelopeStatus, { tipo_dte }: SiiDocument): SiiVerdict | null {
  const outcome = outcomeForTipo(status, tipo_dte)
  const said = { estado: status.estado, finding: null, glosa: status.glosa ?? '' }
  if (outcome === 'accepted' || outcome === 'reparo' || outcome === 'rejected') return { outcome, ...said }
  // Boletas tell which ones they found something in: the others are good.
  return outcome === 'mixed' && status.documents !== null ? { outcome: 'accepted', ...said } : null
}

/**
 * Asks for documents where the SII says nothing of the envelope in which they went, or does not find it. The first
 * stands for all, because the SII takes a file whole.
 */
export async function askWithoutEnvelope(
  client: SiiClient,
  caller: Caller,
  question: VerdictQuestion,
): Promise<Verdicts> {
  const [first] = question.documents
  const bytes = await question.envelope()
  const held = first && (await askDocument(client, caller, { ...question, bytes }, first)).status.held
  if (held === false) return { verdicts: new Map(), lost: true }
  return askUntold(client, caller, question)
}

/**
 * How long the SII may take to show the documents of a file, by our reckoning. Where it does not say that the file is
 * processed, one that it does not show before then is on its way, although others of the file are there.
 */
const SHOWN_WITHIN_SECONDS = 3_600

async function askUntold(client: SiiClient, caller: Caller, question: VerdictQuestion): Promise<Verdicts> {
  const { documents, sent_at, at } = question
  const on_its_way = sent_at !== null && at < secondsFrom(sent_at, SHOWN_WITHIN_SECONDS)
  return askOneByOne(client, caller, question, documents, ({ state }) => !(on_its_way && state === 'absent'))
}

/** Asks for documents one at a time, where an envelope does not tell them apart. */
async function askOneByOne(
  client: SiiClient,
  caller: Caller,
  question: VerdictQuestion,
  documents: readonly SiiDocument[],
  decides: (status: DocumentStatus) => boolean = () => true,
): Promise<Verdicts> {
  const verdicts = new Map<string, SiiVerdict>()
  const doubted = new Map<string, { estado: string; glosa: string | null }>()
  const bytes = await question.envelope()
  for (const document of documents) {
    const { status, signed } = await askDocument(client, caller, { ...question, bytes }, document)
    const verdict = decides(status) ? verdictFrom(status, { signed }) : null
    if (verdict) verdicts.set(document.id, verdict)
    else if (status.state === 'differs') doubted.set(document.id, { estado: status.estado, glosa: status.glosa })
  }
  return { verdicts, doubted }
}

async function askDocument(
  client: SiiClient,
  caller: Caller,
  { company_rut, bytes }: Pick<VerdictQuestion, 'company_rut'> & { readonly bytes: Uint8Array | null },
  document: SiiDocument,
): Promise<{ readonly status: DocumentStatus; readonly signed: boolean }> {
  const asked = { emisor_rut: company_rut, ...document }
  if (isBoleta(document)) return { status: await client.boleta.documentStatus(caller, asked), signed: false }
  const signature_value = bytes ? signatureIn(bytes, document) : null
  return signature_value === null
    ? { status: await client.dte.documentStatus(caller, asked), signed: false }
    : { status: await client.dte.signedDocumentStatus(caller, { ...asked, signature_value }), signed: true }
}

/** A processed envelope holds what it holds: a document that the SII does not have by then is one it refused. */
const OUTCOMES: Readonly<Record<DocumentStatus['state'], SiiVerdict['outcome'] | null>> = {
  matches: 'accepted',
  text_corrected: 'accepted',
  amount_corrected: 'accepted',
  annulled: 'accepted',
  observed: 'reparo',
  differs: 'rejected',
  absent: 'rejected',
  folio_not_authorized: 'rejected',
  folio_annulled: 'rejected',
  emisor_not_authorized: 'rejected',
  rejected: 'rejected',
  unknown: null,
}

/**
 * That the data differ from those it was asked about says as much of the question as of the document: it is a verdict
 * only where the question carried the signature of the document.
 */
export function verdictFrom(
  { state, estado, glosa }: DocumentStatus,
  { signed }: { readonly signed: boolean },
): SiiVerdict | null {
  if (state === 'differs' && !signed) return null
  const outcome = OUTCOMES[state]
  return outcome && { outcome, estado, finding: null, glosa: glosa ?? '' }
}
