import { toProblem } from '../http/answers.ts'
import { Problem } from '../kernel/problem.ts'
import { validate } from '../kernel/validate.ts'
import type { Agent } from './agent.ts'
import type { Arguments } from './input.ts'
import { callOperation, pathOf, type ToolParts } from './operation-call.ts'
import { errorResult, problemResult, type RequestFacts, resultOf, structuredResult, type ToolResult } from './result.ts'
import type { Tool } from './tools.ts'
import { confirm, preview } from './two-steps.ts'

function requestFacts({ pipeline }: ToolParts, { request_id }: Agent, tool: Tool): Omit<RequestFacts, 'uri'> {
  return { request_id, docs_url: pipeline.addresses.docs_url, nameOf: tool.input.nameOf }
}

/** A tool that stands for several calls: each is counted and committed on its own, and the first refusal ends them. */
async function callForEach(
  parts: ToolParts,
  agent: Agent,
  tool: Tool,
  args: Arguments,
  facts: RequestFacts,
): Promise<ToolResult> {
  const { operation, expand } = tool
  const { mcp } = operation
  if (mcp.not === undefined && mcp.input) validate(mcp.input, args.body, 'body')
  const data: string[] = []
  for (const body of expand?.(args.body) ?? []) {
    const key = args.idempotency_key && `${args.idempotency_key}:${JSON.stringify(body)}`
    const answer = await callOperation(parts, agent, operation, { ...args, body, idempotency_key: key })
    const one = resultOf(answer, facts)
    if (one.refusal) return errorResult(one.refusal, data.length > 0 ? `,"data":[${data.join()}]` : '')
    data.push(one.structure ?? 'null')
  }
  return structuredResult(`{"object":"list","data":[${data.join()}]}`)
}

/** Calls a tool for an agent. The result of a refusal carries the error that HTTP would answer. */
export async function callTool(
  parts: ToolParts,
  agent: Agent,
  tool: Tool,
  sent: Readonly<Record<string, unknown>>,
): Promise<ToolResult> {
  const known = requestFacts(parts, agent, tool)
  const { operation, irreversible } = tool
  try {
    const args = tool.input.read(sent)
    const facts = { ...known, uri: () => parts.pipeline.addresses.public_url + pathOf(operation, args.params) }
    if (tool.expand) return await callForEach(parts, agent, tool, args, facts)
    const guarded = irreversible && agent.two_steps && (irreversible.when?.holds(args.body) ?? true)
    if (!guarded) return resultOf(await callOperation(parts, agent, operation, args), facts)
    const act = { agent, operation, irreversible, args }
    const { confirmation } = args
    return resultOf(await (confirmation === undefined ? preview(parts, act) : confirm(parts, act, confirmation)), facts)
  } catch (error) {
    const problem = toProblem(error, parts.log, agent.request_id)
    if (problem instanceof Problem) return problemResult(problem, known)
    throw error
  }
}
