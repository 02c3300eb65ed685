import { createHash } from 'node:crypto'
import { ListedColumn, SqlFragment } from './fragment.ts'

/** A statement as it is sent: its text with `$1`, `$2`, and the name that connections prepare it under. */
export interface StatementText {
  readonly name: string
  readonly text: string
  /** Which of its values are lists of texts, in the order of the values: whoever binds them need not write them as one text. */
  readonly text_lists: readonly boolean[]
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

/** `alone`: every list has one value. A list that has another number of them ends the walk: null. */
function walk(from: Step, { strings, values }: SqlFragment, gathered: unknown[], alone: boolean): Step | null {
  let step = from.afterFragment(strings)
  for (let i = 0; i < values.length; i++) {
    const value = values[i]
    if (value instanceof SqlFragment) {
      const piece = pieceOf(value, alone)
      const next = piece && walk(step, piece, gathered, alone)
      if (!next) return null
      step = next
    } else {
      gathered.push(value)
      step.value ??= new Step()
      step = step.value
    }
  }
  return step
}

function pieceOf(fragment: SqlFragment, alone: boolean): SqlFragment | null {
  return alone && fragment instanceof ListedColumn ? fragment.alone : fragment
}

interface Spliced {
  text: string
  readonly text_lists: boolean[]
}

const TEXT_LIST = '::text[]'

function splice({ strings, values }: SqlFragment, alone: boolean, into: Spliced): void {
  for (let i = 0; i < strings.length; i++) {
    into.text += strings[i]
    if (i >= values.length) continue
    const value = values[i]
    if (value instanceof SqlFragment) splice(pieceOf(value, alone) ?? value, alone, into)
    else into.text += `$${into.text_lists.push(strings[i + 1]?.startsWith(TEXT_LIST) === true)}`
  }
}

function statementOf(whole: SqlFragment, alone: boolean): StatementText {
  const spliced: Spliced = { text: '', text_lists: [] }
  splice(whole, alone, spliced)
  const { text, text_lists } = spliced
  return { name: createHash('sha256').update(text).digest('base64url').slice(0, 24), text, text_lists }
}

/**
 * The statement that a template and its values make, and the values that travel with it, in order. One whose lists all have one value
 * is another statement than the same with more: two for each, not one for each list that may be either, for a connection plans them all.
 */
export function compose(
  strings: readonly string[],
  values: readonly unknown[],
): { readonly statement: StatementText; readonly values: readonly unknown[] } {
  const whole = new SqlFragment(strings, values)
  return composed(whole, true) ?? (composed(whole, false) as Composed)
}

interface Composed {
  readonly statement: StatementText
  readonly values: readonly unknown[]
}

function composed(whole: SqlFragment, alone: boolean): Composed | null {
  const gathered: unknown[] = []
  const end = walk(start, whole, gathered, alone)
  if (!end) return null
  end.statement ??= statementOf(whole, alone)
  return { statement: end.statement, values: gathered }
}
