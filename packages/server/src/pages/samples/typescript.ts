import { isOperators } from '../../domain/context.ts'
import type { Operation } from '../../domain/operation.ts'
import type { Example } from '../../domain/recorded-examples.ts'
import type { Sent } from './sent.ts'

const camel = (word: string) => word.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())

/** `documents.public_links.create` -> `documents.publicLinks.create`. */
export const methodOf = (operation: Operation) => operation.id.split('.').map(camel).join('.')

const quoted = (text: string) => `'${JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`
const key = (name: string) => (/^[A-Za-z_$][\w$]*$/.test(name) ? name : quoted(name))

/** A value as it is written by hand: keys without quotes, single quotes elsewhere, short lists on one line. */
function literal(value: unknown, indent = ''): string {
  if (typeof value === 'string') return quoted(value)
  if (value === null || typeof value !== 'object') return String(value)
  const inner = `${indent}  `
  const [open, close] = Array.isArray(value) ? '[]' : '{}'
  const parts = Array.isArray(value)
    ? value.map((one) => literal(one, inner))
    : Object.entries(value).map(([name, one]) => `${key(name)}: ${literal(one, inner)}`)
  const line = Array.isArray(value) ? `[${parts.join(', ')}]` : `{ ${parts.join(', ')} }`
  if (parts.length === 0) return `${open}${close}`
  if (line.length + indent.length < 60 && !line.includes('\n')) return line
  return `${open}\n${parts.map((part) => `${inner}${part},\n`).join('')}${indent}${close}`
}

/** The answer's name in the sample: what the noun is called in the singular. */
function nameOf({ id }: Operation): string {
  const words = id.split('.')
  const noun = words.length > 1 ? (words.at(-2) as string) : id
  return camel(noun.replace(/ies$/, 'y').replace(/(?<!s)s$/, ''))
}

const isList = ({ returns }: Operation) =>
  (returns as { readonly properties?: Readonly<Record<string, { readonly const?: unknown }>> } | null)?.properties
    ?.object?.const === 'list'

/** The query of a read, or the body of a write: a call has one of them. Numbers of a query are numbers in code. */
function inputOf(operation: Operation, { request }: Example): unknown {
  if (request.body !== undefined) return request.body
  if (!request.query || Object.keys(request.query).length === 0) return undefined
  const types = (operation.query?.properties ?? {}) as Readonly<Record<string, { readonly type?: string }>>
  return Object.fromEntries(
    Object.entries(request.query).map(([name, value]) => {
      const type = types[name]?.type
      if (type === 'integer' || type === 'number') return [name, Number(value)]
      return [name, type === 'boolean' ? value === 'true' : value]
    }),
  )
}

/** Who calls: a key by itself, and what is not a key by name. */
function clientOf({ reach }: Operation): string {
  if (isOperators(reach)) return 'new Timbre({ operatorSecret: process.env.TIMBRE_OPERATOR_SECRET })'
  return reach === 'session' ? 'new Timbre({ key: process.env.TIMBRE_SESSION })' : 'new Timbre()'
}

/** The call with our own package, which reads TIMBRE_KEY, TIMBRE_EMPRESA and TIMBRE_URL by itself. */
export function typescriptSample(operation: Operation, example: Example, { file }: Pick<Sent, 'file'>): string {
  const names = [...operation.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name as string)
  const params = names.map((name) => quoted(example.request.params?.[name] ?? `{${name}}`))
  const input = inputOf(operation, example)
  const args = [...params, ...(input === undefined ? [] : [literal(input)])].join(', ')
  const call = `timbre.${methodOf(operation)}(${args})`
  const name = nameOf(operation)
  const head = `import { Timbre } from '@timbre/sdk'\n\nconst timbre = ${clientOf(operation)}\n`
  if (file !== null) {
    return `import { writeFile } from 'node:fs/promises'\n${head}
const file = await ${call}
await writeFile('${file}', await file.bytes())`
  }
  if (isList(operation)) return `${head}\nfor await (const ${name} of ${call}) {\n  console.log(${name})\n}`
  if (operation.returns === null) return `${head}\nawait ${call}`
  return `${head}\nconst ${name} = await ${call}\nconsole.log(${name})`
}
