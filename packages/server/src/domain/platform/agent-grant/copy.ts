import { isTipoDte, pesos, santiagoDate, tipo } from '@timbre/dte/values'
import { ASKED_ALWAYS } from '../../../catalog/always-confirmed.ts'
import type { Mode } from '../../../catalog/modes.ts'
import type { Scope } from '../../../catalog/scopes.ts'
import type { GrantLimits } from '../../../kernel/scope.ts'
import type { Draft } from '../mail/compose.ts'
import type { AgentMaking } from './schema.ts'
import type { GrantRow } from './show.ts'

export interface ScopeWords {
  readonly title: string
  readonly says: string
  /** Why to think twice; a scope that has one is off until the person turns it on. */
  readonly danger?: string
}

/** Of what no tool of an agent needs: an earlier grant may hold it, and gains nothing by it. */
const NEVER = 'Nunca se entrega a un agente.'

/** Explains each scope to the person who decides. */
export const SCOPE_WORDS: Readonly<Record<Scope, ScopeWords>> = {
  'documents:read': {
    title: 'Leer documentos e impuestos',
    says: 'Ver lo que emites y recibes, tus folios, el registro de compras y ventas, el F29 y los movimientos de tu banco.',
  },
  'documents:write': {
    title: 'Emitir documentos y responder a proveedores',
    says: 'Emitir boletas, facturas y notas, enviarlas por correo, aceptar o reclamar facturas, ceder y trabajar el F29.',
    danger: 'Lo que se emite o se declara llega al SII y no se borra. Los topes de abajo aplican aquí.',
  },
  'empresas:read': {
    title: 'Ver tus empresas',
    says: 'Ver los datos de tus empresas, tus clientes y proveedores, la configuración y el uso.',
  },
  'empresas:write': {
    title: 'Crear y cambiar empresas',
    says:
      'Crear empresas, cambiar sus datos, su logo, sus automatizaciones y tu libreta de clientes y proveedores. También ' +
      'archivarlas y borrar las de prueba.',
    danger: 'Un cambio aquí aparece en los documentos que emitas después. Una empresa archivada no vuelve.',
  },
  'webhooks:read': { title: 'Ver avisos', says: 'Ver los eventos de tu cuenta y a qué servidores se avisan.' },
  'webhooks:write': {
    title: 'Configurar avisos',
    says: 'Crear, cambiar y borrar los servidores que reciben los eventos de tu cuenta.',
    danger: 'Con esto los datos de tus documentos pueden empezar a llegar a otro servidor.',
  },
  'keys:write': { title: 'Administrar claves', says: NEVER },
  'mandato:write': { title: 'Preparar mandatos', says: NEVER },
  'mandato:attest': { title: 'Declarar firmas de mandatos', says: NEVER },
  'onboarding:write': {
    title: 'Avanzar la puesta en marcha',
    says: 'Hacer que se revisen otra vez los pasos para que una empresa empiece a emitir.',
    danger: 'Es parte de poner a una empresa en producción.',
  },
  'onboarding:attest': { title: 'Declarar pasos de la puesta en marcha', says: NEVER },
  'folios:write': {
    title: 'Pedir y administrar folios',
    says: 'Pedir folios al SII, subir archivos CAF y desactivarlos.',
    danger: 'Los folios pedidos y no usados hay que anularlos en el SII.',
  },
}

/** What an agent can leave behind, by the object of the API. */
const MAKING_WORDS: Readonly<Record<string, string>> = {
  webhook_endpoint: 'Aviso a',
  public_link: 'Enlace público de',
  connection: 'Conexión con un banco',
  counterparty_contact: 'Contacto',
  counterparty: 'Cliente o proveedor',
  empresa: 'Empresa',
  caf: 'CAF',
  branding: 'Logo y texto al pie de',
  automation_settings: 'Automatizaciones de',
}

/** What was changed, where a person has a word for it. */
const FIELD_WORDS: Readonly<Record<string, string>> = {
  legal_name: 'nombre',
  giro: 'giro',
  acteco: 'actividades',
  address: 'dirección',
  codigo_sucursal: 'sucursal',
  contact_email: 'correo para respuestas',
  emission_channel: 'forma de emitir',
  certification_track: 'certificación',
  doc_types: 'tipos de documento',
  origen: 'de dónde viene',
  resolucion: 'resolución',
  resolucion_boletas: 'resolución de boletas',
  status: 'estado',
  name: 'nombre',
  email: 'correo',
  phone: 'teléfono',
  primary: 'contacto principal',
  opted_out: 'si recibe correos',
  logo: 'logo',
  footer_text: 'texto al pie',
  print_format: 'formato',
  url: 'dirección',
  enabled_events: 'eventos',
  empresas: 'empresas',
  description: 'descripción',
}

const changeOf = ({ act, fields }: AgentMaking) => {
  if (act === 'deleted') return ', borrado o dado de baja'
  const words = fields.flatMap((field) => FIELD_WORDS[field] ?? [])
  return act === 'created' ? '' : `, cambiado${words.length === 0 ? '' : `: ${words.join(', ')}`}`
}

export const makingWords = (making: AgentMaking) =>
  `${MAKING_WORDS[making.object] ?? making.object} ${making.label}${changeOf(making)}`

export const MODE_WORDS: Readonly<Record<Mode, string>> = { test: 'modo de prueba', live: 'producción' }

export const pesosOf = (amount: number | null) => (amount === null ? 'sin tope' : pesos(amount))

export function dayOf(at: Date): string {
  const [year, month, day] = santiagoDate(at).split('-')
  return `${day}-${month}-${year}`
}

const MOST_RUTS = 10

function receptoresOf(ruts: readonly string[] | null): string {
  if (ruts === null) return 'cualquiera'
  const more = ruts.length - MOST_RUTS
  return ruts.slice(0, MOST_RUTS).join(', ') + (more > 0 ? ` y ${more} más` : '')
}

/** How far an agent may go, line by line, wherever a person reads of it. */
export function limitFacts(limits: GrantLimits): readonly (readonly [string, string])[] {
  const { tipos, receptores } = limits
  const names = tipos?.map((number) => (isTipoDte(number) ? tipo(number).name : String(number)))
  return [
    ['Tope por documento', pesosOf(limits.max_clp_per_document)],
    ['Tope por día', pesosOf(limits.max_clp_per_day)],
    ['Tipos de documento', names ? names.join('; ') : 'todos'],
    ['Receptores', receptoresOf(receptores)],
  ]
}

/** Whether an agent shows first what it is about to do. */
export const asksFirst = ({ two_steps }: Pick<GrantRow, 'two_steps'>) =>
  two_steps ? 'antes de cada acto que no se deshace' : `solo antes de ${ASKED_ALWAYS}`

/** What a person asks themselves when they decide anew about an agent that had access. */
export const WHAT_GOES_OVER =
  'Los avisos y enlaces que creó siguen funcionando, y lo que usó hoy cuenta para el tope por día.'

/** Says what was allowed and how to take it back: nobody is let in unseen. */
export function agentAllowedLetter(
  row: GrantRow,
  email: string,
  {
    revoke_url,
    agents_url,
    replaces,
  }: { readonly revoke_url: string; readonly agents_url: string; readonly replaces: boolean },
): Draft {
  const reach = row.empresas.includes('*') ? 'todas' : row.empresas.join(', ')
  return {
    to: email,
    subject: 'Le diste acceso a un agente',
    greeting: 'Hola:',
    paragraphs: [
      'Desde tu cuenta se autorizó a un agente a trabajar por ti, dentro de los límites que ves aquí. El nombre es el ' +
        'que el agente dice tener: nadie lo ha verificado.',
      ...(replaces ? [`Este permiso reemplaza al que el mismo agente ya tenía, que terminó. ${WHAT_GOES_OVER}`] : []),
    ],
    facts: [
      ['Agente', row.client_name],
      ['Vuelve a', row.client_host],
      ['Dónde', MODE_WORDS[row.mode]],
      ['Empresas', reach],
      ['Permisos', row.scopes.map((scope) => SCOPE_WORDS[scope].title).join('; ')],
      ...limitFacts(row),
      ['Pregunta primero', asksFirst(row)],
      ['Vence el', dayOf(row.expires_at)],
    ],
    button: { label: 'Ver y quitar el acceso', url: revoke_url },
    notes: [
      'Guarda este correo: con ese enlace le quitas el acceso cuando quieras, y deja de funcionar al instante. También ' +
        `puedes hacerlo por la API, con DELETE /v1/agent_grants/${row.id}.`,
      `Qué hizo este agente, y todos los demás que tienen acceso, está en ${agents_url}.`,
      'Si no fuiste tú, quítale el acceso y cambia tu contraseña ahora mismo.',
    ],
  }
}
