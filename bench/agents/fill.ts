import {
  datesIn,
  documentIn,
  emailIn,
  idIn,
  linesIn,
  moneyIn,
  monthIn,
  overlap,
  quotedIn,
  rutIn,
  understood,
} from './language.ts'
import { stems } from './stems.ts'

// Arguments from a sentence, by what the schema says of each and nothing else.

export interface Shape {
  readonly type?: string
  readonly enum?: readonly (string | number)[]
  readonly format?: string
  readonly pattern?: string
  readonly description?: string
  readonly items?: Shape
  readonly anyOf?: readonly Shape[]
  readonly properties?: Readonly<Record<string, Shape>>
  readonly required?: readonly string[]
}

interface Field {
  readonly name: string
  readonly shape: Shape
  readonly text: string
  readonly required: boolean
}

/** The value of an enum whose own words the text speaks; the first of those that fit best. */
function oneOf({ shape, text }: Field): string | number | undefined {
  const said = understood(text)
  const parts = (shape.description ?? '').split(/[,;.:]| or /)
  const scored = (shape.enum ?? []).map((value) => {
    const told = parts.filter((part) => part.replaceAll('`', '').split(/\W+/).includes(String(value)))
    const own = overlap(said, String(value).replaceAll('_', ' '))
    const extra = told.reduce((most, part) => Math.max(most, overlap(said, part)), 0)
    const unsaid = told.reduce((least, part) => Math.min(least, stems(part).length), 99)
    return { value, score: own * 2 + extra - (extra > 0 ? unsaid / 100 : 0) }
  })
  const [best] = scored.filter(({ score }) => score > 0).sort((one, other) => other.score - one.score)
  return best?.value
}

const isDate = ({ format, description = '' }: Shape) =>
  format === 'date' || /\bday\b|20\d\d-\d\d-\d\d/i.test(description)
const isMonth = ({ description = '' }: Shape) => /^Month/.test(description)

function dateOf({ shape, name, text, required }: Field): string | undefined {
  const about = understood(`${name.replaceAll('_', ' ')} ${shape.description}`)
  const fits = datesIn(text).find(({ before }) => [...understood(before)].some((word) => about.has(word)))
  return (fits ?? (required ? datesIn(text)[0] : undefined))?.date
}

/** Text in quotes goes to the field that the word before it names. */
function quoteOf({ shape, name, text, required }: Field): string | undefined {
  const about = understood(`${name.replaceAll('_', ' ')} ${shape.description ?? ''}`)
  const fits = quotedIn(text).find(({ before }) => [...understood(before)].some((word) => about.has(word)))
  return (fits ?? (required ? quotedIn(text)[0] : undefined))?.quoted
}

function textOf(field: Field): string | undefined {
  const { shape, text } = field
  const about = shape.description ?? ''
  if (/in a few words/.test(about)) return text.slice(0, 200)
  if (shape.format === 'email' || /e-mail|Address that/i.test(about)) return emailIn(text) ?? undefined
  if (isMonth(shape)) return monthIn(text) ?? undefined
  if (isDate(shape)) return dateOf(field)
  const [, prefix] = /\((\w{3})_…/.exec(about) ?? []
  if (prefix && !/folio/.test(about) && !/"factura/.test(about)) return idIn(text, prefix) ?? undefined
  if (/folio|"factura/.test(about)) return documentIn(text) ?? undefined
  if (/empresa, by/i.test(about)) return undefined
  if (/by RUT|RUT, or|RUT of/.test(about)) {
    const named = rutIn(text) ?? quoteOf(field) ?? undefined
    // A document of ours names no supplier.
    return /supplier/i.test(about) && !field.required && !understood(text).has('supplier') ? undefined : named
  }
  return quoteOf(field)
}

function numberOf({ shape, text, required }: Field): number | undefined {
  const about = shape.description ?? ''
  if (/pesos|total|amount/i.test(about)) {
    const [amount] = moneyIn(text)
    return linesIn(text).length > 0 && !required ? undefined : amount
  }
  return undefined
}

function truth({ shape, name, text }: Field): true | undefined {
  const said = understood(text)
  return overlap(said, `${name.replaceAll('_', ' ')} ${shape.description ?? ''}`) > 0 ? true : undefined
}

function listOf({ shape, text }: Field): unknown[] | undefined {
  const { items } = shape
  if (items?.enum) {
    const value = oneOf({ name: '', shape: { ...items, description: shape.description ?? '' }, text, required: false })
    return value === undefined ? undefined : [value]
  }
  const lines = linesIn(text)
  if (!items?.properties || lines.length === 0) return undefined
  return lines.map(({ quantity, what, price }) => ({ description: what, quantity, unit_price: price }))
}

/** What an object needs, in the words of whoever it is about; nothing where one of them is not told. */
function objectOf({ name, shape, text }: Field): object | undefined {
  const { properties = {}, required = [], description = '' } = shape
  const given: Record<string, unknown> = {}
  for (const inner of required) {
    const told = { ...properties[inner], description: `${description} ${properties[inner]?.description ?? ''}` }
    const value = argumentOf({ name: `${name}_${inner}`, shape: told, text, required: false })
    if (value !== undefined) given[inner] = value
  }
  return required.length > 0 && required.every((inner) => inner in given) ? given : undefined
}

/** The value of one argument that a sentence gives; undefined where it gives none. */
export function argumentOf(field: Field): unknown {
  const { shape } = field
  if (shape.anyOf)
    return argumentOf({
      ...field,
      shape: { ...shape.anyOf[0], ...(shape.description && { description: shape.description }) },
    })
  if (shape.enum) return oneOf(field)
  if (shape.type === 'array') return listOf(field)
  if (shape.type === 'object' && shape.properties) return objectOf(field)
  if (shape.type === 'boolean') return truth(field)
  if (shape.type === 'integer' || shape.type === 'number') return numberOf(field)
  return shape.type === 'string' ? textOf(field) : undefined
}

/** Every argument that a sentence gives, and the names of those that it should have given. */
export function fill(
  schema: Shape,
  text: string,
): { readonly given: Record<string, unknown>; readonly missing: string[] } {
  const { properties = {}, required = [] } = schema
  const given: Record<string, unknown> = {}
  for (const [name, shape] of Object.entries(properties)) {
    if (['confirmation', 'idempotency_key'].includes(name)) continue
    const value = argumentOf({ name, shape, text, required: required.includes(name) })
    if (value !== undefined) given[name] = value
  }
  return { given, missing: required.filter((name) => !(name in given)) }
}
