import type { Machine } from './kernel/machine.ts'
import { MACHINES } from './machines.ts'
import { contractFiles } from './openapi/document.ts'
import { OPERATIONS } from './operations.ts'

const PUBLIC_URL = 'http://127.0.0.1:3000'

function drawMachine(machine: Machine): string {
  const starts = machine.initial.map((status) => `  [*] --> ${status}`)
  const transitions = machine.rows.map(({ on, from, to }) => `  ${from ?? '[*]'} --> ${to} : ${on}`)
  const ends = machine.terminal.map((status) => `  ${status} --> [*]`)
  const events = machine.rows
    .filter(({ event }) => event !== undefined)
    .map(({ on, event }) => `| \`${on}\` | \`${event}\` |`)
  return [
    `## ${machine.object}: \`${machine.table}.${machine.column}\``,
    '',
    '```mermaid',
    'stateDiagram-v2',
    ...starts,
    ...transitions,
    ...ends,
    '```',
    '',
    ...(events.length > 0 ? ['| When | Event |', '|---|---|', ...events, ''] : []),
  ].join('\n')
}

/** Every committed file that is generated from the tables, by its path from the root of the repository. */
export function generatedFiles(): Map<string, string> {
  const files = new Map<string, string>()
  for (const [name, text] of contractFiles(OPERATIONS, { public_url: PUBLIC_URL, base_url: `${PUBLIC_URL}/v1` })) {
    files.set(`openapi/${name}`, text)
  }
  const intro = '# State machines\n\nDrawn from the tables that `advance` obeys; `npm run generate` writes this page.\n'
  files.set('docs/machines.md', `${[intro, ...MACHINES.map(drawMachine)].join('\n').trimEnd()}\n`)
  return files
}
