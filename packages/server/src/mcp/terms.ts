import type { Operation } from '../domain/operation.ts'
import { EMPRESA, KEY } from './input.ts'

export const toolName = ({ id }: Pick<Operation, 'id'>) => id.replaceAll('.', '_')

/** Whether a text means this route: with its parameters by their names, or by the values that one thing has. */
function isRoute(route: readonly string[], written: readonly string[]): boolean {
  return route.length === written.length && route.every((part, i) => part.startsWith('{') || part === written[i])
}

/** How closely a route fits: one that is spelt out goes before one that takes anything in that place. */
const fixedParts = ({ path }: Operation) => path.split('/').filter((part) => !part.startsWith('{')).length

/** Replaces the routes and headers that texts of the table name by the tools and arguments that an agent knows. */
export function toolTerms(operations: readonly Operation[]): (text: string) => string {
  const routes = [...operations]
    .sort((one, other) => fixedParts(other) - fixedParts(one))
    .map((operation) => ({ ...operation, route: operation.path.split('/') }))
  return (text) =>
    text
      .replace(/\b(GET|POST|PATCH|DELETE) (?:\/v1)?(\/[\w/{}-]*[\w}])/g, (whole, method: string, path: string) => {
        const written = path.split('/')
        const found = routes.find((one) => one.method === method && isRoute(one.route, written))
        return found && found.mcp.not === undefined ? `\`${toolName(found)}\`` : whole
      })
      .replaceAll('the Svc-Empresa header', `\`${EMPRESA}\``)
      .replaceAll(/`?Svc-Empresa`?/g, `\`${EMPRESA}\``)
      .replaceAll(/`?Idempotency-Key`?(?: header)?/g, `\`${KEY}\``)
      .replaceAll(', or poll it as `Svc-Poll-After` says', ', or read it again')
      .replaceAll(/`[45]\d\d (\w+)`/g, '`$1`')
}
