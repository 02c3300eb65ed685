import { ACCOUNT_ERRORS } from '../catalog/account-errors.ts'
import { ERRORS } from '../catalog/errors.ts'
import type { Operation } from '../domain/operation.ts'
import { titlesOf } from '../openapi/names.ts'
import { comment } from './comment.ts'
import { eventsFile } from './events.ts'
import { accountPaths } from './paths.ts'
import { type ResourceFile, resourceFile, treeOf } from './resources.ts'
import { TypeWriter } from './type-writer.ts'

const HEAD = '// Generated from the operation table: `npm run generate` writes it anew.\n\n'

function codesFile(): string {
  const codes = (names: readonly string[]) => [...names].sort().map((code) => `\n  | '${code}'`)
  return [
    comment(['Every code that a refusal of the API carries.']) +
      `export type ErrorCode =${codes(Object.keys(ERRORS)).join('')}\n`,
    comment(['Every code of /account.']) +
      `export type AccountErrorCode =${codes(Object.keys(ACCOUNT_ERRORS)).join('')}\n`,
  ].join('\n')
}

/** Resources to which the SDK adds methods of its own, each in a file of its name. */
const EXTENDED: Readonly<Record<string, string>> = { documents: 'Documents', events: 'Events', jobs: 'Jobs' }

function clientFile(resources: readonly ResourceFile[]): string {
  const all = resources.map(({ name, type, file }) => {
    const own = EXTENDED[name]
    return { name, type: own ?? type, from: own ? `../resources/${file}.ts` : `./resources/${file}.ts` }
  })
  const imports = all.map(({ name, type, from }) => `import { ${name}, type ${type} } from '${from}'\n`)
  const getters = all.map(
    ({ name, type }) => `  get ${name}(): ${type} {\n    return this.#made('${name}', ${name})\n  }\n`,
  )
  return [
    `import { Client } from '../client.ts'\nimport type { ResourceOf } from '../resource.ts'\n${imports.join('')}`,
    `${comment(['A client with every resource. One is put together when it is first used.'])}export class ResourceClient extends Client {
  readonly #resources = new Map<string, unknown>()

  #made<Resource>(name: string, make: ResourceOf<Resource>): Resource {
    const known = this.#resources.get(name) as Resource | undefined
    if (known !== undefined) return known
    const made = make(this)
    this.#resources.set(name, made)
    return made
  }

${getters.join('\n')}}
`,
  ].join('\n')
}

/** The generated part of the SDK, by file name from the root of the repository. */
export function sdkFiles(
  operations: readonly Operation[],
  docsOf: (operation: Operation) => string,
): Map<string, string> {
  const types = new TypeWriter({ Event: 'Event' })
  const titles = new Map(
    operations.map(({ api }) => [api, titlesOf(operations.filter((operation) => operation.api === api))]),
  )
  const answersOf = ({ api }: Operation) => titles.get(api) ?? new Set<string>()
  const resources = [...treeOf(operations).branches].map(([name, branch]) =>
    resourceFile(types, name, branch, { docsOf, answersOf }),
  )
  const declared = types.declarations
  const texts = new Map([
    ['types.ts', [...declared.values()].join('\n')],
    ['events.ts', eventsFile(declared)],
    ['codes.ts', codesFile()],
    ['account-paths.ts', accountPaths(operations)],
    ['resource-client.ts', clientFile(resources)],
    [
      'resources.ts',
      resources
        .filter(({ name }) => !(name in EXTENDED))
        .map(({ file }) => `export * from './resources/${file}.ts'\n`)
        .join(''),
    ],
    ...resources.map(({ file, text }) => [`resources/${file}.ts`, text] as const),
  ])
  return new Map([...texts].map(([name, text]) => [`packages/sdk/src/generated/${name}`, HEAD + text]))
}
