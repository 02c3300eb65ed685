import { canonicalRut } from '@timbre/dte/values'
import { Type } from 'typebox'
import type { Document } from '../../domain/issuing/document/schema.ts'
import type { PublicLinkWithUrl } from '../../domain/issuing/public-link/schema.ts'
import type { Job } from '../../domain/platform/job/operations.ts'
import { Email, MultiLine, OneOf } from '../../kernel/schema.ts'
import { defineTool, type OwnToolContext, type Rows } from '../own-tool.ts'
import { findIssued, fits } from './find.ts'
import { acted, checkDays, Detail, Empresa, From, IssuedDocument, SHOWN, Show, To, tell, tellAll, Who } from './kit.ts'
import { pdfLink } from './link.ts'
import { briefDocument, refusalOf, summed } from './said.ts'

const optional = Type.Optional
const STATUSES = ['queued', 'sent', 'accepted', 'reparo', 'rejected', 'annulled', 'failed'] as const

export const getDocument = defineTool({
  name: 'get_document',
  title: 'Get a document and its PDF',
  description:
    'One document that we issued: where it stands with the SII and with its receptor, what is owed of it, its lines, and its PDF as a resource link (ver, estado, descargar el PDF de una factura o boleta).',
  reads: ['documents.get', 'documents.list'],
  input: { empresa: Empresa, document: IssuedDocument, detail: Detail },
  run: async (ctx, { empresa, document, detail }) => {
    const { id } = await findIssued(ctx, empresa, document)
    const found = await ctx.read<Document & { items?: object[] }>('documents.get', { empresa, document_id: id })
    const { sii, receptor_response, exchange, annuls, receptor, items } = found
    const brief = { ...briefDocument(found), ...refusalOf(found), totals: found.totals, items, annuls }
    const rest = { receptor, receptor_response, exchange, track_id: sii.track_id }
    const told = detail === 'full' ? tellAll(found) : tell({ ...brief, ...rest })
    return { ...told, blocks: [pdfLink('documents', id, { said: 'PDF', empresa })] }
  },
})

/** Newest first, as each list is: a test clock that stands still makes many at one instant. */
const orderOf = ({ created_at, id }: Document) => `${created_at} ${id}`

/** The documents of several statuses in one question. */
async function documentsOf(ctx: OwnToolContext, filter: object, statuses: readonly string[]): Promise<Rows<Document>> {
  if (statuses.length === 0) return ctx.rows('documents.list', filter)
  const lists: Rows<Document>[] = []
  for (const status of statuses) lists.push(await ctx.rows('documents.list', { ...filter, status }))
  const rows = lists.flatMap((list) => list.rows).sort((one, other) => (orderOf(one) < orderOf(other) ? 1 : -1))
  return { rows, complete: lists.every(({ complete }) => complete) }
}

export const findDocuments = defineTool({
  name: 'find_documents',
  title: 'Find documents we issued',
  description:
    'Lists issued documents with counts and totals: ventas, cuánto vendí, cuánto facturé a un cliente, facturas o boletas de un mes, sin pagar.',
  reads: ['documents.list'],
  input: {
    empresa: Empresa,
    receptor: Who('Client'),
    tipo_dte: optional(
      Type.Integer({
        description: '33 factura, 34 exenta, 39 boleta, 52 guía, 56 nota de débito, 61 nota de crédito.',
      }),
    ),
    status: optional(
      Type.Array(OneOf(STATUSES), {
        maxItems: STATUSES.length,
        description: 'accepted, reparo (with remarks), rejected by the SII, failed, annulled, queued, sent.',
      }),
    ),
    from: From,
    to: To,
    unpaid: optional(Type.Boolean({ description: 'Only what is still owed to us.' })),
    show: Show,
    detail: Detail,
  },
  run: async (ctx, { empresa, receptor, tipo_dte, status = [], from, to, unpaid, show = SHOWN, detail }) => {
    checkDays(from, to)
    const rut = receptor === undefined ? null : canonicalRut(receptor)
    const filter = {
      empresa,
      ...(rut !== null && { receptor_rut: rut }),
      ...(tipo_dte !== undefined && { tipo_dte }),
      ...(from !== undefined && { issue_date_gte: from }),
      ...(to !== undefined && { issue_date_lte: to }),
    }
    const found = await documentsOf(ctx, filter, status)
    const by_name = receptor !== undefined && rut === null
    const named = by_name ? found.rows.filter((one) => fits(receptor, one.receptor.legal_name)) : found.rows
    const rows = unpaid ? named.filter(({ pending_amount }) => (pending_amount ?? 0) > 0) : named
    const sums = summed(
      rows.map(({ status: one, totals }) => ({ status: one, total: totals.total })),
      found.complete,
    )
    const shown = rows.slice(0, show)
    if (detail === 'full') return tellAll({ ...sums, documents: shown })
    return tell({ ...sums, documents: shown.map(briefDocument), not_shown: rows.length - shown.length })
  },
})

export const refusedDocuments = defineTool({
  name: 'refused_documents',
  title: 'What was refused, and why',
  description:
    'Documents that the SII rejected or remarked on (rechazadas, reparos) or that could not be sent, each with the reason and what to do, in Spanish.',
  reads: ['documents.list'],
  input: { empresa: Empresa, from: From, to: To, show: Show },
  run: async (ctx, { empresa, from, to, show = SHOWN }) => {
    checkDays(from, to)
    const dates = {
      ...(from !== undefined && { issue_date_gte: from }),
      ...(to !== undefined && { issue_date_lte: to }),
    }
    const { rows, complete } = await documentsOf(ctx, { empresa, ...dates }, ['rejected', 'failed', 'reparo'])
    const sums = summed(
      rows.map(({ status, totals }) => ({ status, total: totals.total })),
      complete,
    )
    const told = rows.slice(0, show).map((one) => ({ ...briefDocument(one), ...refusalOf(one) }))
    return tell({ ...sums, documents: told, not_shown: rows.length - told.length })
  },
})

export const sendDocument = defineTool({
  name: 'send_document',
  title: 'Send a document',
  description:
    'Mails a document to its receptor or to an address (enviar, mandar por correo), or makes a link that anybody can open (compartir por WhatsApp). To an address that you name, or that came with the document, it takes two calls.',
  reads: ['documents.get', 'documents.list'],
  acts: ['documents.send', 'documents.public_links.create'],
  input: {
    empresa: Empresa,
    document: IssuedDocument,
    to: optional({
      ...Email,
      description: 'Address. Left out: the one on the document, or else the contacts of the receptor.',
    }),
    message: optional(MultiLine(500, { description: 'Text of the letter.' })),
    as_link: optional(Type.Boolean({ description: 'Make a link instead of mailing it.' })),
  },
  run: async (ctx, input, acting) => {
    const { empresa, document, to, message, as_link } = input
    const found = await findIssued(ctx, empresa, document)
    const named = { empresa, document_id: found.id, ...acting }
    if (as_link) {
      const linked = await ctx.act('documents.public_links.create', named)
      return acted<PublicLinkWithUrl>(linked, ({ url: link, expires_at }) => ({
        said: briefDocument(found).said,
        link,
        expires_at,
      }))
    }
    const letter = { ...(to !== undefined && { to }), ...(message !== undefined && { message }) }
    const sent = await ctx.act('documents.send', {
      ...named,
      ...letter,
    })
    return acted<Job>(sent, ({ id, status }) => ({
      said: `Se envía por correo: ${briefDocument(found).said}`,
      job: id,
      status,
    }))
  },
})
