/** An event of the ledger, as far as it is looked into here. */
export interface LedgerEvent {
  readonly id: string
  readonly type: string
  readonly created_at: string
  readonly empresa: { readonly rut: string } | null
  readonly data: { readonly object: Readonly<Record<string, unknown>>; readonly detail?: unknown }
}

/** `document.*` matches every type below it, `*` all of them. */
export function matches(pattern: string, type: string): boolean {
  if (pattern === '*') return true
  return pattern.endsWith('.*') ? type.startsWith(pattern.slice(0, -1)) : pattern === type
}

/** Patterns as they were typed, one by one or with commas between; none means all. */
export function patternsOf(typed: readonly string[]): readonly string[] {
  return typed
    .flatMap((text) => text.split(','))
    .map((text) => text.trim())
    .filter((text) => text !== '')
}

export const isWanted = (patterns: readonly string[], type: string): boolean =>
  patterns.length === 0 || patterns.some((pattern) => matches(pattern, type))

/** What the event is about, in a few words. */
export function subjectOf({ data, empresa }: LedgerEvent): string {
  const { id, folio, tipo_dte, status } = data.object
  const numbered = typeof folio === 'number' ? `${tipo_dte}-${folio}` : id
  return [numbered, status, empresa?.rut].filter((part) => part !== undefined && part !== null).join(' ')
}
