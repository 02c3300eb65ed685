// Holds every answer that a test receives against the contract of its operation.

import { isRut } from '@timbre/dte/values'
import { Ajv, type ValidateFunction } from 'ajv'
import formats from 'ajv-formats'
import type { TSchema } from 'typebox'
import type { Operation } from '../../src/domain/operation.ts'
import { accountCodesOf, codesOf } from '../../src/domain/operation-codes.ts'
import { type OperationRoute, routesOf } from '../../src/http/routes.ts'
import { isArtifact } from '../../src/kernel/schema.ts'

// A schema is compiled for a handful of answers: making the code shorter costs more than it saves.
const ajv = new Ajv({ strict: false, allErrors: true, code: { optimize: false } })
formats.default(ajv)
ajv.addFormat('rut', isRut)
const compiled = new WeakMap<TSchema, ValidateFunction>()

interface Shaped {
  readonly route: OperationRoute
  readonly shape: RegExp
}

const shapes = new WeakMap<readonly Operation[], ReadonlyMap<string, Shaped[]>>()
/** Addresses of one method and of as many parts: a few of hundreds. */
const kindOf = (method: string, path: string) => `${method} ${path.split('/').length}`

function shapesOf(operations: readonly Operation[]): ReadonlyMap<string, Shaped[]> {
  const known = shapes.get(operations)
  if (known) return known
  const made = new Map<string, Shaped[]>()
  for (const route of routesOf(operations)) {
    const kind = kindOf(route.operation.method, route.path)
    const shape = new RegExp(`^${route.path.replace(/\{\w+\}/g, '[^/]+')}$`)
    made.set(kind, [...(made.get(kind) ?? []), { route, shape }])
  }
  shapes.set(operations, made)
  return made
}

function operationAt(operations: readonly Operation[], method: string, url: string): OperationRoute | undefined {
  const [path = ''] = url.split('?')
  return shapesOf(operations)
    .get(kindOf(method, path))
    ?.find(({ shape }) => shape.test(path))?.route
}

const codes = new WeakMap<Operation, readonly string[]>()

function declaredBy(operation: Operation, api: string): readonly string[] {
  const known = codes.get(operation)
  if (known) return known
  const declared = api === 'bootstrap' ? accountCodesOf(operation) : codesOf(operation)
  codes.set(operation, declared)
  return declared
}

// Raised for an address that no operation took.
const ROUTER_CODES = ['invalid_url', 'method_not_allowed', 'route_not_found']

/** An answer a test received, held against the contract of its operation. Gives what was raised, for the tally. */
export function checkAnswer(
  operations: readonly Operation[],
  method: string,
  url: string,
  sent: { status: number; body: unknown; text: string },
): string | null {
  const route = operationAt(operations, method, url)
  if (!route) return null
  const { operation, api } = route
  if (sent.status < 300) {
    checkBody(operation, api === 'bootstrap' ? (sent.body as { data: unknown }).data : sent.body)
    return null
  }
  const code = codeOf(api, sent.body)
  if (ROUTER_CODES.includes(code)) return null
  if (!declaredBy(operation, api).includes(code))
    throw new Error(`${operation.id} raised ${code} and does not declare it`)
  return `${operation.id} ${code}`
}

function codeOf(api: string, body: unknown): string {
  if (api !== 'bootstrap') return (body as { error: { code: string } }).error.code
  return (body as { errors: [string] }).errors[0]
}

function checkBody(operation: Operation, body: unknown): void {
  const fault = faultOf(operation, body)
  if (fault !== null) throw new Error(`${operation.id} answered outside its contract: ${fault}`)
}

/** What in the body of an answer is not as its operation says; null where nothing is, or where it is a file. */
export function faultOf({ returns }: Operation, body: unknown): string | null {
  if (returns === null || isArtifact(returns)) return null
  let check = compiled.get(returns)
  if (!check) {
    check = ajv.compile(returns)
    compiled.set(returns, check)
  }
  return check(body) ? null : ajv.errorsText(check.errors)
}
