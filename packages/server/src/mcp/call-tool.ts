import { toProblem } from '../http/answers.ts'
import { Problem } from '../kernel/problem.ts'
import { validate } from '../kernel/validate.ts'
import type { Agent } from './agent.ts'
import { placeEmpresa } from './empresa-argument.ts'
import type { Arguments } from './input.ts'
import { callOperation, pathOf, type ToolParts } from './operation-call.ts'
import { errorResult, problemResult, type RequestFacts, resultOf, type ToolResult } from './result.ts'
import type { Tool } from './tools.ts'
import { confirm, preview, takesTwoSteps } from './two-steps.ts'

/** What every refusal of a call is told with. */
export function refusalFacts(
  { pipeline, inToolTerms }: ToolParts,
  { request_id }: Agent,
  nameOf: RequestFacts['nameOf'],
): Omit<RequestFacts, 'uri'> {
  return { request_id, docs_url: pipeline.addresses.docs_url, nameOf, inToolTerms }
}

/** Gives what `work` throws as the result of a refusal, where it is one. */
export async function tellingRefusals(
  parts: ToolParts,
  agent: Agent,
  facts: Omit<RequestFacts, 'uri'>,
  work: () => Promise<ToolResult>,
): Promise<ToolResult> {
  try {
    return await work()
  } catch (error) {
    const problem = toProblem(error, parts.log, agent.request_id)
    if (problem instanceof Problem) return problemResult(problem, facts)
    throw error
  }
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
  return { structure: `{"object":"list","data":[${data.join()}]}` }
}

/** Calls the tool of an operation for an agent. The result of a refusal carries the error that HTTP would answer. */
export function callTool(
  parts: ToolParts,
  agent: Agent,
  tool: Tool,
  sent: Readonly<Record<string, unknown>>,
): Promise<ToolResult> {
  const known = refusalFacts(parts, agent, tool.input.nameOf)
  const { operation, irreversible, input } = tool
  return tellingRefusals(parts, agent, known, async () => {
    const args = await placeEmpresa(parts, agent, operation, input.empresa, input.read(sent))
    const { request_id, docs_url, nameOf, inToolTerms } = known
    const uri = () => parts.pipeline.addresses.public_url + pathOf(operation, args.params)
    const facts: RequestFacts = { request_id, docs_url, uri, nameOf, inToolTerms }
    if (tool.expand) return await callForEach(parts, agent, tool, args, facts)
    if (!irreversible || !(await takesTwoSteps(parts, { agent, operation, irreversible, args })))
      return resultOf(await callOperation(parts, agent, operation, args), facts)
    const act = { agent, operation, irreversible, args }
    const { confirmation } = args
    return resultOf(await (confirmation === undefined ? preview(parts, act) : confirm(parts, act, confirmation)), facts)
  })
}
