import type { Mode } from '../catalog/modes.ts'
import type { Scope } from '../catalog/scopes.ts'
import type { Operation } from '../domain/operation.ts'
import { isOffered, type OwnTool } from './own-tool.ts'
import { reachTools } from './reach.ts'
import { TASKS } from './tasks/all.ts'
import { covers, type ListedTool, operationTools, type Tool } from './tools.ts'
import type { View } from './view.ts'

/** What a call names: the tool of an operation, or one of our own. */
export type FoundTool = { readonly tool: Tool } | { readonly own: OwnTool }

export interface Toolbox {
  /** The tools of operations, by the id of the operation. */
  readonly tools: ReadonlyMap<string, Tool>
  /** Our own: the tasks, and the three that reach every operation. */
  readonly own: readonly OwnTool[]
  /** Whatever was listed: what may be done does not depend on what was shown. */
  find(name: string): FoundTool | undefined
  /** The tools of a caller with these scopes in this mode, as the address asks for them. Made once for each. */
  listed(view: View, scopes: readonly Scope[], mode: Mode): readonly ListedTool[]
}

export function openToolbox(operations: readonly Operation[]): Toolbox {
  const all = operationTools(operations)
  const tools = new Map(all.map((tool) => [tool.operation.id, tool]))
  const own = [...TASKS, ...reachTools([...tools.keys()])]
  const byName = new Map<string, FoundTool>([
    ...all.map((tool) => [tool.listed.name, { tool }] as const),
    ...own.map((one) => [one.listed.name, { own: one }] as const),
  ])
  if (byName.size !== all.length + own.length) throw new Error('two tools share a name')
  const list = ({ toolsets, structured }: View, scopes: readonly Scope[], mode: Mode): ListedTool[] => {
    const reaches = (id: string) => {
      const tool = tools.get(id)
      return tool !== undefined && covers(scopes, mode, tool.operation)
    }
    const shown = ({ listed, outputSchema }: Tool) =>
      structured && outputSchema ? { ...listed, outputSchema } : listed
    const tasks = toolsets.includes('tasks') ? own.filter((one) => isOffered(one, reaches)) : []
    const of_operations = all.filter(
      ({ toolset, operation }) => toolset !== null && toolsets.includes(toolset) && reaches(operation.id),
    )
    return [...tasks.map(({ listed }) => listed), ...of_operations.map(shown)]
  }
  const lists = new Map<string, readonly ListedTool[]>()
  return {
    tools,
    own,
    find: (name) => byName.get(name),
    listed(view, scopes, mode) {
      const key = `${mode} ${view.structured} ${[...view.toolsets].sort().join()} ${[...scopes].sort().join()}`
      const made = lists.get(key) ?? list(view, scopes, mode)
      // A client may name any of thousands of combinations: what is kept is bounded.
      if (lists.size < MOST_LISTS) lists.set(key, made)
      return made
    },
  }
}

const MOST_LISTS = 200
