import { santiagoDate } from '@timbre/dte/values'
import { Problem } from '../kernel/problem.ts'
import { validate } from '../kernel/validate.ts'
import { type Agent, nowFor } from './agent.ts'
import { callTool, refusalFacts, tellingRefusals } from './call-tool.ts'
import type { ToolParts } from './operation-call.ts'
import { type OwnTool, type OwnToolContext, onlyReads, type Rows } from './own-tool.ts'
import { errorResult, readStructure, type ToolResult } from './result.ts'
import { covers, type Tool } from './tools.ts'

const PAGE = 100
const MOST_ROWS = 500

/** A refusal of an operation on the way to what the tool was asked for. */
class Refused extends Error {
  readonly result: ToolResult
  constructor(result: ToolResult) {
    super(result.refusal?.code ?? 'refused')
    this.result = result
  }
}

/** What a task can go without: it lies beyond the caller, or the register of taxpayers was never loaded here. */
const ABSENT = new Set(['insufficient_scope', 'mode_not_allowed', 'contribuyentes_unavailable'])
const isAbsent = ({ refusal }: ToolResult) =>
  refusal !== undefined && (ABSENT.has(refusal.code) || refusal.code.endsWith('_not_found'))

interface Page<T> {
  readonly data: readonly T[]
  readonly next_cursor: string | null
}

/** What one call of an own tool works with. Every call of an operation is admitted, counted and logged as its tool's is. */
function openContext(parts: ToolParts, agent: Agent, own: OwnTool): OwnToolContext {
  const { caller, account } = agent
  const toolOf = (id: string, allowed: readonly string[]): Tool => {
    const tool = parts.tools.get(id)
    if (!tool || !allowed.includes(id)) throw new Error(`${own.listed.name} may not call ${id}`)
    return tool
  }
  const readings = [...own.reads, ...own.may_read]
  const answer = (id: string, args: object) => {
    const tool = toolOf(id, readings)
    if (!onlyReads(tool.operation)) throw new Error(`${own.listed.name} reads by ${id}, which acts`)
    return callTool(parts, agent, tool, args as Record<string, unknown>)
  }
  const read = async <T>(id: string, args: object): Promise<T> => {
    const result = await answer(id, args)
    if (result.refusal) throw new Refused(result)
    return readStructure<T>(result)
  }
  const readIfThere = async <T>(id: string, args: object): Promise<T | null> => {
    const result = await answer(id, args)
    if (isAbsent(result)) return null
    if (result.refusal) throw new Refused(result)
    return readStructure<T>(result)
  }
  const reaches = (id: string) => {
    const tool = parts.tools.get(id)
    return tool !== undefined && covers(caller.scopes, account.mode, tool.operation)
  }
  return {
    today: santiagoDate(nowFor(agent)),
    read,
    readIfThere,
    async rows<T>(id: string, args: object, most = MOST_ROWS): Promise<Rows<T>> {
      const rows: T[] = []
      let cursor: string | null = null
      do {
        const limit = Math.min(PAGE, most - rows.length)
        const page: Page<T> = await read(id, { ...args, limit, ...(cursor !== null && { cursor }) })
        rows.push(...page.data)
        cursor = page.next_cursor
      } while (cursor !== null && rows.length < most)
      return { rows, complete: cursor === null }
    },
    act: (id, args) => callTool(parts, agent, toolOf(id, own.acts), args as Record<string, unknown>),
    reaches,
    tools: [...parts.tools.values()].filter(({ operation }) => covers(caller.scopes, account.mode, operation)),
  }
}

/** The scope that a caller lacks for a tool of ours, as the operation behind it would say it. */
function missingScope({ tools }: ToolParts, { reads, acts }: OwnTool, { caller }: Agent): string | undefined {
  const needed = [...reads, ...(acts.length === 1 ? acts : [])].map((id) => tools.get(id)?.operation.scope)
  return needed.find((scope) => scope !== undefined && !caller.scopes.includes(scope))
}

/** Calls a tool of our own for an agent. */
export function callOwnTool(
  parts: ToolParts,
  agent: Agent,
  own: OwnTool,
  sent: Readonly<Record<string, unknown>>,
): Promise<ToolResult> {
  const facts = refusalFacts(parts, agent, (param) => param)
  return tellingRefusals(parts, agent, facts, async () => {
    const scope = missingScope(parts, own, agent)
    if (scope !== undefined) throw new Problem('insufficient_scope', { details: { scope } })
    validate(own.input, sent, 'body')
    return own.run(openContext(parts, agent, own), sent).catch((error: unknown) => {
      if (error instanceof Refused) return error.result.refusal ? errorResult(error.result.refusal) : error.result
      throw error
    })
  })
}
