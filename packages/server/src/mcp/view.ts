import type { PlainRequest } from '../http/routes.ts'
import { OPERATION_SETS, TOOLSET_NAMES, type Toolset } from './toolsets.ts'

/** What a client asked for with the query of its address. It changes what is listed and how an answer is written, never what may be done. */
export interface View {
  readonly toolsets: readonly Toolset[]
  /** Answers as `structuredContent` too, and the list with output schemas: for programs. A model reads the text alone. */
  readonly structured: boolean
}

const ALL = 'all'
const isToolset = (name: string): name is Toolset => (TOOLSET_NAMES as readonly string[]).includes(name)

/** What a bare address asks for, which is what most say. */
const BARE: View = { toolsets: ['tasks'], structured: false }

/** The view of an address such as `/mcp?toolsets=tax,bank&output=structured`, or why there is none. */
export function readView(query: PlainRequest['query']): View | { readonly refused: string } {
  const { toolsets: asked = '', output = 'text' } = query
  if (asked === '' && output === 'text') return BARE
  if (output !== 'text' && output !== 'structured') return { refused: 'output is text or structured.' }
  // One after the other says the same as with commas.
  const names = String(asked)
    .split(',')
    .filter((name) => name !== '')
  const known = names.every((name) => name === ALL || isToolset(name))
  if (!known)
    return { refused: `toolsets are ${[ALL, ...TOOLSET_NAMES].join(', ')}, one or several with commas between.` }
  const sets = names.flatMap((name) => (name === ALL ? OPERATION_SETS : [name as Toolset]))
  return { toolsets: sets.length > 0 ? [...new Set(sets)] : ['tasks'], structured: output === 'structured' }
}
