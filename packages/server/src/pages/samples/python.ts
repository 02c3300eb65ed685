import type { HeaderValue, Sent } from './sent.ts'

/** JSON's strings are Python's too; three words are not. */
const WORDS: Readonly<Record<string, string>> = { true: 'True', false: 'False', null: 'None' }

function literal(value: unknown, indent: string): string {
  if (Array.isArray(value)) {
    return value.length === 0
      ? '[]'
      : block(
          '[',
          ']',
          value.map((one) => literal(one, `${indent}    `)),
          indent,
        )
  }
  if (value !== null && typeof value === 'object') {
    const rows = Object.entries(value).map(([name, one]) => `${JSON.stringify(name)}: ${literal(one, `${indent}    `)}`)
    return rows.length === 0 ? '{}' : block('{', '}', rows, indent)
  }
  return WORDS[String(value)] && typeof value !== 'string' ? (WORDS[String(value)] as string) : JSON.stringify(value)
}

function block(open: string, close: string, rows: readonly string[], indent: string): string {
  return `${open}\n${rows.map((row) => `${indent}    ${row},\n`).join('')}${indent}${close}`
}

function headerValue({ before, variable }: HeaderValue): string {
  const read = variable && `os.environ["${variable}"]`
  if (!read) return JSON.stringify(before)
  return before === '' ? read : `${JSON.stringify(before)} + ${read}`
}

/** The call with what Python brings along: nothing to install. */
export function pythonSample({ method, url, headers, body, file }: Sent): string {
  const needs_environment = headers.some(([, { variable }]) => variable !== undefined)
  const imports = [file === null && 'json', needs_environment && 'os', file !== null && 'shutil', 'urllib.request']
  const rows = [
    JSON.stringify(url),
    `method="${method}"`,
    ...(headers.length === 0
      ? []
      : [
          `headers=${block(
            '{',
            '}',
            headers.map(([name, value]) => `"${name}": ${headerValue(value)}`),
            '    ',
          )}`,
        ]),
    ...(body === undefined ? [] : [`data=json.dumps(${literal(body, '    ')}).encode()`]),
  ]
  const used = file !== null && body !== undefined ? ['json', ...imports.filter((name) => name !== 'json')] : imports
  const read =
    file === null
      ? '    body = response.read()\n    print(json.loads(body) if body else response.status)'
      : `    with open("${file}", "wb") as file:\n        shutil.copyfileobj(response, file)`
  return `import ${used.filter(Boolean).join(', ')}

request = urllib.request.Request${block('(', ')', rows, '')}
with urllib.request.urlopen(request) as response:
${read}
`.trimEnd()
}
