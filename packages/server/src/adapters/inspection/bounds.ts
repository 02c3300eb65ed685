import type { AnyDte, Refusal, XmlElement } from '@timbre/dte'
import { BOLETA_ITEMS, DOCUMENT_ITEMS } from '@timbre/dte/values'
import type { Heading } from '../../ports/inspection.ts'

/** Letters and repetitions that DTE_v10.xsd allows, where a document is shown by them. */
const LETTERS: ReadonlyMap<string, number> = new Map([
  ['RznSoc', 100],
  ['RznSocEmisor', 100],
  ['RznSocRecep', 100],
  ['GiroEmis', 80],
  ['GiroEmisor', 80],
  ['GiroRecep', 40],
  ['DirOrigen', 70],
  ['DirRecep', 70],
  ['CmnaOrigen', 20],
  ['CmnaRecep', 20],
  ['CiudadOrigen', 20],
  ['CiudadRecep', 20],
  ['NmbItem', 80],
  ['UnmdItem', 4],
  ['GlosaDR', 45],
  ['RazonRef', 90],
  ['FolioRef', 18],
])
/**
 * The elements that repeat, beside Detalle: every other stands once. Of two, one reader takes the first and the next the
 * last, and a total would be whatever its reader makes of it.
 */
const TIMES: ReadonlyMap<string, number> = new Map([
  ['Acteco', 4],
  ['CdgItem', 5],
  ['CodImpAdic', 2],
  ['Comisiones', 20],
  ['DscRcgGlobal', 20],
  ['ImpRetOtrMnda', 20],
  ['ImptoReten', 20],
  ['LineasDeta', 1000],
  ['MntPagos', 30],
  ['Referencia', 40],
  ['SubDscto', 5],
  ['SubRecargo', 5],
  ['SubTotInfo', 20],
  ['Subcantidad', 5],
  ['Telefono', 2],
  ['TipoBultos', 10],
])
/** Of any other element: DscItem is the longest text. */
const MOST_LETTERS = 1000
/** Emitters are careless, and no row is the worse for twice as much. A short text may be a word. */
const GENEROUS = 2
const A_WORD = 40
const BOLETAS: readonly number[] = [39, 41]

/** Cut by characters, never inside one. */
export const clip = (text: string, most: number) => text.slice(0, most).replace(/\p{Cs}/gu, '')

/**
 * What a document has more of than the schema of the SII allows, or null. The SII takes no such document, so nobody
 * issued it: and what is kept, listed and told of one is bounded.
 */
export function excessOf(documento: XmlElement): string | null {
  const lines = isBoleta(documento) ? BOLETA_ITEMS : DOCUMENT_ITEMS * GENEROUS
  const mostOf = (name: string) => (name === 'Detalle' ? lines : (TIMES.get(name) ?? 0) * GENEROUS || 1)
  const waiting = [documento]
  for (let element = waiting.pop(); element; element = waiting.pop()) {
    const { name, text, attributes, children } = element
    const letters = Math.max(A_WORD, (LETTERS.get(name) ?? MOST_LETTERS) * GENEROUS)
    const longest = Object.values(attributes).reduce((most, value) => Math.max(most, value.length), 0)
    if (text.trim().length > letters || longest > MOST_LETTERS) return `${clip(name, A_WORD)} is too long a text.`
    const times = new Map<string, number>()
    for (const child of children) {
      const count = (times.get(child.name) ?? 0) + 1
      if (count > mostOf(child.name)) return `It has too many of ${clip(child.name, A_WORD)}.`
      times.set(child.name, count)
      waiting.push(child)
    }
  }
  return null
}

function isBoleta(documento: XmlElement): boolean {
  const within = (element: XmlElement | undefined, part: string) => element?.children.find(({ name }) => name === part)
  const written = within(within(within(documento, 'Encabezado'), 'IdDoc'), 'TipoDTE')
  return written !== undefined && BOLETAS.includes(Number(written.text))
}

/** Amounts that were written and cannot be read: without them a line or a total would be shown as zero. */
const SHOWN = /^(items\[\d+\]\.amount|totals\.(net|exempt|iva|total))$/
const LIQUIDACION = 43

/** Whether it tells an amount that the schema has no room for: unreadable, or below zero where none may be. */
export function hasImpossibleAmount(
  heading: Heading,
  read: { readonly dte: AnyDte; readonly warnings: readonly Refusal[] } | null,
): boolean {
  const { tipo_dte, net, exempt, iva, total } = heading
  if (tipo_dte !== LIQUIDACION && Math.min(net, exempt, iva, total) < 0) return true
  if (!read) return false
  return read.warnings.some(({ path }) => SHOWN.test(path)) || hasNegativeLine(read.dte)
}

/** Only what is not billed may be subtracted (Formato DTE v2.4.2, IndExe). */
function hasNegativeLine({ tipo_dte, items }: AnyDte): boolean {
  const may = [...BOLETAS, LIQUIDACION]
  return !may.includes(tipo_dte) && items.some(({ amount, billing }) => amount < 0 && billing === undefined)
}
