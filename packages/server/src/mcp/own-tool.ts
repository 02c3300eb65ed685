import { canonicalRut } from '@timbre/dte/values'
import type { Static, TObject, TProperties } from 'typebox'
import { Type } from 'typebox'
import type { Operation } from '../domain/operation.ts'
import { Closed, Opaque } from '../kernel/schema.ts'
import { CONFIRMATION, EMPRESA, KEY } from './input.ts'
import type { ToolResult } from './result.ts'
import { type JsonSchema, plainSchema } from './schema.ts'
import type { ListedTool, Tool } from './tools.ts'

/** What a tool of our own may do: call operations as their tools would be called, and nothing else. */
export interface OwnToolContext {
  /** Today in Santiago, by the clock of the account. */
  readonly today: string
  /** The answer of an operation that only reads; a refusal of it is the refusal of the tool. */
  read<T>(operation_id: string, args: object): Promise<T>
  /** The same, or null where it is not found or out of reach. */
  readIfThere<T>(operation_id: string, args: object): Promise<T | null>
  /** The rows of a list, from page to page, up to a number of them. */
  rows<T>(operation_id: string, args: object, most?: number): Promise<Rows<T>>
  /** Does an operation that acts, with its two steps: the last thing that a tool does. */
  act(operation_id: string, args: object): Promise<ToolResult>
  /** Whether the caller reaches an operation at all. */
  reaches(operation_id: string): boolean
  /** Every tool of an operation that the caller reaches. */
  readonly tools: readonly Tool[]
  /** The tool of an operation by its name, within the caller's reach or beyond it. */
  toolNamed(name: string): Tool | undefined
  /** Refuses a caller that may not call an operation, as the call of it would. */
  requireReach(operation_id: string): void
}

export interface Rows<T> {
  readonly rows: readonly T[]
  /** Whether these are all. */
  readonly complete: boolean
}

/** A tool that is no operation: what it takes, by which operations it reads and acts, and how. */
export interface OwnTool {
  readonly listed: ListedTool
  readonly input: TObject
  /** It is shown to whoever reaches all of these, and at least one of `acts` where it acts. */
  readonly reads: readonly string[]
  readonly may_read: readonly string[]
  readonly acts: readonly string[]
  run(ctx: OwnToolContext, input: Readonly<Record<string, unknown>>): Promise<ToolResult>
}

interface Definition<P extends TProperties> {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly reads?: readonly string[]
  readonly may_read?: readonly string[]
  readonly acts?: readonly string[]
  readonly input: P
  readonly annotations?: JsonSchema
  /** Whether no act of it has two steps. */
  readonly one_step?: true
  readonly run: (ctx: OwnToolContext, input: Static<TObject<P>>, acting: Acting) => Promise<ToolResult>
}

/** What a caller says of the act itself, for the operation that does it. */
export interface Acting {
  readonly idempotency_key?: string
  readonly confirmation?: string
}

/** Whoever acts may say which act it is and that it was agreed to; the tool of the operation reads them. */
const ACTING = {
  [KEY]: Type.Optional(
    Opaque(255, { minLength: 1, description: 'Your own name for this act: it is never done twice.' }),
  ),
  [CONFIRMATION]: Type.Optional(
    Opaque(1000, {
      description: 'Leave out to see a preview. Once the person agrees, repeat all with its `confirmation.token`.',
    }),
  ),
}

export function defineTool<P extends TProperties>(definition: Definition<P>): OwnTool {
  const { name, title, description, reads = [], may_read = [], acts = [], one_step = false, annotations } = definition
  const { [CONFIRMATION]: confirmation, [KEY]: key } = ACTING
  const acting = acts.length === 0 ? {} : { [KEY]: key, ...(!one_step && { [CONFIRMATION]: confirmation }) }
  const input = Closed({ ...definition.input, ...acting })
  const { properties, required = [] } = plainSchema({ ...input }) as { properties: JsonSchema; required?: string[] }
  const hints = acts.length > 0 ? { readOnlyHint: false, destructiveHint: !one_step } : { readOnlyHint: true }
  return {
    listed: {
      name,
      title,
      description,
      inputSchema: { type: 'object', properties, required, additionalProperties: false },
      annotations: annotations ?? hints,
    },
    input,
    reads,
    may_read,
    acts,
    run: (ctx, given) => {
      const { [KEY]: sent_key, [CONFIRMATION]: sent_confirmation, ...own } = given
      const said = {
        ...(sent_key !== undefined && { [KEY]: sent_key }),
        ...(sent_confirmation !== undefined && { [CONFIRMATION]: sent_confirmation }),
      }
      return definition.run(ctx, own as Static<TObject<P>>, said as Acting)
    },
  }
}

/** Whether a caller that reaches these operations is shown the tool. */
export function isOffered({ reads, acts }: OwnTool, reaches: (operation_id: string) => boolean): boolean {
  return reads.every(reaches) && (acts.length === 0 || acts.some(reaches))
}

/** Whether an operation leaves everything as it was. */
export const onlyReads = ({ method }: Pick<Operation, 'method'>) => method === 'GET'

/** A RUT as people write it; what is none is left for the operation to refuse. */
export const asRut = (text: string) => canonicalRut(text) ?? text
export { EMPRESA }
