import { randomInt } from 'node:crypto'
import { checkDraft, type DteDraft } from '@timbre/dte/draft'
import { santiagoDate, santiagoTimestamp, TIPO } from '@timbre/dte/values'
import { CEILINGS } from '../../catalog/limits.ts'
import { MODES } from '../../catalog/modes.ts'
import type { EmpresaContext } from '../../domain/context.ts'
import { readEmisor } from '../../domain/platform/empresa/emisor.ts'
import { lastFolioOf } from '../../domain/receiving/received-document/numbering.ts'
import { invalidField, Problem, refuseAll } from '../../kernel/problem.ts'
import type { PlayReceived, SupplierDocument } from './play-supplier-schema.ts'

/** Who sends what nobody described: an ordinary supplier, with one line. */
const SUPPLIER = { rut: '77333300-9', legal_name: 'Proveedora de Prueba SpA' }
const ITEMS = [{ description: 'Insumos de oficina', quantity: 1, unit_price: 10_000 }]

const RESOLUCION = { date: '2014-08-22', number: 80 }

/** The document as its supplier would issue it, with everything the caller left to us. */
/** What playing a supplier takes: the empresa that receives, and the time it is played at. */
export type SupplierContext = Pick<EmpresaContext, 'sql' | 'ports' | 'cache' | 'empresa' | 'account' | 'now'>

async function draftOf(ctx: SupplierContext, written: SupplierDocument): Promise<DteDraft> {
  const { folio: _, emisor = SUPPLIER, ...rest } = written
  const receptor = await readEmisor(ctx)
  const plain = MODES[ctx.account.mode].emisor_placeholders
  const today = santiagoDate(ctx.now())
  const { street, comuna, city } = receptor
  const draft = {
    tipo_dte: TIPO.factura,
    items: ITEMS,
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
  const faults = checkDraft(draft, { today, uf: CEILINGS.uf_pesos })
  refuseAll(faults.map(({ path, message }) => new Problem('invalid_field', { param: `document.${path}`, message })))
  return draft
}

/**
 * Numbers, stamps and signs a document with throw-away keys, and puts it in an envelope as suppliers do. Where no folio
 * is given it takes the next one, or skips up to `skips`: others may be numbering at this very moment.
 */
export async function issueAsSupplier(
  ctx: SupplierContext,
  { document: written = {}, certificate = 'of_emisor' }: Pick<PlayReceived, 'document' | 'certificate'>,
  skips = 0,
): Promise<Uint8Array> {
  const engine = await import('@timbre/dte')
  const sii = ctx.ports.sii[ctx.account.mode]
  const draft = await draftOf(ctx, written)
  const { rut, legal_name } = draft.emisor
  const { tipo_dte } = draft
  const next = (await lastFolioOf(ctx.sql, ctx.empresa, rut, tipo_dte)) + 1 + randomInt(skips + 1)
  const folio = written.folio ?? next
  const order = {
    empresa: ctx.empresa,
    rut,
    legal_name,
    tipo_dte,
    quantity: 1,
    resolucion_numero: RESOLUCION.number,
    first_folio: folio,
  }
  const granted = await sii.requestCaf({ ...order, ambiente: 'certificacion', on: santiagoDate(ctx.now()) })
  const caf = granted.granted ? engine.readCaf(granted.file, await sii.authorityKeys()) : null
  if (!caf?.ok) throw new Error('the sandbox gave no folio to its own supplier')
  const signer = (await sii.supplierSigner?.({ rut, legal_name, certificate })) ?? (await sii.signerFor(ctx.empresa))
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
