import { longDate, pesos, printedRut } from '@timbre/dte/values'
import type { Connection } from '../../domain/banking/connection/schema.ts'
import type { Receivable } from '../../domain/banking/receivable/schema.ts'
import type { TaxSuggestion } from '../../domain/banking/suggestion/schema.ts'
import type { Document } from '../../domain/issuing/document/schema.ts'
import type { FolioAvailability } from '../../domain/issuing/folio/schema.ts'
import type { Empresa as EmpresaShown } from '../../domain/platform/empresa/schema.ts'
import type { QuarantinedFile } from '../../domain/receiving/received-document/quarantine-schema.ts'
import type { ReceivedDocument } from '../../domain/receiving/received-document/schema.ts'
import type { F29Proposal } from '../../domain/tax/f29/schema.ts'
import { defineTool, type OwnToolContext } from '../own-tool.ts'
import { Detail, Empresa, tell, tellAll } from './kit.ts'
import { briefDocument, briefReceived, kindOf, refusalOf } from './said.ts'

export const myEmpresas = defineTool({
  name: 'my_empresas',
  title: 'The empresas you reach',
  description:
    'The empresas you may work for: RUT, name, what each can issue now, and what stands in the way (qué empresas manejo, puedo emitir).',
  reads: ['empresas.list'],
  input: { detail: Detail },
  run: async (ctx, { detail }) => {
    const { rows, complete } = await ctx.rows<EmpresaShown>('empresas.list', {}, 100)
    if (detail === 'full') return tellAll({ empresas: rows })
    const told = rows.map(({ id, rut, legal_name, giro, status, capabilities, onboarding }) => ({
      rut,
      id,
      said: `${legal_name} (${printedRut(rut)})${capabilities.can_emit ? '' : ', todavía no puede emitir'}`,
      giro,
      status,
      can_issue: capabilities.tipos,
      blocked_by: capabilities.blocked_by,
      ...(onboarding.progress < 1 && { onboarding: onboarding.status }),
    }))
    return tell({ count: rows.length, complete, empresas: told })
  },
})

function briefFolios({ tipo_dte, available, next_folio, status, forecast }: FolioAvailability) {
  const lasts = forecast?.lasts_until ? `, alcanzan hasta el ${longDate(forecast.lasts_until)}` : ''
  return {
    said: `${kindOf(tipo_dte)}: ${available === 1 ? 'queda 1 folio' : `quedan ${available} folios`}${lasts}`,
    tipo_dte,
    available,
    next_folio,
    status,
  }
}

export const foliosLeft = defineTool({
  name: 'folios_left',
  title: 'Folios left',
  description:
    'How many folios are left of each kind of document and how long they last (cuántos folios me quedan, timbraje).',
  reads: ['folios.list'],
  input: { empresa: Empresa, detail: Detail },
  run: async (ctx, { empresa, detail }) => {
    const { rows } = await ctx.rows<FolioAvailability>('folios.list', { empresa })
    return detail === 'full' ? tellAll({ folios: rows }) : tell({ folios: rows.map(briefFolios) })
  },
})

const FEW = 5

/** A thing that waits for a person: how many, and the first of them. */
interface Waiting {
  readonly what: string
  readonly count: number
  readonly first?: readonly object[]
}

/** A noun as it is said of so many. */
const nounOf = (count: number, one: string, more: string) => (count === 1 ? one : more)

async function refusedOf(ctx: OwnToolContext, empresa: string | undefined): Promise<Waiting[]> {
  const rejected = await ctx.rows<Document>('documents.list', { empresa, status: 'rejected' }, 50)
  const failed = await ctx.rows<Document>('documents.list', { empresa, status: 'failed' }, 50)
  const rows = [...rejected.rows, ...failed.rows]
  const first = rows.slice(0, FEW).map((one) => ({ ...briefDocument(one), ...refusalOf(one) }))
  const { length: count } = rows
  const more = 'documentos rechazados o que no se pudieron enviar'
  return [{ what: nounOf(count, 'documento rechazado o que no se pudo enviar', more), count, first }]
}

async function unansweredOf(ctx: OwnToolContext, empresa: string | undefined): Promise<Waiting[]> {
  const { rows } = await ctx.rows<ReceivedDocument>('received_documents.list', { empresa, status: 'pending' }, 100)
  const urgent = rows.toSorted((one, other) => ((one.deadline_at ?? '9') < (other.deadline_at ?? '9') ? -1 : 1))
  const first = urgent.slice(0, FEW).map((one) => briefReceived(one, ctx.today))
  const { length: count } = rows
  const what = nounOf(count, 'factura de un proveedor por responder', 'facturas de proveedores por responder')
  return [{ what, count, first }]
}

async function overdueOf(ctx: OwnToolContext, empresa: string | undefined): Promise<Waiting[]> {
  const { rows } = await ctx.rows<Receivable>('receivables.list', { empresa })
  const late = rows.filter(({ pending_amount, not_due }) => pending_amount > not_due)
  const total = late.reduce((sum, { pending_amount, not_due }) => sum + pending_amount - not_due, 0)
  const { length: count } = late
  return [{ what: `${nounOf(count, 'cliente atrasado', 'clientes atrasados')}, por ${pesos(total)}`, count }]
}

async function foliosOf(ctx: OwnToolContext, empresa: string | undefined): Promise<Waiting[]> {
  const { rows } = await ctx.rows<FolioAvailability>('folios.list', { empresa })
  const low = rows.filter(({ status }) => status === 'low' || status === 'exhausted')
  const { length: count } = low
  return [
    {
      what: nounOf(count, 'tipo con pocos folios', 'tipos con pocos folios'),
      count,
      first: low.slice(0, FEW).map(briefFolios),
    },
  ]
}

async function monthOf(ctx: OwnToolContext, empresa: string | undefined): Promise<Waiting[]> {
  const { rows } = await ctx.rows<F29Proposal>('tax.f29.proposals.list', { empresa }, 3)
  const open = rows.filter(({ status, period }) => status === 'open' && period < ctx.today.slice(0, 7))
  const first = open.map(({ period, total_due, due_date }) => ({
    said: `F29 de ${period}: ${pesos(total_due)} hasta el ${longDate(due_date)}`,
    period,
    total_due,
    due_date,
  }))
  return [{ what: 'F29 por presentar', count: open.length, first }]
}

async function restOf(ctx: OwnToolContext, empresa: string | undefined): Promise<Waiting[]> {
  const open = await ctx.rows<TaxSuggestion>('tax.suggestions.list', { empresa, status: 'open' }, 50)
  const banks = await ctx.rows<Connection>('connections.list', { empresa, status: 'needs_reconnect' }, 50)
  const files = await ctx.rows<QuarantinedFile>(
    'received_documents.quarantine.list',
    { empresa, status: 'quarantined' },
    50,
  )
  const waiting = ({ length: count }: readonly object[], one: string, more: string, tool: string) => ({
    what: `${nounOf(count, one, more)} (\`${tool}\`)`,
    count,
  })
  return [
    waiting(open.rows, 'sugerencia tributaria abierta', 'sugerencias tributarias abiertas', 'tax_suggestions_list'),
    waiting(banks.rows, 'banco por reconectar', 'bancos por reconectar', 'connections_list'),
    waiting(files.rows, 'archivo en cuarentena', 'archivos en cuarentena', 'received_documents_quarantine_list'),
  ]
}

export const needsAttention = defineTool({
  name: 'needs_attention',
  title: 'What needs a person',
  description:
    'Everything that waits for somebody, at once: refused documents, suppliers to answer, late clients, folios that run out, F29 to file, banks to reconnect (qué hay pendiente, qué necesita atención, resumen del negocio).',
  reads: [
    'documents.list',
    'received_documents.list',
    'receivables.list',
    'folios.list',
    'tax.f29.proposals.list',
    'tax.suggestions.list',
    'connections.list',
    'received_documents.quarantine.list',
  ],
  input: { empresa: Empresa },
  run: async (ctx, { empresa }) => {
    const looks = [refusedOf, unansweredOf, overdueOf, foliosOf, monthOf, restOf]
    const found: Waiting[] = []
    for (const look of looks) found.push(...(await look(ctx, empresa)))
    const waiting = found.filter(({ count }) => count > 0)
    const said = waiting.map(({ count, what }) => `${count} ${what}`).join('; ')
    return tell({ said: said === '' ? 'No hay nada pendiente.' : said, waiting })
  },
})
