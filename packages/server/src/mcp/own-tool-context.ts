import { santiagoDate } from '@timbre/dte/values'
import type { Operation } from '../domain/operation.ts'
import { Problem } from '../kernel/problem.ts'
import { requireScope } from '../kernel/require-scope.ts'
import { validate } from '../kernel/validate.ts'
import { type Agent, nowFor } from './agent.ts'
import { callTool, refusalFacts, tellingRefusals } from './call-tool.ts'
import { callOperation, pathOf, type ToolParts } from './operation-call.ts'
import { type OwnTool, type OwnToolContext, onlyReads, type Rows } from './own-tool.ts'
import { errorResult, readStructure, resultOf, type ToolResult } from './result.ts'
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
    toolNamed: (name) => [...parts.tools.values()].find(({ listed }) => listed.name === name),
    requireReach(id) {
      if (reaches(id)) return
      const scope = parts.tools.get(id)?.operation.scope
      if (scope) requireScope(caller, scope)
      throw new Problem('mode_not_allowed')
    },
  }
}

/** The operation behind a tool of ours for which a caller lacks the scope: what it acts by comes first. */
function beyondScopes({ tools }: ToolParts, { reads, acts }: OwnTool, { caller }: Agent): Operation | undefined {
  const needed = [...(acts.length === 1 ? acts : []), ...reads].map((id) => tools.get(id)?.operation)
  return needed.find((operation) => operation?.scope !== undefined && !caller.scopes.includes(operation.scope))
}

const NO_ARGUMENTS = { params: {}, query: {}, body: {}, empresa_rut: undefined, idempotency_key: undefined }

/** Calls a tool of our own for an agent. */
export function callOwnTool(
  parts: ToolParts,
  agent: Agent,
  own: OwnTool,
  sent: Readonly<Record<string, unknown>>,
): Promise<ToolResult> {
  const facts = refusalFacts(parts, agent, (param) => param)
  return tellingRefusals(parts, agent, facts, async () => {
    const beyond = beyondScopes(parts, own, agent)
    // The operation itself refuses it, before it reads a word: counted, and where it is an act told to the person.
    if (beyond) {
      const uri = () => pathOf(beyond, {})
      return resultOf(await callOperation(parts, agent, beyond, NO_ARGUMENTS), { ...facts, uri })
    }
    validate(own.input, sent, 'body')
    return own.run(openContext(parts, agent, own), sent).catch((error: unknown) => {
      if (error instanceof Refused) return error.result.refusal ? errorResult(error.result.refusal) : error.result
      throw error
    })
  })
}
