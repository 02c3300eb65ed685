import { Html } from '../html.ts'

const escaped = (text: string) =>
  text.replace(/[&<>]/g, (sign) => (sign === '&' ? '&amp;' : sign === '<' ? '&lt;' : '&gt;'))

/** A comment, a string (a key, where a colon follows), or a word of the languages. */
const TOKENS =
  /(?<comment>(?<=^|\s)(?:#|\/\/) .*$)|(?<text>"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*')(?<colon>\s*:)?|(?<word>\b(?:import|from|const|await|for|of|with|as|open|print|new|export|curl)\b)/gm

/**
 * Code with its strings, keys and words marked. Of one-letter elements, without a class: a page holds thousands of them, and to
 * whoever reads it as text they say nothing.
 */
export function highlighted(code: string): Html {
  let from = 0
  let out = ''
  for (const found of code.matchAll(TOKENS)) {
    const { comment, text, colon, word } = found.groups ?? {}
    out += escaped(code.slice(from, found.index))
    if (comment !== undefined) out += `<em>${escaped(comment)}</em>`
    else if (text !== undefined) out += `<${colon ? 'b' : 'i'}>${escaped(text)}</${colon ? 'b' : 'i'}>${colon ?? ''}`
    else if (word !== undefined) out += `<b>${word}</b>`
    from = found.index + found[0].length
  }
  return new Html(out + escaped(code.slice(from)))
}
