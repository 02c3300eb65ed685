import type { Checkbox } from '../portal/checkboxes.ts'

/** Tipos that a taxpayer may postulate for; the notes come with the factura (OPERATIONS 1). */
export type PostulatedTipo = 33 | 34 | 39 | 41 | 43 | 46 | 52 | 56 | 61 | 110

/**
 * Boxes of `pe_confirma` by tipo (OPERATIONS 1). The set with 33, 56 and 61 is part of every postulation for facturas, even
 * of a company that will only issue 34. Which of the four names of a boleta is a box of its own and which one only groups
 * them is not verified, so those that the page has are ticked.
 */
const FACTURA = ['ESFAC', 'FACT', 'CONIVA', 'NC', 'ND'] as const
const BOXES: Readonly<Record<PostulatedTipo, readonly string[]>> = {
  33: FACTURA,
  34: [...FACTURA, 'SET06'],
  43: [...FACTURA, 'SET84'],
  46: [...FACTURA, 'SET72'],
  52: [...FACTURA, 'SET03'],
  56: FACTURA,
  61: FACTURA,
  110: [...FACTURA, 'SET11'],
  39: ['ESBOL', 'BOLELE', 'BOLELEC'],
  41: ['ESBOL', 'BOLEXE', 'BOLEXEN'],
}

/** The box that must be there: without it the page offers the tipo no longer. */
const NEEDED: Readonly<Record<PostulatedTipo, RegExp>> = {
  33: /^FACT$/,
  34: /^SET06$/,
  43: /^SET84$/,
  46: /^SET72$/,
  52: /^SET03$/,
  56: /^ND$/,
  61: /^NC$/,
  110: /^SET11$/,
  39: /^BOLELEC?$/,
  41: /^BOLEXEN?$/,
}

/** What is sent for the tipos, and the first one that the page has no box for. */
export function boxesFor(
  offered: readonly Checkbox[],
  tipos: readonly PostulatedTipo[],
): { readonly tick: [string, string][]; readonly missing: PostulatedTipo | null } {
  const wanted = new Set(tipos.flatMap((tipo) => BOXES[tipo]))
  const tick = offered.filter(({ name }) => wanted.has(name)).map(({ name, value }): [string, string] => [name, value])
  const missing = tipos.find((tipo) => !offered.some(({ name }) => NEEDED[tipo].test(name))) ?? null
  return { tick, missing }
}
