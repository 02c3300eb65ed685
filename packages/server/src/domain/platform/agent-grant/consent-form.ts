import { isRut, TIPO_NUMBERS } from '@timbre/dte/values'
import { isMode, MODES, type Mode } from '../../../catalog/modes.ts'
import type { Scope } from '../../../catalog/scopes.ts'
import type { Sql } from '../../../kernel/db.ts'
import { findAccountEmail } from '../account/lookup.ts'
import { listActiveEmpresas } from '../empresa/lookup.ts'
import { BUNDLES, type Bundle, type BundleKey, bundlesOf, chosenScopes } from './bundles.ts'
import type { NewGrant } from './create.ts'

/** The empresas that a person chooses from, in each mode. */
export interface Choices {
  readonly account_id: string
  readonly email: string
  readonly email_verified: boolean
  readonly empresas: readonly { readonly rut: string; readonly legal_name: string; readonly mode: Mode }[]
}

/** More than a person ticks one by one; `all` reaches the others. */
const MOST = 200

export async function readChoices(sql: Sql, account_id: string): Promise<Choices | null> {
  const account = await findAccountEmail(sql, account_id)
  if (!account) return null
  const empresas = await listActiveEmpresas(sql, account_id, MOST)
  return { account_id, email: account.email, email_verified: account.verified, empresas }
}

/** The state of the form: at first what we suggest, afterwards what the person sent. */
export interface ConsentDraft {
  readonly mode: Mode
  /** `all`, or RUTs, of each mode: a person may look at both before deciding. */
  readonly all: Readonly<Record<Mode, boolean>>
  readonly empresas: Readonly<Record<Mode, readonly string[]>>
  readonly bundles: readonly BundleKey[]
  /** Scopes that are not taken out of their bundle. Only those of a bundle that is on are given. */
  readonly scopes: readonly Scope[]
  readonly max_clp_per_document: string
  readonly max_clp_per_day: string
  readonly tipos: readonly number[]
  readonly receptores: string
  /** Null for an end that is not among those offered. */
  readonly days: number | null
  readonly two_steps: boolean
}

export type Form = Readonly<Record<string, string | undefined>>

export const DAYS = [1, 7, 30, 90, 180, 365] as const
const DEFAULT_DAYS = 90
const MOST_RECEPTORES = 200
const MOST_PESOS = 999_999_999_999

export const fieldOf = {
  all: (mode: Mode) => `all_${mode}`,
  empresa: (mode: Mode, rut: string) => `empresa_${mode}_${rut}`,
  bundle: (key: BundleKey) => `bundle_${key}`,
  scope: (scope: Scope) => `scope_${scope}`,
  tipo: (tipo: number) => `tipo_${tipo}`,
}

const onlyOne = (ruts: readonly string[]) => (ruts.length === 1 ? ruts : [])

function rutsOf({ empresas }: Choices, of: Mode): string[] {
  return empresas.filter(({ mode }) => mode === of).map(({ rut }) => rut)
}

const isHarmless = (key: BundleKey) => (BUNDLES[key] as Bundle).danger === undefined

/** Careful by default: the sandbox, read-only scopes, caps, and a confirmation before each act that cannot be undone. */
export function suggestedDraft(requested: readonly Scope[], choices: Choices): ConsentDraft {
  return {
    mode: 'test',
    all: { test: false, live: false },
    empresas: { test: onlyOne(rutsOf(choices, 'test')), live: onlyOne(rutsOf(choices, 'live')) },
    bundles: bundlesOf(requested).filter(isHarmless),
    scopes: requested,
    max_clp_per_document: '1.000.000',
    max_clp_per_day: '5.000.000',
    tipos: TIPO_NUMBERS,
    receptores: '',
    days: DEFAULT_DAYS,
    two_steps: true,
  }
}

export function submittedDraft(form: Form, requested: readonly Scope[], choices: Choices): ConsentDraft {
  const on = (name: string) => form[name] === 'on'
  const ticked = (mode: Mode) => rutsOf(choices, mode).filter((rut) => on(fieldOf.empresa(mode, rut)))
  return {
    mode: isMode(form.mode) ? form.mode : 'test',
    all: { test: on(fieldOf.all('test')), live: on(fieldOf.all('live')) },
    empresas: { test: ticked('test'), live: ticked('live') },
    bundles: bundlesOf(requested).filter((key) => on(fieldOf.bundle(key))),
    // Only what the client asked for can be turned on, whatever the form carries.
    scopes: requested.filter((scope) => on(fieldOf.scope(scope))),
    max_clp_per_document: (form.max_clp_per_document ?? '').slice(0, 30),
    max_clp_per_day: (form.max_clp_per_day ?? '').slice(0, 30),
    tipos: TIPO_NUMBERS.filter((tipo) => on(fieldOf.tipo(tipo))),
    receptores: form.receptores ?? '',
    days: DAYS.find((each) => String(each) === form.days) ?? null,
    two_steps: on('two_steps'),
  }
}

/** Refuses a form, in words for the person. */
export class ConsentRefused extends Error {
  readonly status: number
  constructor(message: string, status = 400) {
    super(message)
    this.status = status
  }
}

// Points stand between thousands and nowhere else: 500.00 must not become a limit of 50,000.
const PESOS = /^\$?(\d+|\d{1,3}(\.\d{3})+)$/

function pesosIn(text: string, what: string): number | null {
  const written = text.replace(/\s/g, '')
  if (written === '') return null
  const amount = Number(written.replace(/[.$]/g, ''))
  if (!PESOS.test(written) || amount < 1 || amount > MOST_PESOS) {
    throw new ConsentRefused(
      `El ${what} debe ser un monto en pesos, sin decimales, como 150.000. Déjalo vacío si no quieres tope.`,
    )
  }
  return amount
}

function rutsIn(text: string): string[] | null {
  const written = text.split(/[\s,;]+/).filter((each) => each !== '')
  if (written.length === 0) return null
  const ruts = written.map((each) => each.replaceAll('.', '').toUpperCase())
  const wrong = ruts.findIndex((rut) => !isRut(rut))
  if (wrong !== -1) throw new ConsentRefused(`${written[wrong]} no es un RUT válido. Escríbelo como 76192083-9.`)
  if (ruts.length > MOST_RECEPTORES) throw new ConsentRefused(`Caben ${MOST_RECEPTORES} RUT de receptores a lo más.`)
  return [...new Set(ruts)]
}

export type AllowedGrant = Omit<
  NewGrant,
  'account_id' | 'client_id' | 'client_name' | 'client_host' | 'write_to' | 'id'
>

/** The grant that a form asks for; throws ConsentRefused where something is missing. */
export function grantFrom(draft: ConsentDraft, choices: Choices): AllowedGrant {
  const { mode, tipos, days } = draft
  const scopes = chosenScopes(draft)
  if (MODES[mode].needs_verified_email && !choices.email_verified) {
    const text = 'Para dar acceso a producción confirma primero tu correo: te enviamos un enlace al registrarte.'
    throw new ConsentRefused(text, 403)
  }
  const empresas = draft.all[mode] ? ['*'] : draft.empresas[mode]
  if (empresas.length === 0) throw new ConsentRefused('Elige al menos una empresa, o todas.')
  if (scopes.length === 0) throw new ConsentRefused('Activa al menos un permiso, o rechaza la solicitud.')
  if (days === null) throw new ConsentRefused('Elige cuándo vence el acceso, entre los plazos que se ofrecen.')
  if (tipos.length === 0) throw new ConsentRefused('Elige al menos un tipo de documento.')
  return {
    mode,
    scopes,
    empresas: [...empresas],
    two_steps: draft.two_steps,
    max_clp_per_document: pesosIn(draft.max_clp_per_document, 'tope por documento'),
    max_clp_per_day: pesosIn(draft.max_clp_per_day, 'tope por día'),
    tipos: tipos.length === TIPO_NUMBERS.length ? null : [...tipos],
    receptores: rutsIn(draft.receptores),
    days,
  }
}
