import { json } from '../door.ts'
import { PERMISSIONS, type Permission, type Resolution, type Taxpayer, type TaxpayerUser } from '../state/types.ts'
import { newTaxpayer } from '../taxpayers.ts'
import {
  optionalFlag,
  optionalList,
  optionalNumber,
  optionalObject,
  optionalText,
  requiredRut,
  requiredText,
} from './input.ts'
import { ControlRefusal, type ControlRoute } from './route.ts'

type Input = Record<string, unknown>

export const TAXPAYER_ROUTES: readonly ControlRoute[] = [
  {
    method: 'GET',
    path: '/control/taxpayers',
    handle: ({ state }) => json({ data: state.taxpayers.values().map(withoutSecrets) }),
  },
  {
    method: 'POST',
    path: '/control/taxpayers',
    handle(ctx, { input }) {
      const rut = requiredRut(input, 'rut')
      const before = ctx.state.taxpayers.get(rut) ?? newTaxpayer(rut, ctx.clock.now(), 'registered')
      const after = { ...before, origin: 'registered' as const, ...changesOf(input, before) }
      ctx.state.taxpayers.put(rut, after)
      return json(withoutSecrets(after))
    },
  },
]

/** Only what the caller sent changes; null puts a field back to "anything goes". */
function changesOf(input: Input, before: Taxpayer): Partial<Taxpayer> {
  const changes: Partial<Taxpayer> = {}
  for (const name of ['name', 'giro', 'address', 'comuna'] as const) {
    if (input[name] !== undefined) changes[name] = requiredText(input, name)
  }
  for (const name of ['sii_mailbox', 'exchange_mailbox', 'clave', 'clave_centralizado'] as const) {
    if (input[name] !== undefined) changes[name] = optionalText(input, name)
  }
  for (const name of ['sfg', 'authorised'] as const) {
    const flag = optionalFlag(input, name)
    if (flag !== null) changes[name] = flag
  }
  if (input.tipos !== undefined) changes.tipos = optionalList(input, 'tipos')?.map(Number) ?? null
  if (input.actecos !== undefined) changes.actecos = optionalList(input, 'actecos')?.map(String) ?? []
  if (input.users !== undefined) changes.users = optionalList(input, 'users')?.map(userOf) ?? null
  const resolutions = optionalObject(input, 'resolutions')
  if (resolutions) {
    changes.resolutions = { ...before.resolutions }
    for (const ambiente of ['certificacion', 'produccion'] as const) {
      if (resolutions[ambiente] !== undefined)
        changes.resolutions[ambiente] = resolutionOf(optionalObject(resolutions, ambiente))
    }
  }
  return changes
}

function resolutionOf(input: Input | null): Resolution | null {
  if (!input) return null
  const date = requiredText(input, 'date')
  if (!/^\d{4}-\d{2}-\d{2}$/.test(date)) throw new ControlRefusal('The date of a resolution is written 2014-08-22.')
  return { number: optionalNumber(input, 'number') ?? 0, date }
}

function userOf(input: unknown): TaxpayerUser {
  if (typeof input !== 'object' || input === null) throw new ControlRefusal('A user is {rut, permissions}.')
  const asked = optionalList(input as Input, 'permissions')?.map(String) ?? [...PERMISSIONS]
  const unknown = asked.find((name) => !(PERMISSIONS as readonly string[]).includes(name))
  if (unknown) throw new ControlRefusal(`There is no permission ${unknown}: they are ${PERMISSIONS.join(', ')}.`)
  return { rut: requiredRut(input as Input, 'rut'), permissions: asked as Permission[] }
}

function withoutSecrets({ clave, clave_centralizado, ...rest }: Taxpayer) {
  return { ...rest, has_clave: clave !== null, has_clave_centralizado: clave_centralizado !== null }
}
