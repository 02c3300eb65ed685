// The roads by which an agent comes to an operation.

import { TASKS } from '../../src/mcp/tasks/all.ts'
import type { Tool } from '../../src/mcp/tools.ts'

export type Given = Readonly<Record<string, unknown>>

export interface Road {
  readonly name: string
  readonly tool: string
  /** Its arguments, with what is said of the act itself among them. */
  readonly args: (said?: Given) => Given
}

/** The tool of an operation, its name, and every task that ends in it, each with arguments for the same act. */
export function roadsTo({ operation, listed }: Tool, args: Given, ofTask: (task: string) => Given): Road[] {
  const tasks = TASKS.filter(({ acts }) => acts.includes(operation.id))
  return [
    { name: 'its tool', tool: listed.name, args: (said) => ({ ...args, ...said }) },
    {
      name: 'its name',
      tool: 'operations_call',
      args: (said) => ({ operation: listed.name, arguments: { ...args, ...said } }),
    },
    ...tasks.map(({ listed: { name } }) => ({
      name,
      tool: name,
      args: (said?: Given) => ({ ...ofTask(name), ...said }),
    })),
  ]
}
