import { type Static, Type } from 'typebox'
import { CEILINGS } from '../../catalog/limits.ts'
import { ESTADOS_CONTABLES, type TipoVenta } from '../../catalog/rcv.ts'
import { LatinLine } from '../../domain/latin-text.ts'
import { Rut } from '../../domain/rut.ts'
import { Period } from '../../domain/tax/rcv/period.ts'
import { IvaCodeNumber, TipoCompraNumber, TipoDoc } from '../../domain/tax/rcv/schema.ts'
import { CivilDate, Closed, Named, Nullable, OneOf, Timestamp } from '../../kernel/schema.ts'

const optional = Type.Optional
const Pesos = Type.Integer({ minimum: -999_999_999_999, maximum: 999_999_999_999 })
const Folio = Type.Integer({ minimum: 1, maximum: 999_999_999_999 })
const SEED_MOST = 10_000
/** As many as that many entries of a side have, each with all of its fields. */
export const SEED_VALUES = 40 * SEED_MOST
export const SEED_BYTES = 4 * CEILINGS.document_body_bytes
// As far as the export of the SII has room for it: what it could not show would only be told after the next reading.
const OtherTax = Closed({
  code: Type.Integer({ minimum: 1, maximum: 9_999, description: 'The code of the SII.' }),
  rate: Nullable(Type.Number({ minimum: 0, maximum: 999, description: 'Percentage.' })),
  amount: Pesos,
})

const common = {
  tipo_doc: TipoDoc,
  folio: optional({ ...Folio, description: 'Needed, but for monthly summaries: tipos 39, 41 and 48.' }),
  counterparty_rut: optional({ ...Rut, description: 'Needed, but for monthly summaries.' }),
  counterparty_name: optional(LatinLine(100)),
  issue_date: optional({ ...CivilDate, description: 'Default: the first day of the period.' }),
  received_at: optional({ ...Timestamp, description: 'Default: noon of the day it was issued.' }),
  acknowledged_at: optional(Timestamp),
  claimed_at: optional(Timestamp),
  net: optional({ ...Pesos, description: 'Default: 0.' }),
  exempt: optional(Pesos),
  iva: optional(Pesos),
  total: optional({ ...Pesos, description: 'Default: the sum of the other amounts.' }),
  other_taxes: optional(Type.Array(OtherTax, { maxItems: 20 })),
  documents: optional(Type.Integer({ minimum: 1, maximum: 100_000_000, description: 'On a monthly summary.' })),
  reference_tipo_doc: optional(TipoDoc),
  reference_folios: optional(
    Type.Array(Type.String({ pattern: '^[0-9A-Za-z]{1,18}$', maxLength: 18 }), { maxItems: 40 }),
  ),
}

const SeedPurchase = Closed({
  ...common,
  estado_contable: optional(OneOf(ESTADOS_CONTABLES, { default: 'REGISTRO' })),
  tipo_compra: optional({ ...TipoCompraNumber, default: 1 }),
  iva_not_recoverable: optional(Pesos),
  iva_not_recoverable_code: optional(IvaCodeNumber),
  iva_common_use: optional(Pesos),
  iva_fixed_assets: optional(Pesos),
  net_fixed_assets: optional(Pesos),
})
const SeedSale = Closed({
  ...common,
  iva_late: optional({
    ...Pesos,
    minimum: 0,
    description: 'IVA of a nota de crédito that lowers no debit. Default: 0.',
  }),
  tipo_venta: optional(Type.Unsafe<TipoVenta>({ type: 'integer', enum: [1, 2, 3], default: 1 })),
})
export type SeedEntry = Static<typeof SeedPurchase> & Static<typeof SeedSale>

export const SeedRcv = Closed({
  period: optional({ ...Period, description: 'Default: the previous month in Santiago, as that of POST /tax/sync.' }),
  purchases: optional(Type.Array(SeedPurchase, { maxItems: SEED_MOST })),
  sales: optional(Type.Array(SeedSale, { maxItems: SEED_MOST })),
  remove: optional(
    Type.Array(
      Closed({
        side: OneOf(['purchase', 'sale']),
        tipo_doc: TipoDoc,
        folio: optional(Folio),
        counterparty_rut: optional(Rut),
      }),
      { maxItems: SEED_MOST, description: 'Entries the register stops showing, also those of documents of test mode.' },
    ),
  ),
})
export type SeedRcv = Static<typeof SeedRcv>

export const RcvSeed = Named(
  'RcvSeed',
  Closed({
    object: Type.Literal('rcv_seed'),
    period: Period,
    purchases: Type.Integer({ description: 'Entries that were put there or replaced.' }),
    sales: Type.Integer(),
    removed: Type.Integer(),
  }),
)
export type RcvSeed = Static<typeof RcvSeed>
