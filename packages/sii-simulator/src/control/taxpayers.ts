import { json } from '../door.ts'
import { PERMISSIONS, type Taxpayer } from '../state/types.ts'
import { newTaxpayer } from '../taxpayers.ts'
import {
  flag,
  type Input,
  list,
  matching,
  nullable,
  object,
  oneOf,
  optional,
  readInput,
  rut,
  text,
  whole,
} from './input.ts'
import type { ControlRoute } from './route.ts'

const DATE = /^20\d{2}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$/

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
      const asked = rut(input.rut, 'rut')
      const before = ctx.state.taxpayers.get(asked) ?? newTaxpayer(asked, ctx.clock.now(), 'registered')
      const after = changed(before, input)
      ctx.state.taxpayers.put(asked, after)
      return json(withoutSecrets(after))
    },
  },
]

const RESOLUTION = object({ number: optional(whole(0, 999_999)), date: matching(DATE, '2014-08-22') })
const USER = object({ rut, permissions: optional(list(PERMISSIONS.length, oneOf(PERMISSIONS))) })
const MAILBOX = nullable(text(254))
const CLAVE = nullable(text(200))

/** Lengths of the texts are those that a DTE may have of them (RznSoc, GiroEmis, DirOrigen, CmnaOrigen). */
const TAXPAYER = {
  rut,
  name: optional(text(100)),
  giro: optional(text(80)),
  address: optional(text(70)),
  comuna: optional(text(20)),
  sii_mailbox: MAILBOX,
  exchange_mailbox: MAILBOX,
  clave: CLAVE,
  clave_centralizado: CLAVE,
  sfg: optional(flag),
  authorised: optional(flag),
  tipos: nullable(list(50, whole(1, 999))),
  actecos: nullable(list(50, matching(/^\d{6}$/, '476101'))),
  users: nullable(list(200, USER)),
  representatives: nullable(list(50, rut)),
  certifying: nullable(list(50, whole(1, 999))),
  resolutions: optional(object({ certificacion: nullable(RESOLUTION), produccion: nullable(RESOLUTION) })),
}

/** Only what the caller sent changes; null puts a field back to "anything goes". */
function changed(before: Taxpayer, input: Input): Taxpayer {
  const { rut: _, resolutions, users, actecos, ...sent } = readInput(input, TAXPAYER)
  const given = Object.fromEntries(
    Object.entries(sent).filter(([name, value]) => value !== undefined && (value !== null || CLEARED.has(name))),
  )
  const after: Taxpayer = { ...before, ...given, origin: 'registered', resolutions: { ...before.resolutions } }
  if (actecos !== undefined) after.actecos = actecos ?? []
  if (users !== undefined)
    after.users =
      users?.map(({ rut: person, permissions }) => ({ rut: person, permissions: permissions ?? [...PERMISSIONS] })) ??
      null
  for (const ambiente of ['certificacion', 'produccion'] as const) {
    const resolution = resolutions?.[ambiente]
    if (resolution !== undefined)
      after.resolutions[ambiente] = resolution && { ...resolution, number: resolution.number ?? 0 }
  }
  return after
}

/** The fields that null takes away; of the others it says nothing. */
const CLEARED: ReadonlySet<string> = new Set([
  'sii_mailbox',
  'exchange_mailbox',
  'clave',
  'clave_centralizado',
  'tipos',
  'representatives',
  'certifying',
])

function withoutSecrets({ clave, clave_centralizado, ...rest }: Taxpayer) {
  return { ...rest, has_clave: clave !== null, has_clave_centralizado: clave_centralizado !== null }
}
