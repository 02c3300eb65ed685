import { asProblem } from '../http/envelope.ts'
import { Problem } from '../kernel/problem.ts'
import { validate } from '../kernel/validate.ts'
import { type Agent, type Bench, pathOf, useTool } from './call.ts'
import type { Arguments } from './input.ts'
import { problemResult, refusedResult, resultOf, type ToolResult, type Where } from './result.ts'
import type { Tool } from './tools.ts'
import { confirm, rehearse } from './two-steps.ts'

function whereOf({ pipeline }: Bench, { request_id }: Agent, tool: Tool): Omit<Where, 'uri'> {
  return { request_id, docs_url: pipeline.addresses.docs_url, nameOf: tool.input.nameOf }
}

/** A tool that stands for several calls: each is counted and kept as its own, and the first refusal ends them. */
async function useMany(bench: Bench, agent: Agent, tool: Tool, args: Arguments, where: Where): Promise<ToolResult> {
  const { operation, expand } = tool
  const { mcp } = operation
  if (mcp.not === undefined && mcp.input) validate(mcp.input, args.body, 'body')
  const data: unknown[] = []
  for (const body of expand?.(args.body) ?? []) {
    const key = args.idempotency_key && `${args.idempotency_key}:${JSON.stringify(body)}`
    const answer = await useTool(bench, agent, operation, { ...args, body, idempotency_key: key })
    const one = resultOf(answer, where)
    if (one.isError) return refusedResult(one.structuredContent?.error as never, data.length > 0 ? { data } : {})
    data.push(one.structuredContent)
  }
  const structuredContent = { object: 'list', data }
  return { content: [{ type: 'text', text: JSON.stringify(structuredContent) }], structuredContent }
}

/** Uses a tool for an agent. Whatever stands in the way is told as HTTP would, inside the result. */
export async function use(
  bench: Bench,
  agent: Agent,
  tool: Tool,
  sent: Readonly<Record<string, unknown>>,
): Promise<ToolResult> {
  const known = whereOf(bench, agent, tool)
  const { operation, irreversible } = tool
  try {
    const args = tool.input.read(sent)
    const where = { ...known, uri: bench.pipeline.addresses.public_url + pathOf(operation, args.params) }
    if (tool.expand) return await useMany(bench, agent, tool, args, where)
    if (!irreversible || !agent.two_steps) return resultOf(await useTool(bench, agent, operation, args), where)
    const act = { agent, operation, irreversible, args }
    const { confirmation } = args
    return resultOf(
      await (confirmation === undefined ? rehearse(bench, act) : confirm(bench, act, confirmation)),
      where,
    )
  } catch (error) {
    const problem = asProblem(error, bench.log, agent.request_id)
    if (problem instanceof Problem) return problemResult(problem, known)
    throw error
  }
}
