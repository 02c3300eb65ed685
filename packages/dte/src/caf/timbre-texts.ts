import { repairText } from '../xml/repair.ts'
import { textAt, type XmlElement } from '../xml/tree.ts'

/** Texts that the stamp repeats, each cut at 40 characters (SII, Formato DTE v2.4.2, Timbre). */
export type TimbreText = 'RSR' | 'IT1'

const REPEATED: readonly (readonly [TimbreText, readonly string[]])[] = [
  ['RSR', ['Encabezado', 'Receptor', 'RznSocRecep']],
  ['IT1', ['Detalle', 'NmbItem']],
]

const STAMPED_LENGTH = 40
/** Some cut the text once it is escaped, where `&` has five characters: a stamped text may then be this short. */
const SHORTEST_CUT = 30

/**
 * The texts in which a stamp and its document differ: the name of the receptor and that of the first line. A stamp is
 * printed on paper for everybody to copy; these bind it to what is sold and to whom, as its amount binds the total.
 * Emitters spell them in their own way (accents folded or lost, blanks, case), so only letters and digits count. A
 * document without the text, as a boleta without a name, has nothing to differ from.
 */
export function timbreTextsApart(documento: XmlElement): readonly TimbreText[] {
  return REPEATED.flatMap(([name, path]) => {
    const [stamped, written] = [textAt(documento, 'TED', 'DD', name), textAt(documento, ...path)]
    return !written || isCutOf(stamped ?? '', written) ? [] : [name]
  })
}

function isCutOf(stamped: string, written: string): boolean {
  const cut = [...written].slice(0, STAMPED_LENGTH).join('')
  return FORMS.some((form) => {
    const mark = form(stamped)
    if (mark === form(cut) || mark === form(written)) return true
    return [...stamped].length >= SHORTEST_CUT && form(written).startsWith(mark)
  })
}

const lettersOf = (text: string): string => text.toUpperCase().replace(/[^0-9A-Z]/g, '')

/** Without accents; and without the letters that have them, for emitters whose stamp loses those. */
const FORMS: readonly ((text: string) => string)[] = [
  (text) => lettersOf(unescaped(repairText(text, true)).normalize('NFD').replace(/\p{M}/gu, '')),
  (text) => lettersOf(unescaped(text).replace(/[^\x20-\x7e]/g, '')),
]

/** Some escape a text twice. */
const unescaped = (text: string): string =>
  text.replace(/&(amp|lt|gt|quot|apos);/g, (_, name: string) => ENTITIES[name] ?? '')
const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }
