import { isCivilDate } from '../dates.ts'
import { accept, type Outcome, type Refusal } from '../refusal.ts'
import { isRut } from '../rut.ts'
import { checkText } from '../text.ts'
import { textElement } from './write.ts'

export type FormRule =
  | 'missing'
  | 'not_a_rut'
  | 'not_a_date'
  | 'not_a_timestamp'
  | 'not_a_number'
  | 'too_many'
  | 'too_few'
  | 'empty'
  | 'too_long'
  | 'not_latin1'
  | 'control_character'

const TIMESTAMP = /^(\d{4}-\d{2}-\d{2})T([01]\d|2[0-3]):[0-5]\d:[0-5]\d$/

/** Writes elements in the order they are asked for, and remembers the values that the schema would not take. */
export class Form<Rule extends string = never> {
  private readonly refusals: Refusal<FormRule | Rule>[] = []

  refuse(path: string, rule: FormRule | Rule, message: string): '' {
    this.refusals.push({ path, rule, message })
    return ''
  }

  /** Text of 1 to `max` characters; nothing is written for an absent one. */
  text(name: string, value: string | undefined, max: number, path: string, min = 1): string {
    if (value === undefined) return ''
    const fault = checkText(value, max)
    if (fault !== null) return this.refuse(path, fault.rule, `${path} ${fault.message}.`)
    if (value.length < min) return this.refuse(path, 'empty', `${path} has fewer than ${min} characters.`)
    return textElement(name, value)
  }

  rut(name: string, value: string | undefined, path: string): string {
    if (value === undefined) return ''
    return isRut(value) ? textElement(name, value) : this.refuse(path, 'not_a_rut', `${path} is not a RUT.`)
  }

  date(name: string, value: string | undefined, path: string): string {
    if (value === undefined) return ''
    return isCivilDate(value) ? textElement(name, value) : this.refuse(path, 'not_a_date', `${path} is not a date.`)
  }

  /** Local time of Santiago without a zone, as the SII writes every instant. */
  timestamp(name: string, value: string, path: string): string {
    const day = TIMESTAMP.exec(value)?.[1]
    if (day !== undefined && isCivilDate(day)) return textElement(name, value)
    return this.refuse(path, 'not_a_timestamp', `${path} is not a time such as 2026-10-05T12:00:00.`)
  }

  integer(name: string, value: number | undefined, path: string, min = 0, max = Number.MAX_SAFE_INTEGER): string {
    if (value === undefined) return ''
    if (Number.isInteger(value) && value >= min && value <= max) return textElement(name, value)
    return this.refuse(path, 'not_a_number', `${path} is not a whole number from ${min} to ${max}.`)
  }

  count(path: string, count: number, min: number, max: number): void {
    if (count < min) this.refuse(path, 'too_few', `${path} needs at least ${min}.`)
    if (count > max) this.refuse(path, 'too_many', `${path} takes at most ${max}.`)
  }

  /** The value if nothing was refused, or the first refusal. */
  outcome<T>(value: T): Outcome<T, FormRule | Rule> {
    const [refusal] = this.refusals
    return refusal === undefined ? accept(value) : { ok: false, refusal }
  }
}
