import type { Case, GuiaMark, NotUnderstood, PurchaseRow, Section, SectionKind } from './set.ts'
import type { Line } from './text.ts'

/** Enough to show a person what is wrong; more of it says nothing new. */
const MAX_NOT_UNDERSTOOD = 200
const MAX_SHOWN = 500

/** A section while it is read. */
export class SectionDraft {
  readonly cases: Case[] = []
  readonly purchases: PurchaseRow[] = []
  readonly guia_marks: GuiaMark[] = []
  readonly instructions: string[] = []
  readonly lines: Line[] = []
  common_use_factor: number | undefined
  kind: SectionKind
  readonly title: string
  readonly attention: string | null
  readonly line: number
  #not_understood: NotUnderstood[] = []
  #more = 0

  constructor(kind: SectionKind, title: string, attention: string | null, line: number) {
    this.kind = kind
    this.title = title
    this.attention = attention
    this.line = line
  }

  refuse(line: Pick<Line, 'number' | 'text'>, why: string): void {
    if (this.#not_understood.length >= MAX_NOT_UNDERSTOOD) this.#more++
    else this.#not_understood.push({ line: line.number, text: line.text.slice(0, MAX_SHOWN), why })
  }

  done(): Section {
    const { kind, title, attention, line, cases, purchases, guia_marks, common_use_factor, instructions } = this
    const rest = { line, text: '', why: `${this.#more} more lines of this section are not understood.` }
    return {
      kind,
      title,
      attention,
      line,
      cases,
      purchases,
      guia_marks,
      ...(common_use_factor === undefined ? {} : { common_use_factor }),
      instructions,
      not_understood: this.#more === 0 ? this.#not_understood : [...this.#not_understood, rest],
    }
  }
}
