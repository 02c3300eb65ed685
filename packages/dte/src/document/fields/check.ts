import type { Refusal } from '../../refusal.ts'
import type { TipoDte } from '../tipos.ts'
import { checkedRowsFor } from './elements.ts'
import { type Field, type Group, isGroup, membersOf, ownValue, type Row, valueAt } from './shape.ts'
import { DOCUMENTO } from './table.ts'

/** More than this and the rest is noise; it also bounds the work that a hostile draft can cause. */
const MAX_REFUSALS = 100

/** What no caller can send. */
const REFUSED = Symbol('refused')

type Path = readonly (string | number)[]

/** `items[0].unit_price`. */
export function pathText(path: Path): string {
  return path.reduce<string>(
    (text, step) => (typeof step === 'number' ? `${text}[${step}]` : text === '' ? step : `${text}.${step}`),
    '',
  )
}

export function refusal(path: Path, rule: string, message: string): Refusal {
  const at = pathText(path)
  return { path: at, rule, message: at === '' ? message : `${at} ${message}` }
}

/** Every value of a draft against its row of the table: presence, type, length, range. */
export function checkFields(draft: unknown, tipo_dte: TipoDte): readonly Refusal[] {
  const walk = new FieldWalk(tipo_dte)
  walk.rows(DOCUMENTO.rows, draft, [])
  return walk.found
}

class FieldWalk {
  readonly found: Refusal[] = []
  readonly tipo_dte: TipoDte

  constructor(tipo_dte: TipoDte) {
    this.tipo_dte = tipo_dte
  }

  rows(rows: readonly Row[], value: unknown, path: Path): void {
    for (const row of checkedRowsFor(rows, this.tipo_dte)) {
      if (this.found.length >= MAX_REFUSALS) return
      if (!row.tipos.includes(this.tipo_dte)) this.#foreign(row, value, path)
      else if (isGroup(row)) this.#group(row, value, path)
      else this.#field(row, value, path)
    }
  }

  #refuse(path: Path, rule: string, message: string): void {
    const made = refusal(path, rule, message)
    if (!this.found.some((other) => other.path === made.path && other.rule === rule)) this.found.push(made)
  }

  #foreign(row: Row, value: unknown, path: Path): void {
    if (valueAt(value, row.at) !== undefined) {
      this.#refuse([...path, ...row.at], 'not_for_tipo', `is not part of a tipo ${this.tipo_dte}`)
    }
  }

  #group(row: Group, value: unknown, path: Path): void {
    if (row.max > 0) {
      this.#members(row, value, path)
      return
    }
    const inside = this.#reach(value, row.at, path)
    if (inside === REFUSED || (inside === undefined && !row.required)) return
    const at = row.at.length === 0 ? path : [...path, ...row.at]
    if (inside !== undefined && !isObject(inside)) this.#refuse(at, 'type', 'must be an object')
    else this.rows(row.rows, inside ?? {}, at)
  }

  #members(row: Group, value: unknown, path: Path): void {
    for (const at of row.view === undefined ? [row.at] : row.view.lists.map((name) => [name])) {
      const list = this.#reach(value, at, path)
      if (list !== undefined && !Array.isArray(list)) this.#refuse([...path, ...at], 'type', 'must be a list')
    }
    const max = row.maxFor?.(this.tipo_dte) ?? row.max
    const members = membersOf(value, row, max + 1)
    for (const [index, member] of members.entries()) {
      const at = [...path, ...member.path]
      if (index === max) this.#refuse(at, 'too_many', `is one more than the ${max} a document may have`)
      else if (!isObject(member.value)) this.#refuse(at, 'type', 'must be an object')
      else this.rows(row.rows, member.value, at)
    }
    if (members.length < row.min) this.#refuse([...path, ...row.at], 'required', 'needs at least one line')
  }

  #field(row: Field, value: unknown, path: Path): void {
    const given = this.#reach(value, row.at, path)
    if (given === REFUSED) return
    if (given === undefined) {
      if (!row.required.includes(this.tipo_dte)) return
      this.#refuse([...path, ...row.at], 'required', `is needed in a tipo ${this.tipo_dte}`)
    } else if (row.max > 1) this.#repeated(row, given, [...path, ...row.at])
    else {
      const fault = row.kind.check(given)
      if (fault !== null) this.#refuse([...path, ...row.at], fault.rule, fault.message)
    }
  }

  #repeated(row: Field, given: unknown, at: Path): void {
    if (!Array.isArray(given)) {
      this.#refuse(at, 'type', 'must be a list')
      return
    }
    if (given.length === 0 && row.required.includes(this.tipo_dte)) this.#refuse(at, 'required', 'needs at least one')
    if (given.length > row.max) this.#refuse([...at, row.max], 'too_many', `is one more than the ${row.max} allowed`)
    for (const [index, one] of given.slice(0, row.max).entries()) {
      const fault = row.kind.check(one)
      if (fault !== null) this.#refuse([...at, index], fault.rule, fault.message)
    }
  }

  /** The value at a path as `valueAt` gives it, or REFUSED where a step of the path is there but is not an object. */
  #reach(value: unknown, at: readonly string[], path: Path): unknown {
    let found = value
    for (let index = 0; index < at.length; index++) {
      if (index > 0 && found !== undefined && !isObject(found)) {
        this.#refuse([...path, ...at.slice(0, index)], 'type', 'must be an object')
        return REFUSED
      }
      found = ownValue(found, at[index] as string)
    }
    return found
  }
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
