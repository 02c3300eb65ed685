import type { Operation } from '../domain/operation.ts'
import { EMPRESA, KEY } from './input.ts'

export const toolName = ({ id }: Pick<Operation, 'id'>) => id.replaceAll('.', '_')

const shapeOf = (method: string, path: string) => `${method} ${path.replace(/\{\w+\}/g, '{}')}`

/** Replaces the routes and headers that texts of the table name by the tools and arguments that an agent knows. */
export function toolTerms(operations: readonly Operation[]): (text: string) => string {
  const tools = new Map(
    operations
      .filter(({ mcp }) => mcp.not === undefined)
      .map((operation) => [shapeOf(operation.method, operation.path), toolName(operation)]),
  )
  return (text) =>
    text
      .replace(/\b(GET|POST|PATCH|DELETE) (?:\/v1)?(\/[\w/{}]+)/g, (whole, method: string, path: string) => {
        const found = tools.get(shapeOf(method, path))
        return found === undefined ? whole : `\`${found}\``
      })
      .replaceAll('the Svc-Empresa header', `\`${EMPRESA}\``)
      .replaceAll(/`?Svc-Empresa`?/g, `\`${EMPRESA}\``)
      .replaceAll(/`?Idempotency-Key`?(?: header)?/g, `\`${KEY}\``)
      .replaceAll(', or poll it as `Svc-Poll-After` says', ', or read it again')
      .replaceAll(/`[45]\d\d (\w+)`/g, '`$1`')
}
