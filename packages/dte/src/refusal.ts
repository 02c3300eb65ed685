/** Why an input was not taken: where it is wrong, which rule it breaks, and a sentence for a person. */
export interface Refusal<Rule extends string = string> {
  /** Place in the input: an XML path, a field, or empty for the input as a whole. */
  readonly path: string
  readonly rule: Rule
  readonly message: string
}

/** Bad input is an expected outcome, so it is a value; only a mistake of the caller's code throws. */
export type Outcome<T, Rule extends string = string> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly refusal: Refusal<Rule> }

export function accept<T>(value: T): { readonly ok: true; readonly value: T } {
  return { ok: true, value }
}

export function refuse<Rule extends string>(
  rule: Rule,
  message: string,
  path = '',
): { readonly ok: false; readonly refusal: Refusal<Rule> } {
  return { ok: false, refusal: { path, rule, message } }
}
