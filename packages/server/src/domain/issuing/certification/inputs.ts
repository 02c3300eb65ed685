import type { MissingInput, PlanInputs } from '@timbre/certification'
import { emisorOf } from '../document/emisor.ts'
import type { StageContext } from './stage.ts'

/** What only the taxpayer knows, and may be asked. */
export const INPUT_KEYS = ['common_use_factor', 'invoiced_guia', 'products'] as const
export type InputKey = (typeof INPUT_KEYS)[number]

interface AskedInput {
  /** In Spanish, for whoever answers. */
  readonly label: string
  /** How a value is written, in English, for programs. */
  readonly format: string
  readonly pattern: RegExp
}

const PRODUCTS = 20

export const INPUTS: Readonly<Record<InputKey, AskedInput>> = {
  common_use_factor: {
    label: 'Factor de proporcionalidad del IVA de uso común (por ejemplo, 0.6)',
    format: 'A share between 0 and 1, such as 0.6.',
    pattern: /^(?:0(?:\.[0-9]{1,4})?|1(?:\.0{1,4})?)$/,
  },
  invoiced_guia: {
    label: 'Folio y fecha de la factura que se emitió por la guía (por ejemplo, 33 120 2026-10-05)',
    format: 'Tipo, folio and date of the factura, apart by spaces: 33 120 2026-10-05.',
    pattern: /^[0-9]{2,3} [0-9]{1,10} [0-9]{4}-[0-9]{2}-[0-9]{2}$/,
  },
  products: {
    label:
      'Lo que vende la empresa, con su precio neto si quiere, separado por punto y coma (por ejemplo, Vino tinto = 4990; ' +
      'Clase de cata = 15000 exento)',
    format: `Up to ${PRODUCTS} things that the empresa sells, apart by semicolons: a name, then "= price" and "exento" where told.`,
    pattern: /^[^;=]{2,80}(?:=[ 0-9]{1,12}(?:exento *)?)?(?:;[^;=]{2,80}(?:=[ 0-9]{1,12}(?:exento *)?)?){0,19}$/,
  },
}

export function isInputKey(key: string): key is InputKey {
  return Object.hasOwn(INPUTS, key)
}

/** Products as they were told, one by one; without a price where none was told. */
export function productsIn(
  given: Readonly<Record<string, string>>,
): { readonly description: string; readonly unit_price?: number; readonly exempt?: true }[] {
  return (given.products ?? '').split(';').flatMap((told) => {
    const [name = '', price = ''] = told.split('=')
    const description = name.trim()
    const unit_price = Number.parseInt(price, 10)
    if (description === '') return []
    return [
      {
        description,
        ...(unit_price > 0 && { unit_price }),
        ...(price.includes('exento') && { exempt: true as const }),
      },
    ]
  })
}

/** Of what a plan misses, what the taxpayer is asked: the rest is ours to bring. */
export function askedOf(missing: readonly MissingInput[]): InputKey[] {
  return missing.map(({ name }) => name).filter(isInputKey)
}

/** The inputs of a plan that stand without folios. */
export function planInputs(
  { row }: Pick<StageContext, 'row'>,
  given: Readonly<Record<string, string>>,
  { resolucion_date, issue_date }: { readonly resolucion_date: string; readonly issue_date: string },
): PlanInputs {
  const [tipo_doc, folio, date] = (given.invoiced_guia ?? '').split(' ')
  return {
    emisor: emisorOf(row, 33) as NonNullable<PlanInputs['emisor']>,
    issue_date,
    resolucion_date,
    ...(given.common_use_factor !== undefined && { common_use_factor: Number(given.common_use_factor) }),
    ...(date !== undefined && { invoiced_guia: { tipo_doc: Number(tipo_doc), folio: Number(folio), date } }),
  }
}
