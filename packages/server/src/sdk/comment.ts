/** Sentences as a comment of TypeScript, at an indentation; nothing for no sentence. */
export function comment(paragraphs: readonly (string | undefined)[], indent = ''): string {
  const said = paragraphs
    .filter((paragraph) => paragraph !== undefined && paragraph !== '')
    .map((text) => text as string)
  const lines = said.flatMap((text, place) => [...(place > 0 ? [''] : []), ...text.split('\n')])
  const safe = lines.map((line) => line.replaceAll('*/', '*\\/').trimEnd())
  if (safe.length === 0) return ''
  if (safe.length === 1) return `${indent}/** ${safe[0]} */\n`
  return `${indent}/**\n${safe.map((line) => `${indent} *${line === '' ? '' : ` ${line}`}\n`).join('')}${indent} */\n`
}
