import { readWindows } from './decode.ts'

const C1_FROM = 0x80
const C1_TO = 0x9f

const utf8 = new TextDecoder('utf-8', { fatal: true })

/**
 * What an emitter meant by a text whose bytes do not match the encoding of its file: UTF-8 inside a file that says
 * ISO-8859-1 (`MaipÃº`), or the quotes and dashes of Windows in the places ISO-8859-1 keeps for control codes. For
 * our value only; signatures are verified over the text as it came.
 */
export function repairText(text: string, suspect: boolean): string {
  const { highest, has_c1 } = survey(text)
  if (highest < C1_FROM || highest > 0xff || !(suspect || has_c1)) return text
  try {
    return utf8.decode(Buffer.from(text, 'latin1'))
  } catch {
    return has_c1 ? readWindows(text) : text
  }
}

function survey(text: string): { highest: number; has_c1: boolean } {
  let highest = 0
  let has_c1 = false
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index)
    if (code > highest) highest = code
    if (code >= C1_FROM && code <= C1_TO) has_c1 = true
  }
  return { highest, has_c1 }
}
