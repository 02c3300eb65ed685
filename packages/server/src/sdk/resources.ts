import type { TSchema } from 'typebox'
import { BUCKETS } from '../catalog/limits.ts'
import { isOperators } from '../domain/context.ts'
import { namesEmpresa, type Operation } from '../domain/operation.ts'
import { isArtifact } from '../kernel/schema.ts'
import { answerNames, bodyName, requestName } from '../openapi/names.ts'
import { comment } from './comment.ts'
import { camel, pascal, pathNames } from './names.ts'
import type { TypeWriter } from './type-writer.ts'

/** The operations of one resource and of those inside it, as their ids nest. */
interface Branch {
  readonly operations: Map<string, Operation>
  readonly branches: Map<string, Branch>
}

const newBranch = (): Branch => ({ operations: new Map(), branches: new Map() })

/** `tax.f29.filings.create` is the method `create` of `filings` of `f29` of `tax`. */
export function treeOf(operations: readonly Operation[]): Branch {
  const root = newBranch()
  for (const operation of operations) {
    const names = operation.id.split('.').map(camel)
    const verb = names.pop() ?? ''
    let branch = root
    for (const name of names) {
      const next = branch.branches.get(name) ?? newBranch()
      if (branch.operations.has(name)) throw new Error(`${operation.id}: ${name} is an operation and a resource`)
      branch.branches.set(name, next)
      branch = next
    }
    if (branch.operations.has(verb) || branch.branches.has(verb)) throw new Error(`${operation.id} is taken`)
    branch.operations.set(verb, operation)
  }
  return root
}

function isList(schema: TSchema | null): boolean {
  const { properties } = (schema ?? {}) as { properties?: Record<string, { const?: unknown }> }
  return properties?.object?.const === 'list'
}

/** Whether Svc-Empresa belongs to a call: where the path names the empresa, or none is meant, it is left out. */
export function takesEmpresa(operation: Operation): boolean {
  return operation.reach === 'empresa' && !namesEmpresa(operation)
}

/** What the core needs to know of an operation, a letter for each; `resource.ts` of the SDK reads them. */
function letters(operation: Operation): string {
  const { reach, query, body, idempotent, returns } = operation
  const byCredential = reach === 'account' || reach === 'empresa'
  if (byCredential && !operation.dashboard) throw new Error(`${operation.id}: a session has no such path`)
  return [
    takesEmpresa(operation) && 'e',
    idempotent !== false && 'k',
    body && 'b',
    query && 'q',
    isList(returns) && 'l',
    isArtifact(returns) && 'f',
    reach === 'public' && 'p',
    reach === 'session' && 's',
    isOperators(reach) && 'o',
  ]
    .filter(Boolean)
    .join('')
}

const rowOf = (operation: Operation) => `'${operation.method} ${operation.path} ${letters(operation)}'`

function answerType(types: TypeWriter, operation: Operation): string {
  const { returns, api } = operation
  if (isArtifact(returns)) return 'Promise<FileAnswer>'
  const bare = (schema: TSchema) => {
    const { own, element = own } = answerNames(operation, schema)
    if (!isList(schema) || 'title' in schema) return types.declare(own, schema, 'answered')
    const { data } = (schema as unknown as { properties: { data: { items: TSchema } } }).properties
    return `List<${types.declare(element, data.items, 'answered')}>`
  }
  if (api === 'bootstrap') return `Promise<AccountAnswer<${returns === null ? 'null' : bare(returns)}>>`
  if (returns === null) return 'Promise<void>'
  return isList(returns) ? `PageCall<${bare(returns)}>` : `Promise<${bare(returns)}>`
}

/** The contract's name of what is sent; a query has none there, and is called after its operation too. */
function inputName(operation: Operation, answers: ReadonlySet<string>): string {
  return operation.body ? requestName(operation, answers) : `${bodyName(operation)}Query`
}

function inputOf(types: TypeWriter, operation: Operation, answers: ReadonlySet<string>): string[] {
  const schema = operation.body ?? operation.query
  if (!schema) return []
  if (operation.body && operation.query) throw new Error(`${operation.id} takes a body and a query`)
  const { required = [] } = schema as unknown as { required?: readonly string[] }
  const optional = required.length === 0 ? '?' : ''
  // By the operation, as in the contract: two that take the same have a name each.
  const { title: _, ...untitled } = schema as TSchema & { readonly title?: string }
  return [`input${optional}: ${types.declare(inputName(operation, answers), untitled, 'sent')}`]
}

function about(operation: Operation, docs: string): string {
  const { summary, description, scope, limit, test_only, sunset } = operation
  return comment(
    [
      `${summary}.`,
      description,
      scope && `Scope: \`${scope}\`.`,
      limit && `Limit: ${BUCKETS[limit].max} per ${BUCKETS[limit].window_seconds} s.`,
      test_only ? 'Test mode only.' : undefined,
      sunset && `@deprecated It goes away on ${sunset}.`,
      `@see ${docs}`,
    ],
    '  ',
  )
}

export interface ResourceFile {
  readonly name: string
  readonly file: string
  readonly type: string
  readonly text: string
}

/** What the contract knows of an operation beside its row. */
export interface AboutOperations {
  /** The address of its description. */
  readonly docsOf: (operation: Operation) => string
  /** The names that answers of its contract have. */
  readonly answersOf: (operation: Operation) => ReadonlySet<string>
}

const CORE_TYPES = ['AccountAnswer', 'CallOptions', 'FileAnswer', 'List', 'PageCall'] as const

/** One resource as a file: its methods as an interface with the sentences of the contract, and its table. */
export function resourceFile(
  types: TypeWriter,
  name: string,
  branch: Branch,
  { docsOf, answersOf }: AboutOperations,
): ResourceFile {
  const interfaces: string[] = []
  const write = (of: Branch, noun: string, indent: string): string => {
    const methods = [...of.operations].map(([verb, operation]) => {
      const path = pathNames(operation.path).map((part) => `${part}: string`)
      const given = [...path, ...inputOf(types, operation, answersOf(operation)), 'options?: CallOptions'].join(', ')
      return `${about(operation, docsOf(operation))}  ${verb}(${given}): ${answerType(types, operation)}\n`
    })
    const rows = [...of.operations].map(([verb, operation]) => `${indent}  ${verb}: ${rowOf(operation)},\n`)
    const inner = [...of.branches].map(([part, below]) => {
      const inside = noun + pascal(part)
      return {
        field: `  readonly ${part}: ${inside}Resource\n`,
        row: `${indent}  ${part}: ${write(below, inside, `${indent}  `)},\n`,
      }
    })
    interfaces.push(
      `export interface ${noun}Resource {\n${methods.join('')}${inner.map(({ field }) => field).join('')}}\n`,
    )
    return `{\n${rows.join('')}${inner.map(({ row }) => row).join('')}${indent}}`
  }
  const type = `${pascal(name)}Resource`
  const table = write(branch, pascal(name), '')
  const body = [
    ...interfaces.reverse(),
    `export const ${name}: ResourceOf<${type}> = /* @__PURE__ */ resource<${type}>(${table})\n`,
  ].join('\n')
  const words = new Set(body.match(/\w+/g))
  const used = (names: Iterable<string>) => [...names].filter((one) => words.has(one)).sort()
  const imports = [
    `import { type ResourceOf, resource } from '../../resource.ts'`,
    `import type { ${used(CORE_TYPES).join(', ')} } from '../../shapes.ts'`,
    ...(used(['Event']).length > 0 ? [`import type { Event } from '../events.ts'`] : []),
    ...(used(types.declarations.keys()).length > 0
      ? [`import type { ${used(types.declarations.keys()).join(', ')} } from '../types.ts'`]
      : []),
  ]
  const file = name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
  return { name, file, type, text: `${imports.join('\n')}\n\n${body}` }
}
