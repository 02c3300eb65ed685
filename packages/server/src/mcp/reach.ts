import { Type } from 'typebox'
import { invalidField, Problem } from '../kernel/problem.ts'
import { OneLine, OneOf } from '../kernel/schema.ts'
import { concise } from './concise.ts'
import { defineTool, type OwnTool, type OwnToolContext } from './own-tool.ts'
import type { ToolResult } from './result.ts'
import { rank } from './search.ts'
import type { Tool } from './tools.ts'
import { OPERATION_SETS, TOOLSETS } from './toolsets.ts'

const FOUND = 8

/** An operation in one line of a search. */
function foundOf({ listed, operation, irreversible, input }: Tool) {
  const { required = [], properties = {} } = input.schema as { required?: string[]; properties?: object }
  return {
    operation: listed.name,
    does: listed.title,
    needs: required,
    takes: Object.keys(properties).filter((name) => !required.includes(name)),
    ...(irreversible && { two_steps: true }),
    ...(operation.method === 'GET' && { only_reads: true }),
  }
}

/** The tool that a caller names, as it is listed (`documents_get`) or as the documentation has it (`documents.get`). */
function named(ctx: OwnToolContext, operation: string): Tool {
  // One beyond the grant is found too, and refused for what it lacks: its name is in the documentation, and a client that
  // knows the scope can ask the person for it. What is no tool for any agent is unknown.
  const tool = ctx.toolNamed(operation.replaceAll('.', '_'))
  if (!tool) throw invalidField('operation', 'there is none of this name. Find one with `operations_search`.')
  return tool
}

const told = (value: object): ToolResult => ({ structure: JSON.stringify(value) })

const Operation = OneLine(64, { description: 'Name of an operation, such as `tax_expenses_create`.' })

const search = defineTool({
  name: 'operations_search',
  title: 'Find an operation',
  description:
    'Finds operations for what no other tool here does: folios, contacts, cesión, guías, expenses (gastos), bank connections (conexiones con bancos), statements (cartolas), webhooks, settings, onboarding and the rest. Say in Spanish or English what you want to do.',
  input: {
    query: OneLine(200, { description: 'What you want to do, in a few words.' }),
    toolset: Type.Optional(
      OneOf(OPERATION_SETS, {
        description: `Only this part: ${OPERATION_SETS.map((set) => `${set} (${TOOLSETS[set].about.slice(0, -1)})`).join('; ')}.`,
      }),
    ),
  },
  run: async ({ tools }, { query, toolset }) => {
    const among = toolset === undefined ? tools : tools.filter((tool) => tool.toolset === toolset)
    const found = rank(query, among, FOUND)
    return told({
      found: found.map(foundOf),
      next: found.length === 0 ? 'Nothing fits: say it otherwise.' : 'Read its arguments with `operations_describe`.',
    })
  },
})

const describe = defineTool({
  name: 'operations_describe',
  title: 'Read what an operation takes',
  description: 'The arguments of one operation as JSON Schema, and what it does. Read it before `operations_call`.',
  input: {
    operation: Operation,
    answer: Type.Optional(Type.Boolean({ description: 'Whether to show the schema of its answer too.' })),
  },
  run: async (ctx, { operation, answer }) => {
    const { listed, outputSchema, operation: of } = named(ctx, operation)
    ctx.requireReach(of.id)
    const { name, description, inputSchema } = listed
    return told({
      operation: name,
      description,
      ...(of.scope && { scope: of.scope }),
      arguments: inputSchema,
      ...(answer && outputSchema && { answer: outputSchema }),
      next: 'Call it with `operations_call`.',
    })
  },
})

/** The operations an agent may call by name. What guards the tool of one guards it here: it is the same call. */
const callOf = (operations: readonly string[]) =>
  defineTool({
    name: 'operations_call',
    title: 'Call an operation',
    description:
      'Calls an operation by its name, with the same checks, limits and two steps that every tool has. Answers leave empty fields out unless `detail` is full.',
    acts: operations,
    input: {
      operation: Operation,
      arguments: Type.Optional(
        Type.Unsafe<Record<string, unknown>>({
          type: 'object',
          description: 'Its arguments, as `operations_describe` shows them.',
        }),
      ),
      detail: Type.Optional(OneOf(['full'], { description: '`full`: every field of the answer.' })),
    },
    run: async (ctx, { operation, arguments: given = {}, detail }, acting) => {
      const { operation: of } = named(ctx, operation)
      for (const extra of Object.keys(acting)) {
        if (extra in given)
          throw new Problem('invalid_field', { param: extra, message: `${extra}: it was sent twice.` })
      }
      const result = await ctx.act(of.id, { ...given, ...acting })
      return detail === 'full' ? result : concise(result)
    },
  })

export const reachTools = (operations: readonly string[]): OwnTool[] => [search, describe, callOf(operations)]
