import { santiago } from './clock.ts'
import type { Ambiente } from './hosts.ts'
import { parseRut } from './rut.ts'
import type { Simulator } from './simulator.ts'
import type { Permission, Resolution, Taxpayer } from './state/types.ts'

type World = Pick<Simulator, 'state' | 'clock' | 'settings'>

/**
 * The taxpayer of this RUT. Where registration is open, any RUT with a good check digit is one that may emit every
 * tipo, with everybody as its user; its resolution is the one its first envelope tells.
 */
export function taxpayerOf(ctx: World, rut: string): Taxpayer | null {
  const known = ctx.state.taxpayers.get(rut)
  if (known) return known
  if (!ctx.settings().open_registration || parseRut(rut) !== rut) return null
  return newTaxpayer(rut, ctx.clock.now(), 'first_seen')
}

export function newTaxpayer(rut: string, at: number, origin: Taxpayer['origin']): Taxpayer {
  return {
    rut,
    name: `Contribuyente ${rut}`,
    giro: 'Giro de prueba',
    address: 'Calle de Prueba 100',
    comuna: 'Santiago',
    actecos: [],
    resolutions: { certificacion: null, produccion: null },
    tipos: null,
    sii_mailbox: null,
    exchange_mailbox: null,
    users: null,
    clave: null,
    clave_centralizado: null,
    sfg: false,
    authorised: true,
    certifying: null,
    representatives: null,
    origin,
    first_seen_at: at,
  }
}

/** Keeps what an envelope was the first to tell about a taxpayer that nobody registered. */
export function learnTaxpayer(
  ctx: World,
  rut: string,
  seen: { name?: string; ambiente?: Ambiente; resolution?: Resolution },
): void {
  const taxpayer = taxpayerOf(ctx, rut)
  if (!taxpayer) return
  const { name, ambiente, resolution } = seen
  const learnt = {
    ...taxpayer,
    ...(name && taxpayer.origin === 'first_seen' ? { name } : {}),
    ...(ambiente && resolution && !taxpayer.resolutions[ambiente]
      ? { resolutions: { ...taxpayer.resolutions, [ambiente]: resolution } }
      : {}),
  }
  ctx.state.taxpayers.put(rut, learnt)
}

/** Whether this person may do this for that company: itself, or a user with the permission; anybody where none was named. */
export function may(ctx: World, person: string, permission: Permission, company: string): boolean {
  const taxpayer = taxpayerOf(ctx, company)
  if (!taxpayer) return false
  if (person === company || taxpayer.users === null) return true
  return taxpayer.users.some(({ rut, permissions }) => rut === person && permissions.includes(permission))
}

/** Whether this person is the company or one of its users, with whatever permission; anybody is where none was named. */
export function belongsTo(ctx: World, person: string, company: string): boolean {
  const taxpayer = taxpayerOf(ctx, company)
  if (!taxpayer) return false
  return person === company || taxpayer.users === null || taxpayer.users.some(({ rut }) => rut === person)
}

/**
 * What a taxpayer may do in an ambiente. Who has applied for certification may emit in certificación what it asked for,
 * whatever it may in producción.
 */
export function standingOf(taxpayer: Taxpayer, ambiente: Ambiente): { authorised: boolean; tipos: number[] | null } {
  const { authorised, tipos } = taxpayer
  const certifying = ambiente === 'certificacion' ? (taxpayer.certifying ?? null) : null
  if (certifying === null || (authorised && tipos === null)) return { authorised, tipos }
  return { authorised: true, tipos: [...new Set([...(authorised ? (tipos ?? []) : []), ...certifying])] }
}

/** Whether this person may bind the company: itself, one of its representatives, or its administrator where none was named. */
export function represents(ctx: World, person: string, company: string): boolean {
  const named = taxpayerOf(ctx, company)?.representatives ?? null
  return person === company || (named === null ? may(ctx, person, 'administrador', company) : named.includes(person))
}

/** Opens tipos to a taxpayer in certificación. Its envelopes there carry number 0 and the day of the first time (DTE rules, envelope). */
export function openToCertify(ctx: World, taxpayer: Taxpayer, tipos: readonly number[]): void {
  const certifying = [...new Set([...(taxpayer.certifying ?? []), ...tipos])].sort((a, b) => a - b)
  const certificacion = taxpayer.resolutions.certificacion ?? { number: 0, date: santiago(ctx.clock.now()).date }
  const resolutions = { ...taxpayer.resolutions, certificacion }
  ctx.state.taxpayers.put(taxpayer.rut, { ...taxpayer, certifying, resolutions })
}
