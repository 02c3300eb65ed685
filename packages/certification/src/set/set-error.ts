export type SetErrorRule = 'empty' | 'too_large' | 'not_text' | 'too_many_lines'

/** The file cannot be a set at all. What is merely not understood inside one is kept in its section instead. */
export class SetError extends Error {
  readonly rule: SetErrorRule

  constructor(rule: SetErrorRule, message: string) {
    super(message)
    this.name = 'SetError'
    this.rule = rule
  }
}
