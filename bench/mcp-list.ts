import { COLD_START_SCOPES, SCOPE_NAMES } from '../packages/server/src/catalog/scopes.ts'
import { openToolbox } from '../packages/server/src/mcp/toolbox.ts'
import { OPERATION_SETS, type Toolset } from '../packages/server/src/mcp/toolsets.ts'
import { OPERATIONS } from '../packages/server/src/operations.ts'
import { tokensOf } from './tokens.ts'

// What `tools/list` costs an agent before it has done anything, for every form of the list.
const toolbox = openToolbox(OPERATIONS)
const forms: readonly (readonly [string, readonly Toolset[], boolean])[] = [
  ['as it comes (at most 24 tools, 10,000 tokens)', ['tasks'], false],
  ...OPERATION_SETS.map((set) => [`toolsets=${set}`, [set], false] as const),
  ['toolsets=all', OPERATION_SETS, false],
  ['toolsets=all&output=structured', OPERATION_SETS, true],
]

for (const [scopes_of, scopes] of [
  ['every scope, test mode', SCOPE_NAMES],
  ['the scopes of a new key, test mode', COLD_START_SCOPES],
] as const) {
  console.log(scopes_of)
  for (const [form, toolsets, structured] of forms) {
    const tools = toolbox.listed({ toolsets, structured }, scopes, 'test')
    const text = JSON.stringify(tools)
    const figures = [`${tools.length} tools`, `${tokensOf(text)} tokens`, `${Buffer.byteLength(text)} bytes`]
    console.log(`  ${form.padEnd(48)} ${figures.map((one) => one.padStart(14)).join('')}`)
  }
}
