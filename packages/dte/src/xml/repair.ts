const C1_FROM = 0x80
const C1_TO = 0x9f

/** Windows-1252 from 0x80 to 0x9f, where it departs from ISO-8859-1; its five empty places stay as they are. */
const WINDOWS = '€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8dŽ\x8f\x90‘’“”•–—˜™š›œ\x9džŸ'

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
    return has_c1 ? fromWindows(text) : text
  }
}

/** Not TextDecoder('windows-1252'): Node 20 decodes it as ISO-8859-1. */
function fromWindows(text: string): string {
  return Array.from(text, (character) => WINDOWS[character.charCodeAt(0) - C1_FROM] ?? character).join('')
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
