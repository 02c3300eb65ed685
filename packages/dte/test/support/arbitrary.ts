import fc from 'fast-check'
import type { DteDraft, GlobalAdjustment, Item, LineAdjustment } from '../../src/document/document.ts'
import { TIPO_NUMBERS, type TipoDte, tipo } from '../../src/document/tipos.ts'
import { ADDITIONAL_TAXES } from '../../src/tables/additional-taxes.ts'
import { draft } from './samples.ts'

const LATIN1 = Array.from({ length: 256 }, (_, code) => String.fromCharCode(code)).filter((character) => {
  const code = character.charCodeAt(0)
  return code >= 0x21 && code !== 0x7f && !(code >= 0x80 && code <= 0xa0)
})

/** The repertoire in every company it keeps: steps of seven sizes, with spaces and the characters XML escapes. */
const TAPE = [1, 3, 5, 7, 11, 13, 17]
  .flatMap((step) => LATIN1.map((_, index) => LATIN1[(index * step) % LATIN1.length] ?? 'x'))
  .map((character, index) => (index % 9 === 0 ? ' ' : index % 31 === 0 ? '&<>'.charAt(index % 3) : character))
  .join('')

/** A piece of the tape: as telling as random characters and far cheaper. Reading trims, so no spaces at the ends. */
const text = (max: number) =>
  fc
    .tuple(fc.nat(TAPE.length - max), fc.integer({ min: 1, max }))
    .map(([start, length]) => TAPE.slice(start, start + length).trim() || 'x')

const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined, freq: 2 })
const hundredths = (max: number) => fc.integer({ min: 1, max: max * 100 }).map((value) => value / 100)
const date = fc.constantFrom('2026-10-05', '2026-09-30', '2024-02-29')

const lineAdjustment: fc.Arbitrary<LineAdjustment> = fc.oneof(
  fc.record({ percent: hundredths(100) }),
  fc.record({ amount: fc.integer({ min: 1, max: 500 }) }),
)

function anyItem(tipo_dte: TipoDte): fc.Arbitrary<Item> {
  const { taxed, envelope } = tipo(tipo_dte)
  const withheld = Object.keys(ADDITIONAL_TAXES).map(Number)
  const taxes = tipo_dte === 46 ? [15, 15, 34, 49, 31, 301] : [24, 25, 27, 271, 18, ...withheld]
  return (
    fc
      .record({
        description: text(80),
        detail: maybe(text(120)),
        quantity: fc.oneof(
          fc.integer({ min: 1, max: 2000 }),
          fc.integer({ min: 1, max: 10 ** 9 }).map((value) => value / 1e6),
        ),
        unit: maybe(text(4)),
        unit_price: fc.oneof(
          fc.integer({ min: 0, max: 10 ** 7 }),
          fc.integer({ min: 0, max: 10 ** 9 }).map((value) => value / 1e4),
        ),
        exempt: taxed ? fc.option(fc.constant(true), { nil: undefined, freq: 4 }) : fc.constant(undefined),
        billing: fc.option(fc.constantFrom('non_billable' as const, 'non_billable_negative' as const), {
          nil: undefined,
          freq: 9,
        }),
        discount: maybe(lineAdjustment),
        surcharge: maybe(lineAdjustment),
        code: maybe(fc.record({ type: text(10), value: text(35) })),
        additional_tax:
          envelope === 'EnvioBOLETA' || !taxed
            ? fc.constant(undefined)
            : fc.option(fc.constantFrom(...taxes), { nil: undefined, freq: tipo_dte === 46 ? 100 : 2 }),
      })
      // Contradictions are refused by rules that have tests of their own; here they would only waste cases.
      .map((item) => (item.exempt === true ? { ...item, billing: undefined, additional_tax: undefined } : item))
      .map((item) => (item.billing === undefined ? item : { ...item, additional_tax: undefined }))
  )
}

const adjustment: fc.Arbitrary<GlobalAdjustment> = fc.record({
  percent: hundredths(100),
  reason: maybe(text(45)),
  applies_to: maybe(fc.constantFrom('exempt' as const, 'non_billable' as const)),
})

export function anyDraftOf(tipo_dte: TipoDte): fc.Arbitrary<DteDraft> {
  const base = draft(tipo_dte)
  const globals = tipo_dte === 52 ? fc.constant(undefined) : maybe(fc.array(adjustment, { maxLength: 3 }))
  return fc
    .record({
      items: fc.array(anyItem(tipo_dte), { minLength: 1, maxLength: 6 }),
      discounts: globals,
      surcharges: globals,
      issue_date: date,
      gross_prices: fc.option(fc.boolean(), { nil: undefined, freq: 4 }),
      previous_balance: maybe(fc.integer({ min: -5000, max: 5000 })),
      payment: maybe(
        fc.record({
          method: fc.constantFrom('cash' as const, 'card' as const, 'transfer' as const, 'other' as const),
          due_date: date,
        }),
      ),
      legal_name: text(100),
      street: text(70),
    })
    .map(({ legal_name, street, ...rest }) => ({
      ...base,
      ...rest,
      references: base.references?.map((reference) => ({ ...reference, date: '2024-01-01' })),
      receptor: { ...base.receptor, legal_name, address: { ...base.receptor.address, street } },
    }))
}

/** Drafts of every tipo, most of them right. */
export const anyDraft: fc.Arbitrary<DteDraft> = fc.constantFrom(...TIPO_NUMBERS).chain(anyDraftOf)

const NAMES = [
  ...['tipo_dte', 'issue_date', 'emisor', 'receptor', 'items', 'discounts', 'surcharges', 'references', 'dispatch'],
  ...['payment', 'period', 'stated_taxes', 'rut', 'address', 'street', 'quantity', 'unit_price', 'discount', 'percent'],
  ...['amount', 'code', 'additional_tax', 'folio', 'acteco', '__proto__', 'constructor'],
]

const junk = fc.letrec((tie) => ({
  leaf: fc.oneof(
    fc.string(),
    fc.double(),
    fc.integer(),
    fc.boolean(),
    fc.constant(null),
    fc.constant(undefined),
    fc.constantFrom('76543210-3', '2026-10-05', 33, 1),
  ),
  node: fc.oneof(
    { maxDepth: 4, depthSize: 'small' },
    tie('leaf'),
    fc.dictionary(fc.constantFrom(...NAMES), tie('node'), { maxKeys: 6 }),
    fc.array(tie('node'), { maxLength: 4 }),
  ),
})).node

/** Values of any shape, and right drafts with one of their parts replaced by such a value. */
export const anyJunk: fc.Arbitrary<unknown> = fc.oneof(
  junk,
  fc
    .tuple(fc.constantFrom(...TIPO_NUMBERS), fc.dictionary(fc.constantFrom(...NAMES), junk, { minKeys: 1, maxKeys: 3 }))
    .map(([tipo_dte, changes]) => ({ ...draft(tipo_dte), ...changes, tipo_dte })),
  fc
    .tuple(fc.constantFrom(...TIPO_NUMBERS), fc.dictionary(fc.constantFrom(...NAMES), junk, { minKeys: 1, maxKeys: 3 }))
    .map(([tipo_dte, changes]) => ({ ...draft(tipo_dte), items: [{ description: 'x', ...changes }] })),
)
