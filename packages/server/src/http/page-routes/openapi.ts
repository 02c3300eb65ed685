import type { Operation } from '../../domain/operation.ts'
import { type ContractAddresses, contractFiles } from '../../openapi/document.ts'
import type { PlainRoute } from '../routes.ts'

/** The contracts with the addresses of this installation, written at the first request: most processes never get one. */
export function contractRoutes(operations: readonly Operation[], addresses: ContractAddresses): PlainRoute[] {
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
