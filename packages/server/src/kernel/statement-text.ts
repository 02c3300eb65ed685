import { createHash } from 'node:crypto'
import { SqlFragment } from './fragment.ts'

/** A statement as it is sent: its text with `$1`, `$2`, and the name that connections prepare it under. */
export interface StatementText {
  readonly name: string
  readonly text: string
}

/**
 * Where a statement stands after some of its pieces: what follows a value, and what follows a fragment by the strings of that
 * fragment. The strings of a template are one list for as long as the process lives, so the same pieces in the same order
 * are the same statement, and its text need not be put together, or compared, again. The tree is finite: texts come from source
 * code alone.
 */
class Step {
  value: Step | null = null
  readonly fragments = new Map<readonly string[], Step>()
  statement: StatementText | null = null

  afterFragment(strings: readonly string[]): Step {
    const known = this.fragments.get(strings)
    if (known) return known
    const step = new Step()
    this.fragments.set(strings, step)
    return step
  }
}

const start = new Step()

function walk(from: Step, strings: readonly string[], values: readonly unknown[], gathered: unknown[]): Step {
  let step = from.afterFragment(strings)
  for (let i = 0; i < values.length; i++) {
    const value = values[i]
    if (value instanceof SqlFragment) step = walk(step, value.strings, value.values, gathered)
    else {
      gathered.push(value)
      step.value ??= new Step()
      step = step.value
    }
  }
  return step
}

function splice(strings: readonly string[], values: readonly unknown[], into: { text: string; count: number }): void {
  for (let i = 0; i < strings.length; i++) {
    into.text += strings[i]
    if (i >= values.length) continue
    const value = values[i]
    if (value instanceof SqlFragment) splice(value.strings, value.values, into)
    else into.text += `$${++into.count}`
  }
}

function statementOf(strings: readonly string[], values: readonly unknown[]): StatementText {
  const spliced = { text: '', count: 0 }
  splice(strings, values, spliced)
  return { name: createHash('sha256').update(spliced.text).digest('base64url').slice(0, 24), text: spliced.text }
}

/** The statement that a template and its values make, and the values that travel with it, in order. */
export function compose(
  strings: readonly string[],
  values: readonly unknown[],
): { readonly statement: StatementText; readonly values: readonly unknown[] } {
  const gathered: unknown[] = []
  const end = walk(start, strings, values, gathered)
  end.statement ??= statementOf(strings, values)
  return { statement: end.statement, values: gathered }
}
