import type { Operation } from '../domain/operation.ts'
import { comment } from './comment.ts'
import { takesEmpresa } from './resources.ts'

const partsOf = (path: string) => path.split('/').slice(1)

/** Shortest beginnings of paths below which no operation takes Svc-Empresa: a call by its path alone leaves it out there. */
export function pathsWithoutEmpresa(operations: readonly Operation[]): string[] {
  const taking = operations.filter(takesEmpresa).map(({ path }) => partsOf(path))
  const found = new Set<string>()
  for (const operation of operations.filter((one) => !takesEmpresa(one))) {
    const parts = partsOf(operation.path)
    const still = parts.findIndex((part) => part.startsWith('{'))
    const named = still < 0 ? parts.length : still
    const shared = (length: number) =>
      taking.some((other) => parts.slice(0, length).every((part, i) => other[i] === part))
    let length = 1
    while (length < named && shared(length)) length++
    if (shared(length)) throw new Error(`${operation.id}: its path does not tell that Svc-Empresa is left out`)
    found.add(parts.slice(0, length).join('/'))
  }
  return [...found].sort()
}

export function accountPaths(operations: readonly Operation[]): string {
  return (
    comment(['Beginnings of the paths whose operations refuse Svc-Empresa, or name the empresa themselves.']) +
    `export const PATHS_WITHOUT_EMPRESA: readonly string[] = [\n${pathsWithoutEmpresa(operations)
      .map((path) => `  '${path}',\n`)
      .join('')}]\n`
  )
}
