import { plain } from './plain-words.ts'
import type { Tool } from './tools.ts'
import { TOOLSETS } from './toolsets.ts'

/** What people call things in Chile, by a part of the names of the operations that it is about. A search is in their words. */
const SPANISH: Readonly<Record<string, string>> = {
  documents: 'documento factura boleta guia nota emitir emitido venta',
  previews: 'cotizar calcular simular vista previa',
  credit_note: 'nota credito anular corregir',
  invoice_guias: 'facturar guias despacho',
  cede: 'ceder cesion factoring credito',
  cesion: 'ceder cesion factoring revisar',
  aec: 'archivo cesion',
  send: 'enviar mandar correo mail',
  retry: 'reintentar de nuevo fallo',
  public_links: 'enlace link publico compartir',
  payments: 'pago abono pagar cobrar registrar',
  received: 'recibido proveedor compra factura',
  quarantine: 'cuarentena archivo sospechoso',
  accept: 'aceptar',
  reject: 'reclamar rechazar',
  acknowledge: 'acuse recibo mercaderias',
  counterparties: 'cliente proveedor contacto libreta direcciones receptor',
  contacts: 'contacto correo mail persona',
  contribuyentes: 'contribuyente giro razon social rut nomina',
  folios: 'folio timbraje quedan pedir',
  cafs: 'caf folio rango autorizacion',
  annul: 'anular',
  deactivate: 'desactivar',
  tax: 'impuesto iva registro compras ventas',
  summary: 'resumen mes',
  purchases: 'compras registro clasificar',
  characterize: 'clasificar tipo compra',
  sales: 'ventas registro',
  sync: 'sincronizar leer actualizar sii banco',
  f29: 'formulario declaracion mensual f29 propuesta',
  filings: 'presentar declarar declaracion',
  recompute: 'recalcular ppm remanente honorarios',
  expenses: 'gasto gastos extranjero',
  statements: 'cartola banco archivo',
  statements_create: 'subir cargar importar',
  movements: 'movimiento banco abono cargo transferencia',
  match: 'conciliar calzar cuadrar',
  suggestions: 'sugerencia factura compra google meta',
  connections: 'conexion banco cuenta conectar saldo',
  receivables: 'por cobrar deben morosos',
  payables: 'por pagar debo proveedores',
  empresas: 'empresa crear archivar cambiar direccion',
  branding: 'logo marca impresion pie',
  automation: 'automatico automatizacion configuracion enviar solo',
  certificate: 'certificado digital firma vence',
  mandato: 'mandato poder representante',
  onboarding: 'puesta marcha certificacion paso inscripcion',
  subscription: 'plan suscripcion cobro',
  webhook: 'webhook aviso notificacion',
  events: 'evento historial que paso',
  usage: 'consumo uso cuantos',
  jobs: 'tarea proceso estado',
  account: 'cuenta plan limites',
  clock: 'reloj fecha adelantar',
  seed: 'datos prueba llenar',
  list: 'listar ver mostrar cuales buscar tengo hay',
  get: 'ver leer detalle',
  create: 'crear agregar nuevo registrar',
  update: 'cambiar actualizar modificar',
  delete: 'borrar eliminar quitar',
  pdf: 'pdf imprimir descargar',
  xml: 'xml descargar',
}

interface Indexed {
  /** What is done, as the last part of the name says it. */
  readonly verb: ReadonlySet<string>
  readonly name: ReadonlySet<string>
  readonly about: ReadonlySet<string>
}

const indexed = new WeakMap<Tool, Indexed>()

function indexOf(tool: Tool): Indexed {
  const known = indexed.get(tool)
  if (known) return known
  const { name, title, description } = tool.listed
  const spanish = Object.entries(SPANISH).filter(([part]) => name.includes(part))
  const last = tool.operation.id.split('.').at(-1) ?? ''
  const made = {
    verb: new Set(plain(`${last} ${SPANISH[last] ?? ''}`)),
    name: new Set(plain(`${name.replaceAll('_', ' ')} ${spanish.map(([, words]) => words).join(' ')}`)),
    about: new Set(plain(`${title} ${description} ${tool.toolset === null ? '' : TOOLSETS[tool.toolset].about}`)),
  }
  indexed.set(tool, made)
  return made
}

/** The tools that a query is about, best first. A word counts the more, the fewer tools know it. */
export function rank(query: string, tools: readonly Tool[], most: number): Tool[] {
  const words = [...new Set(plain(query))]
  const knowing = new Map(
    words.map((word) => [word, tools.filter((tool) => indexOf(tool).name.has(word)).length] as const),
  )
  const score = (tool: Tool) => {
    const { verb, name, about } = indexOf(tool)
    const counts = (word: string) => (verb.has(word) ? 3 : name.has(word) ? 2 : about.has(word) ? 1 : 0)
    const worth = (word: string) => Math.log(1 + tools.length / (1 + (knowing.get(word) ?? 0)))
    return words.reduce((sum, word) => sum + counts(word) * worth(word), 0)
  }
  const scored = tools.map((tool) => ({ tool, score: score(tool) })).filter(({ score: one }) => one > 0)
  // Of two that fit alike the shorter name is the plainer act.
  const byScore = scored.sort((a, b) => b.score - a.score || a.tool.listed.name.length - b.tool.listed.name.length)
  return byScore.slice(0, most).map(({ tool }) => tool)
}
