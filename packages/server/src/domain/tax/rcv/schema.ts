import { type Static, Type } from 'typebox'
import { CEILINGS } from '../../../catalog/limits.ts'
import { MODE_NAMES } from '../../../catalog/modes.ts'
import {
  ESTADOS_CONTABLES,
  IVA_CODES,
  type IvaCode,
  TIPOS_COMPRA,
  TIPOS_VENTA,
  type TipoCompra,
} from '../../../catalog/rcv.ts'
import { CivilDate, Closed, Id, listOf, listQuery, Named, Nullable, OneOf, Timestamp } from '../../../kernel/schema.ts'
import { Rut } from '../../rut.ts'
import { Period } from './period.ts'

const optional = Type.Optional

/** One of a few numbers. */
function NumberOf<T extends number>(values: readonly T[], options: object = {}) {
  return Type.Unsafe<T>({ type: 'integer', enum: [...values], ...options })
}

const Pesos = (description?: string) => Type.Integer(description === undefined ? {} : { description })
export const TipoDoc = Type.Integer({ minimum: 1, maximum: 999, description: 'The number the SII gives the tipo.' })
export const TipoCompraNumber = NumberOf<TipoCompra>(TIPOS_COMPRA, {
  description:
    '1 del giro, 2 supermercados, 3 bienes raíces, 4 activo fijo, 5 IVA uso común, 6 IVA no recuperable, 7 no corresponde incluir.',
})
const IVA_REASONS =
  'Why the IVA gives no credit: 1 exempt use, 2 out of term, 3 refused expense, 4 free delivery, 9 other.'
export const IvaCodeNumber = NumberOf<IvaCode>(IVA_CODES, { description: IVA_REASONS })

export const OtherTax = Closed({
  code: Type.Integer({ description: 'The code of the SII.' }),
  rate: Nullable(Type.Number({ description: 'Percentage.' })),
  amount: Pesos(),
})

const Suggestion = Type.Unsafe<{
  tipo_compra: TipoCompra
  reason: string
  agreeing: number
  of: number
} | null>({
  anyOf: [
    Closed({
      tipo_compra: TipoCompraNumber,
      reason: Type.String(),
      agreeing: Type.Integer({ description: 'How many earlier entries of this supplier were characterized so.' }),
      of: Type.Integer({ description: 'Of how many that were looked at.' }),
    }),
    { type: 'null' },
  ],
  description:
    'What the history of the supplier suggests. Never applied unasked, unless the automation settings say so.',
})

const common = {
  object: Type.Literal('rcv_entry'),
  id: Type.String(),
  mode: OneOf(MODE_NAMES),
  period: Period,
  side: OneOf(['purchase', 'sale']),
  tipo_doc: TipoDoc,
  folio: Nullable(Type.Integer(), { description: 'Null on a monthly summary of boletas or vouchers.' }),
  counterparty_rut: Nullable(Rut),
  counterparty_name: Nullable(Type.String()),
  issue_date: Nullable(CivilDate),
  received_at: Nullable(Timestamp, { description: 'When the SII received it.' }),
  acknowledged_at: Nullable(Timestamp),
  claimed_at: Nullable(Timestamp),
  net: Pesos('As the SII writes it: positive on notas de crédito too. `sign` tells whether it adds.'),
  exempt: Pesos(),
  iva: Pesos('IVA of a sale; of a purchase, the part that gives credit.'),
  iva_not_recoverable: Pesos(),
  iva_not_recoverable_code: Nullable(IvaCodeNumber),
  iva_common_use: Pesos(),
  iva_fixed_assets: Pesos('Within `iva`.'),
  net_fixed_assets: Pesos('Within `net`.'),
  iva_late: Pesos('Of a nota de crédito issued: IVA that comes too late to lower the debit (D.L. 825, art. 70).'),
  other_taxes: Type.Array(OtherTax, { description: 'Taxes beside IVA, by their code in a DTE.' }),
  total: Pesos(),
  sign: NumberOf([1, -1], { description: '-1 on notas de crédito: their amounts take away.' }),
  documents: Type.Integer({ description: 'How many documents it stands for: more than one on a monthly summary.' }),
  estado_contable: Nullable(OneOf(ESTADOS_CONTABLES), { description: 'Null on sales.' }),
  tipo_compra: Nullable(TipoCompraNumber, { description: 'Null on sales.' }),
  tipo_venta: Nullable(NumberOf(TIPOS_VENTA), { description: '1 del giro, 2 activo fijo, 3 bienes raíces.' }),
  characterized_by: OneOf(['sii', 'caller', 'suggestion'], { description: 'Who decided the tipo that counts.' }),
  pending_at_sii: Type.Boolean({ description: 'Decided here, and the SII was not told yet.' }),
  sii_refusal: Type.Unsafe<{ sentence: string; refused_at: string } | null>({
    anyOf: [Closed({ sentence: Type.String(), refused_at: Timestamp }), { type: 'null' }],
    description:
      'Why the SII did not take the decision that is pending there, the last time it was told. It is told again ever less ' +
      'often; deciding anew tells it at once.',
  }),
  suggested_tipo_compra: Suggestion,
  reference: Type.Unsafe<{ tipo_doc: number | null; folios: string[] } | null>({
    anyOf: [Closed({ tipo_doc: Nullable(Type.Integer()), folios: Type.Array(Type.String()) }), { type: 'null' }],
  }),
  other_columns: Type.Unsafe<Record<string, string>>({
    type: 'object',
    additionalProperties: { type: 'string' },
    description: 'Whatever else the export of the SII held, by the name of its column.',
  }),
  document_id: Nullable(Type.String({ description: 'Our own document.' })),
  received_document_id: Nullable(Type.String()),
  first_seen_at: Timestamp,
  changed_at: Timestamp,
  withdrawn_at_sii: Nullable(Timestamp, { description: 'When a reading no longer found it. Null: it is there.' }),
}

export const RcvEntry = Named('RcvEntry', Closed(common))
export type RcvEntry = Static<typeof RcvEntry>

const SYNC_STATUSES = ['never_read', 'syncing', 'synced', 'failed'] as const

export const PartialError = Closed({
  side: OneOf(['purchase', 'sale']),
  estado_contable: Nullable(OneOf(['REGISTRO', 'PENDIENTE', 'NO_INCLUIR', 'RECLAMADO'])),
  line: Nullable(Type.Integer({ description: 'The line of the export of the SII; its header is line 1.' })),
  column: Nullable(Type.String({ description: 'The column, as the export names it.' })),
  message: Type.String(),
  text: Nullable(Type.String({ description: 'The line as the SII wrote it, its first 500 characters.' })),
  blocks_filing: Type.Boolean({
    description:
      'It may belong in the declaration and is not in the mirror: the F29 of the period is not filed meanwhile.',
  }),
})
export type PartialError = Static<typeof PartialError>

export const RcvSync = Named(
  'RcvSync',
  Closed({
    object: Type.Literal('rcv_sync'),
    mode: OneOf(MODE_NAMES),
    period: Period,
    status: OneOf(SYNC_STATUSES, {
      description:
        '`syncing`: a reading is queued or runs. `failed`: the last one was given up; what is shown is the last good one.',
    }),
    last_synced_at: Nullable(Timestamp, { description: 'Null: never read, which is not the same as empty.' }),
    purchases: Type.Integer({ description: 'Entries the last reading found.' }),
    sales: Type.Integer(),
    partial_errors: Type.Array(PartialError, {
      description: 'Lines of the export that could not be read, the first 100. What they stand for is left as it was.',
    }),
  }),
)
export type RcvSync = Static<typeof RcvSync>

/** The list envelope with the block that says how far the period was read. */
export const RcvList = Named('RcvList', Closed({ ...listOf(RcvEntry).properties, sync: RcvSync }))
export type RcvList = Static<typeof RcvList>

const filters = {
  period: Period,
  tipo_doc: optional(TipoDoc),
  counterparty_rut: optional(Rut),
  withdrawn: optional(
    OneOf(['hidden', 'included', 'only'], {
      default: 'hidden',
      description: 'Entries that the SII no longer shows.',
    }),
  ),
}

export const SaleQuery = listQuery(filters)
export type SaleQuery = Static<typeof SaleQuery>
export const PurchaseQuery = listQuery({
  ...filters,
  estado_contable: optional(OneOf(ESTADOS_CONTABLES)),
  tipo_compra: optional(TipoCompraNumber),
})
export type PurchaseQuery = Static<typeof PurchaseQuery>

export const EntryPath = Closed({ entry_id: Id })
export type EntryPath = Static<typeof EntryPath>

export const SyncRequest = Closed({
  period: optional({ ...Period, description: 'Default: the previous month in Santiago.' }),
})
export type SyncRequest = Static<typeof SyncRequest>

const decision = {
  tipo_compra: TipoCompraNumber,
  iva_not_recoverable_code: optional({
    ...IvaCodeNumber,
    description: `${IVA_REASONS} With tipo_compra 6 alone; default: 9.`,
  }),
}
export const Characterize = Closed(decision)
export type Characterize = Static<typeof Characterize>

export const CharacterizeMany = Closed({
  entries: Type.Array(Closed({ entry_id: Id, ...decision }), {
    minItems: 1,
    maxItems: CEILINGS.characterize_entries,
  }),
})
export type CharacterizeMany = Static<typeof CharacterizeMany>

const Refusal = Closed({ code: Type.String(), message: Type.String(), param: Nullable(Type.String()) })
export const Characterized = Named(
  'RcvCharacterization',
  Closed({
    object: Type.Literal('rcv_characterization'),
    characterized: Type.Integer(),
    refused: Type.Integer(),
    results: Type.Array(
      Closed({
        entry_id: Type.String(),
        status: OneOf(['characterized', 'refused']),
        entry: Type.Unsafe<RcvEntry | null>({ anyOf: [RcvEntry, { type: 'null' }] }),
        error: Type.Unsafe<Static<typeof Refusal> | null>({ anyOf: [Refusal, { type: 'null' }] }),
      }),
      { description: 'One for each entry of the request, in its order.' },
    ),
  }),
)
export type Characterized = Static<typeof Characterized>

export const MoveEstado = Closed({ estado_contable: OneOf(['REGISTRO', 'PENDIENTE', 'NO_INCLUIR']) })
export type MoveEstado = Static<typeof MoveEstado>
