import { randomInt } from 'node:crypto'
import { checkDraft, type DteDraft } from '@timbre/dte/draft'
import { santiagoDate, santiagoTimestamp } from '@timbre/dte/values'
import { type Static, Type } from 'typebox'
import { CEILINGS } from '../../catalog/limits.ts'
import { MODES } from '../../catalog/modes.ts'
import type { EmpresaContext } from '../../kernel/context.ts'
import { invalidField, Problem } from '../../kernel/problem.ts'
import { Closed } from '../../kernel/schema.ts'
import { Address, CreateDocument, Item, TipoDteNumber } from '../document/schema.ts'
import { readEmisor } from '../empresa/emisor.ts'
import { LatinLine } from '../latin-text.ts'
import { Rut } from '../rut.ts'
import { type Fault, type JudgedFile, judgeFile } from './judge.ts'
import type { ReceivedDocument } from './schema.ts'
import { showReceived } from './show.ts'
import { lastFolioOf } from './store.ts'
import { type TakenIn, takeIn } from './take-in.ts'

const optional = Type.Optional
const { issue_date, payment, references, discounts, surcharges } = CreateDocument.properties

const SupplierDocument = Closed({
  tipo_dte: TipoDteNumber,
  folio: optional(Type.Integer({ minimum: 1, maximum: 9_999_999_999, description: 'Left out: the next one.' })),
  emisor: Closed({
    rut: Rut,
    legal_name: optional(LatinLine(CEILINGS.legal_name)),
    giro: optional(LatinLine(CEILINGS.giro)),
    address: optional(Address),
  }),
  items: Type.Array(Item, { minItems: 1, maxItems: CEILINGS.document_items }),
  issue_date,
  payment,
  references,
  discounts,
  surcharges,
})

export const PlayReceived = Closed({
  xml: optional(
    Type.Unsafe<string>({
      type: 'string',
      minLength: 1,
      contentEncoding: 'base64',
      pattern: '^[A-Za-z0-9+/\\r\\n]+={0,2}[\\r\\n]*$',
      description: 'A file of a supplier in base64: an EnvioDTE or a DTE.',
    }),
  ),
  document: optional(SupplierDocument),
})
export type PlayReceived = Static<typeof PlayReceived>
type SupplierDocument = Static<typeof SupplierDocument>

const RESOLUCION = { date: '2014-08-22', number: 80 }

/** The document as its supplier would issue it, with everything the caller left to us. */
async function draftOf(ctx: EmpresaContext, written: SupplierDocument): Promise<DteDraft> {
  const { folio: _, emisor, ...rest } = written
  const receptor = await readEmisor(ctx)
  const plain = MODES[ctx.account.mode].emisor_placeholders
  const today = santiagoDate(ctx.now())
  const { street, comuna, city } = receptor
  const draft = {
    ...rest,
    issue_date: written.issue_date ?? today,
    emisor: { legal_name: `Proveedor ${emisor.rut}`, ...plain, ...emisor },
    receptor: {
      rut: receptor.rut,
      legal_name: receptor.legal_name,
      giro: receptor.giro ?? plain?.giro,
      address: street && comuna ? { street, comuna, ...(city && { city }) } : plain?.address,
    },
  } as DteDraft
  const [fault] = checkDraft(draft, { today, uf: CEILINGS.uf_pesos })
  if (fault) throw new Problem('invalid_field', { param: `document.${fault.path}`, message: fault.message })
  return draft
}

/** Numbers, stamps and signs a document with throw-away keys, and puts it in an envelope as suppliers do. */
async function issueAsSupplier(ctx: EmpresaContext, written: SupplierDocument): Promise<Uint8Array> {
  const engine = await import('@timbre/dte')
  const sii = ctx.ports.sii[ctx.account.mode]
  const draft = await draftOf(ctx, written)
  const { rut, legal_name } = draft.emisor
  const { tipo_dte } = draft
  const folio = written.folio ?? (await lastFolioOf(ctx.sql, ctx.empresa, rut, tipo_dte)) + 1
  const order = { rut, legal_name, tipo_dte, quantity: 1, resolucion_numero: RESOLUCION.number, first_folio: folio }
  const granted = await sii.requestCaf({ ...order, ambiente: 'certificacion', on: santiagoDate(ctx.now()) })
  const caf = granted.granted ? engine.readCaf(granted.file, await sii.authorityKeys()) : null
  if (!caf?.ok) throw new Error('the sandbox gave no folio to its own supplier')
  const signer = await sii.signerFor(ctx.empresa)
  const at = santiagoTimestamp(ctx.now())
  const dte = engine.completeDraft(draft, folio)
  const emitted = await engine.emitDte({ dte, caf: caf.value, signer, tmst_ted: at, tmst_firma: at })
  if (!emitted.ok) throw invalidField('document', emitted.refusal.message)
  const sobre = await engine.buildSobre(
    {
      emisor_rut: rut,
      envia_rut: signer.rut ?? rut,
      receptor_rut: ctx.empresa.rut,
      resolucion: RESOLUCION,
      tmst_firma: at,
      documents: [{ tipo_dte, xml: emitted.value.xml }],
      // A set of its own each time, so that two of them are never taken for one.
      id: `Set${folio}n${randomInt(1e9)}`,
    },
    signer,
  )
  if (!sobre.ok) throw new Error(`the supplier's envelope was refused: ${sobre.refusal.message}`)
  return engine.latin1Bytes(sobre.value)
}

export interface Played {
  readonly file: Uint8Array
  readonly judged: JudgedFile | Fault
}

/** Before the transaction: the supplier's file, made or given, and what is to be thought of it. */
export async function playSupplier(ctx: EmpresaContext, input: PlayReceived): Promise<Played> {
  const { xml, document } = input
  if ((xml === undefined) === (document === undefined)) throw invalidField('xml', 'send one of xml and document.')
  const file = document ? await issueAsSupplier(ctx, document) : Buffer.from(xml ?? '', 'base64')
  const sii_keys = await ctx.ports.sii[ctx.account.mode].authorityKeys()
  return { file, judged: await judgeFile(file, { receptor_rut: ctx.empresa.rut, sii_keys }) }
}

type Refused = { readonly refused: Fault | null }

function shown({ documents, faults }: TakenIn, ctx: EmpresaContext): ReceivedDocument | Refused {
  const [first] = documents
  return first ? showReceived(first, ctx.addresses) : { refused: faults[0] ?? null }
}

export async function receivePlayed(ctx: EmpresaContext, { file, judged }: Played): Promise<ReceivedDocument> {
  const received_at = ctx.now()
  const arrival = { source: 'test_helper', sender: null, file_name: 'envio.xml', bytes: file, received_at } as const
  const taken = await takeIn(ctx, ctx.empresa, arrival, judged, () => received_at)
  return shown(taken, ctx) as ReceivedDocument
}

/** The quarantine is written down and told before the caller is refused: a mail would leave the same behind. */
export async function refusePlayed(_ctx: EmpresaContext, resource: ReceivedDocument): Promise<ReceivedDocument> {
  if (!('refused' in resource)) return resource
  const { refused } = resource as Refused
  throw new Problem('received_file_refused', {
    param: 'xml',
    ...(refused && { message: refused.message, details: { reason: refused.reason } }),
  })
}
