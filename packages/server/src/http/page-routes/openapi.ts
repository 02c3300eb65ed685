import { stringify } from 'yaml'
import type { Operation } from '../../domain/operation.ts'
import { bootstrapContract, v1Contract } from '../../openapi/document.ts'
import type { Addresses } from '../../ports/ports.ts'
import type { PlainRoute } from '../server.ts'

type Where = Pick<Addresses, 'base_url' | 'public_url'>

/** The two contracts in both spellings, by file name. Aliases are spelt out: not every YAML reader follows them. */
export function contractFiles(operations: readonly Operation[], { base_url, public_url }: Where): Map<string, string> {
  const files = new Map<string, string>()
  const contracts = { v1: v1Contract(operations, base_url), bootstrap: bootstrapContract(operations, public_url) }
  for (const [name, contract] of Object.entries(contracts)) {
    files.set(`${name}.json`, `${JSON.stringify(contract, null, 2)}\n`)
    files.set(
      `${name}.yaml`,
      stringify(JSON.parse(JSON.stringify(contract)), { lineWidth: 0, aliasDuplicateObjects: false }),
    )
  }
  return files
}

/** Served with the addresses of this installation; written at the first question, since most processes are never asked. */
export function contractRoutes(operations: readonly Operation[], addresses: Where): PlainRoute[] {
  let files: Map<string, string> | undefined
  return ['v1.json', 'v1.yaml', 'bootstrap.json', 'bootstrap.yaml'].map((name) => ({
    path: `/openapi/${name}`,
    answer: () => {
      files ??= contractFiles(operations, addresses)
      const type = name.endsWith('.json') ? 'application/json; charset=utf-8' : 'application/yaml; charset=utf-8'
      return { status: 200, headers: { 'Content-Type': type }, body: files.get(name) ?? '' }
    },
  }))
}
