import { SCOPE_NAMES, type Scope } from '../../../catalog/scopes.ts'

/** Scopes that a person gives together, told in one sentence. */
export interface Bundle {
  readonly scopes: readonly Scope[]
  readonly title: string
  readonly says: string
  /** Why to think twice; a bundle that has one is off until the person turns it on. */
  readonly danger?: string
}

/**
 * What an agent can be given, as a person thinks of it. Every scope that opens a tool to an agent is in one of them and in no
 * other. One that opens none is never asked for: what binds a taxpayer or declares the acts of people, and keys.
 */
export const BUNDLES = {
  look: {
    scopes: ['documents:read', 'empresas:read', 'webhooks:read'],
    title: 'Mirar',
    says: 'Tus documentos, impuestos, banco, empresas y avisos. No cambia nada.',
  },
  work: {
    scopes: ['documents:write'],
    title: 'Emitir y responder',
    says: 'Facturar, enviar, contestar a proveedores, anotar pagos, ceder y cerrar el mes.',
    danger: 'Llega al SII y no se borra.',
  },
  arrange: {
    scopes: ['empresas:write', 'folios:write'],
    title: 'Ordenar tus empresas',
    says: 'Sus datos, su logo, tus clientes y los folios; archivarlas y borrar las de prueba.',
    danger: 'Se nota en lo que emitas después.',
  },
  notify: {
    scopes: ['webhooks:write'],
    title: 'Avisar a otros sistemas',
    says: 'Elegir qué servidores reciben tus eventos.',
    danger: 'Tus datos pueden salir de aquí.',
  },
  launch: {
    scopes: ['onboarding:write'],
    title: 'Poner una empresa en marcha',
    says: 'Hacer que se revisen otra vez los pasos ante el SII.',
    danger: 'Lleva a producción.',
  },
} as const satisfies Record<string, Bundle>

export type BundleKey = keyof typeof BUNDLES
export const BUNDLE_KEYS = Object.keys(BUNDLES) as BundleKey[]

const holds = (key: BundleKey, scope: Scope) => (BUNDLES[key].scopes as readonly Scope[]).includes(scope)

/** Scopes an agent may be given. */
export const AGENT_SCOPES: readonly Scope[] = SCOPE_NAMES.filter((scope) =>
  BUNDLE_KEYS.some((key) => holds(key, scope)),
)

/** The bundles in which something was asked for, in the order they are shown. */
export function bundlesOf(requested: readonly Scope[]): BundleKey[] {
  return BUNDLE_KEYS.filter((key) => requested.some((scope) => holds(key, scope)))
}

export const scopesIn = (key: BundleKey, requested: readonly Scope[]): Scope[] =>
  requested.filter((scope) => holds(key, scope))

/** A scope is given where its bundle is on and it was not taken out of it. */
export function chosenScopes({
  bundles,
  scopes,
}: {
  readonly bundles: readonly BundleKey[]
  readonly scopes: readonly Scope[]
}): Scope[] {
  return scopes.filter((scope) => bundles.some((key) => holds(key, scope)))
}
