import type { Operation } from '../domain/operation.ts'
import type { Surface } from './call.ts'

/** Where an operation answers: `/v1/empresas/{empresa_id}` on one surface. */
export interface Route {
  readonly operation: Operation
  readonly surface: Surface
  readonly path: string
}

/** Where each operation answers: under /v1, and for sessions under /dashboard and /v1/dashboard; /account stands alone. */
export function routesOf(operations: readonly Operation[]): Route[] {
  return operations.flatMap((operation): Route[] => {
    const { path } = operation
    if (operation.surface === 'bootstrap') return [{ operation, surface: 'bootstrap', path }]
    const main: Route = { operation, surface: 'v1', path: `/v1${path}` }
    if (!operation.dashboard) return [main]
    const mirrors = ['/dashboard', '/v1/dashboard'].map(
      (root): Route => ({ operation, surface: 'dashboard', path: root + path }),
    )
    return [main, ...mirrors]
  })
}
