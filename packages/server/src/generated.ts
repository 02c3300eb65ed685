import { isBoletasOnly, isShown, LANES, type Lane, stepOf } from './domain/platform/onboarding/lanes.ts'
import type { Machine } from './kernel/machine.ts'
import { MACHINES } from './machines.ts'
import { contractFiles } from './openapi/document.ts'
import { OPERATIONS } from './operations.ts'
import { addressOf } from './pages/reference/resources.ts'
import { sdkFiles } from './sdk/files.ts'

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

/** A lane as its table has it: in which order, who acts, who holds it up, whose decision it waits for, and who executes it. */
function drawLane(lane: Lane): string {
  const keys = LANES[lane]
  const arrows = keys.slice(1).map((key, index) => `  ${keys[index]} --> ${key}`)
  const rows = keys.map((key) => {
    const { actor, stall_actor, performed_by, approval, execution, probe, attestable, certifies } = stepOf(key)
    const known = [probe && `asked of the SII (\`${probe}\`)`, attestable && 'attested'].filter(Boolean).join(', or ')
    const notes = [
      isBoletasOnly(lane, key) && 'only with boletas',
      certifies && 'skipped for tipos that the SII authorised',
      !isShown(lane, key) && 'not in `steps`',
    ].filter(Boolean)
    const approved = approval ? `\`${approval.act}\` by \`${approval.role}\`` : ''
    const cells = [`\`${key}\``, actor, stall_actor, performed_by ?? '', approved, execution, known, notes.join('; ')]
    return `| ${cells.join(' | ')} |`
  })
  return [
    `## onboarding: the \`${lane}\` lane`,
    '',
    '```mermaid',
    'flowchart TD',
    ...arrows,
    '```',
    '',
    '| Step | Actor | Held up by | Performed by | Approval | Execution | Known by | |',
    '|---|---|---|---|---|---|---|---|',
    ...rows,
    '',
  ].join('\n')
}

/** Every committed file that is generated from the tables, by its path from the root of the repository. */
export function generatedFiles(): Map<string, string> {
  const files = new Map<string, string>()
  for (const [name, text] of contractFiles(OPERATIONS, { public_url: PUBLIC_URL, base_url: `${PUBLIC_URL}/v1` })) {
    files.set(`openapi/${name}`, text)
  }
  for (const [name, text] of sdkFiles(OPERATIONS, (operation) => PUBLIC_URL + addressOf(operation)))
    files.set(name, text)
  const intro =
    '# State machines\n\nDrawn from the tables that `advance` obeys, and at the end the two lanes of the onboarding; `npm run generate` writes this page.\n'
  files.set(
    'docs/machines.md',
    `${[intro, ...MACHINES.map(drawMachine), ...(Object.keys(LANES) as Lane[]).map(drawLane)].join('\n').trimEnd()}\n`,
  )
  return files
}
