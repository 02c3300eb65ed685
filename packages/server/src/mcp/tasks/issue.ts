import { TIPO_NUMBERS } from '@timbre/dte/values'
import { Type } from 'typebox'
import { CEILINGS } from '../../catalog/limits.ts'
import type { Contribuyente } from '../../domain/issuing/contribuyente/schema.ts'
import type { Counterparty } from '../../domain/issuing/counterparty/schema.ts'
import type { Document } from '../../domain/issuing/document/schema.ts'
import { LatinLine } from '../../domain/latin-text.ts'
import { CivilDate, Closed, OneLine, OneOf } from '../../kernel/schema.ts'
import { defineTool, type OwnToolContext } from '../own-tool.ts'
import { findIssued, rutOf } from './find.ts'
import { acted, Empresa, IssuedDocument } from './kit.ts'
import { briefDocument } from './said.ts'

const optional = Type.Optional
const LATER = 'Queda en cola: el SII responde en segundos en la prueba, en minutos de verdad.'
const tellIssued = (document: Document) => ({ ...briefDocument(document), next: LATER })

const Line = Closed({
  description: LatinLine(80, { description: 'What is sold.' }),
  quantity: optional(Type.Number({ exclusiveMinimum: 0, description: 'How many; 1 if left out.' })),
  unit_price: optional(Type.Number({ minimum: 0, description: 'Pesos each: with IVA in a boleta, net in the rest.' })),
  exempt: optional(Type.Boolean({ description: 'Carries no IVA.' })),
})
const Lines = (about: string) =>
  Type.Array(Line, { minItems: 1, maxItems: CEILINGS.document_items, description: about })

interface Named {
  readonly rut: string
  readonly legal_name?: string | undefined
  readonly giro?: string | undefined
}

/**
 * Completes a receptor from the register of taxpayers where nobody here knows it yet. Where the address book or a former
 * document does, issuing takes it from there by itself.
 */
async function completed(ctx: OwnToolContext, empresa: string | undefined, receptor: Named): Promise<Named> {
  if (receptor.legal_name !== undefined && receptor.giro !== undefined) return receptor
  const { rut } = receptor
  const known = await ctx.readIfThere<Counterparty>('counterparties.get', { empresa, counterparty_rut: rut })
  if (known) return receptor
  const { rows } = await ctx.rows('documents.list', { empresa, receptor_rut: rut }, 1)
  if (rows.length > 0) return receptor
  const registered = await ctx.readIfThere<Contribuyente>('contribuyentes.get', { rut })
  const { legal_name = registered?.legal_name, giro = registered?.suggested_giro ?? undefined } = receptor
  return { ...receptor, legal_name, giro }
}

export const issueDocument = defineTool({
  name: 'issue_document',
  title: 'Issue a factura, boleta, guía or nota',
  description:
    'Issues a document in the name of the empresa: emitir, hacer, facturar a un cliente: factura, factura exenta, boleta, guía de despacho. What is known of the receptor is filled in from the address book, former documents and the register of taxpayers. Takes two calls: the first shows the priced document.',
  reads: ['documents.list'],
  may_read: ['counterparties.list', 'counterparties.get', 'contribuyentes.get'],
  acts: ['documents.create'],
  input: {
    empresa: Empresa,
    tipo_dte: Type.Unsafe<number>({
      type: 'integer',
      enum: [...TIPO_NUMBERS],
      description:
        '33 factura, 34 factura exenta, 39 boleta, 41 boleta exenta, 46 factura de compra, 52 guía de despacho, 56 nota de débito, 61 nota de crédito (better: `annul_or_correct`).',
    }),
    items: Lines('Lines of the document.'),
    receptor: optional(
      OneLine(100, { description: 'Client, by RUT or by name in the address book. Not needed in a boleta.' }),
    ),
    receptor_name: optional(LatinLine(CEILINGS.legal_name, { description: 'Razón social, if not known yet.' })),
    receptor_giro: optional(LatinLine(CEILINGS.giro, { description: 'Giro, if not known yet.' })),
    receptor_street: optional(LatinLine(CEILINGS.street, { description: 'Street and number, if not known yet.' })),
    receptor_comuna: optional(LatinLine(CEILINGS.comuna, { description: 'Comuna, if not known yet.' })),
    prices_include_iva: optional(Type.Boolean({ description: '`unit_price` holds the IVA already (precio con IVA).' })),
    issue_date: optional({ ...CivilDate, description: 'Date on it; today if left out.' }),
    due_date: optional({ ...CivilDate, description: 'Sold on credit: day by which it is paid.' }),
    purchase_order: optional(LatinLine(18, { description: "Number of the client's orden de compra." })),
  },
  run: async (ctx, input, acting) => {
    const { empresa, tipo_dte, items, receptor, prices_include_iva, issue_date, due_date, purchase_order } = input
    const { receptor_name: legal_name, receptor_giro: giro, receptor_street: street, receptor_comuna: comuna } = input
    const rut = receptor === undefined ? null : await rutOf(ctx, empresa, receptor, 'receptor')
    const is_boleta = tipo_dte === 39 || tipo_dte === 41
    const named = { ...(rut !== null && { rut }), legal_name, giro }
    const whole = rut === null || is_boleta ? named : await completed(ctx, empresa, { ...named, rut })
    const address = { street, comuna }
    const has_address = street !== undefined || comuna !== undefined
    const given = rut !== null || legal_name !== undefined
    const result = await ctx.act('documents.create', {
      empresa,
      tipo_dte,
      items,
      ...(given && { receptor: { ...whole, ...(has_address && { address }) } }),
      ...(prices_include_iva !== undefined && { gross_prices: prices_include_iva }),
      ...(issue_date !== undefined && { issue_date }),
      ...(due_date !== undefined && { payment: { form: 'credit', due_date } }),
      ...(purchase_order !== undefined && {
        references: [{ document_type: '801', folio: purchase_order, date: issue_date ?? ctx.today }],
      }),
      ...acting,
    })
    return acted(result, tellIssued)
  },
})

const HOW = { annul: 1, text: 2, amounts: 3 } as const

export const annulOrCorrect = defineTool({
  name: 'annul_or_correct',
  title: 'Annul or correct a document',
  description:
    'Issues the nota de crédito that annuls a document (anular), corrects its text, or takes off part of its amount (corregir, devolver, descuento). Takes two calls.',
  reads: ['documents.list', 'documents.get'],
  acts: ['documents.credit_note'],
  input: {
    empresa: Empresa,
    document: IssuedDocument,
    how: OneOf(['annul', 'text', 'amounts'], {
      description: '`annul` all of it, correct its `text`, or take `amounts` off by `items`.',
    }),
    reason: optional(LatinLine(90, { description: 'Printed on the nota. For text: "Donde dice … debe decir …".' })),
    items: optional(Lines('With `amounts`: what is credited.')),
  },
  run: async (ctx, input, acting) => {
    const { empresa, document, how, reason, items } = input
    const { id } = await findIssued(ctx, empresa, document)
    const what = { code: HOW[how], ...(reason !== undefined && { reason }), ...(items && { items }) }
    const result = await ctx.act('documents.credit_note', {
      empresa,
      document_id: id,
      ...what,
      ...acting,
    })
    return acted(result, tellIssued)
  },
})
