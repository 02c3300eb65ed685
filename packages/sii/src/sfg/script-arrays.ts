/**
 * A list that the page's script declares: `var emisorDir = [["A","B"],["C","D"]]`. The form is completed by scripts in
 * a browser; here its lists are read as texts and nothing is run. Null where the page has no such list.
 */
export function scriptRows(scripts: readonly string[], name: string): string[][] | null {
  for (const script of scripts) {
    const declared = new RegExp(`\\b${name}\\s*=\\s*(?=\\[)`).exec(script)
    if (declared !== null) return readRows(script, declared.index + declared[0].length)
  }
  return null
}

const MAX_LENGTH = 200_000

function readRows(script: string, from: number): string[][] {
  const rows: string[][] = []
  let row: string[] = []
  let depth = 0
  const end = Math.min(script.length, from + MAX_LENGTH)
  for (let at = from; at < end; at++) {
    const char = script.charAt(at)
    if (char === '[') {
      depth++
      row = []
    } else if (char === ']') {
      depth--
      if (row.length > 0) rows.push(row)
      row = []
      if (depth <= 0) break
    } else if (char === '"' || char === "'") {
      const close = closing(script, at, end)
      row.push(
        script
          .slice(at + 1, close)
          .replace(/\\(.)/g, '$1')
          .trim(),
      )
      at = close
    }
  }
  return rows
}

function closing(script: string, from: number, end: number): number {
  const quote = script.charAt(from)
  for (let at = from + 1; at < end; at++) {
    if (script.charAt(at) === '\\') at++
    else if (script.charAt(at) === quote) return at
  }
  return end
}
