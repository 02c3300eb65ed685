import type { Section } from '../domain/tax/f29/form.ts'
import type { WarningCode } from '../domain/tax/f29/warnings.ts'

export const SECTION_TITLES: Readonly<Record<Section, string>> = {
  ventas: 'Ventas y débito fiscal',
  compras: 'Compras y crédito fiscal',
  iva: 'IVA del mes',
  retenciones: 'Impuestos retenidos',
  ppm: 'Pagos provisionales (PPM)',
  impuestos_adicionales: 'Impuestos adicionales (arts. 37 y 42)',
  cambio_sujeto: 'IVA anticipado y retenido',
  totales: 'Total',
}

interface About {
  readonly count: number | null
  /** Already written as pesos. */
  readonly amount: string
  readonly concerns: readonly string[]
}

/** A figure of the State as an accountant calls it, with its month: "IPC de 2026-07". */
function indicatorName(concern: string): string {
  const [indicator = '', month = ''] = concern.split(' ')
  if (indicator === 'interest') return `interés diario del semestre que parte en ${month}`
  return `${indicator.toUpperCase()} de ${month}`
}

/** Each warning as a sentence for the accountant. */
export const WARNING_TEXTS: Readonly<Record<WarningCode, (about: About) => string>> = {
  never_synced: () => 'Todavía no se han leído los registros de compras y ventas de este período en el SII.',
  period_open: () => 'El mes aún no termina: los documentos pueden cambiar.',
  utm_missing: ({ concerns }) =>
    `No tenemos la UTM de ${concerns.join(' ni de ')}, así que el remanente va sin reajustar. Hay que cargarla o corregir el código 504.`,
  indicators_invented: ({ concerns }) =>
    `Estos valores no están publicados y en las pruebas se inventan: ${concerns.map(indicatorName).join(', ')}.`,
  pending_entries: ({ count, amount }) =>
    count === 1
      ? `Hay una compra sin acuse de recibo, con ${amount} de IVA que todavía no da crédito.`
      : `Hay ${count} compras sin acuse de recibo, con ${amount} de IVA que todavía no da crédito.`,
  unreadable_lines: ({ count }) =>
    count === 1
      ? 'No se pudo leer una línea del registro del SII.'
      : `No se pudieron leer ${count} líneas del registro del SII.`,
  unknown_tipos: ({ count, concerns }) =>
    count === 1
      ? `Quedó fuera un documento de tipo ${concerns.join(', ')}, que no tiene línea en esta propuesta.`
      : `Quedaron fuera ${count} documentos de tipo ${concerns.join(', ')}, que no tienen línea en esta propuesta.`,
  taxes_left_out: ({ count, amount, concerns }) =>
    `Quedaron fuera ${amount} de otros impuestos (${concerns.join(', ')}) de ${count === 1 ? 'un documento' : `${count} documentos`}. Falta poner a mano el código que los lleva.`,
  tax_credit_without_sales: ({ amount }) =>
    `Las compras traen ${amount} del impuesto a las bebidas y ninguna venta lo lleva: solo da crédito a quien también lo recarga.`,
  ppm_rate_missing: () => 'Hay ingresos y falta la tasa de PPM: sin ella no se puede declarar.',
  late: ({ amount }) =>
    `Ya pasó el plazo: al día de hoy se suman ${amount} de reajuste, intereses y multa (códigos 92 y 93).`,
  surcharge_unknown: ({ concerns }) =>
    `Ya pasó el plazo y faltan valores para calcular reajuste e intereses (${concerns.map(indicatorName).join(', ')}). Hay que cargarlos o escribir los códigos 92 y 93.`,
  previous_remanente_unknown: () => 'No conocemos el remanente del mes anterior: aquí va en cero.',
  common_use_factor_missing: ({ amount }) =>
    `Hay ${amount} de IVA de uso común sin contar, porque falta la proporción del mes.`,
  sii_proposal_not_shown: () =>
    'No pudimos comparar estas cifras con la propuesta del SII: la muestra solo a quien entra con la Clave Tributaria de la empresa. Revísala en sii.cl antes de declarar.',
  negative_code: ({ concerns, amount }) =>
    `Las notas de crédito superan en ${amount} lo que rebaja el código ${concerns.join(', ')}.`,
}

export const STALE_TEXT =
  'Acaba de cambiar algo del registro y las cifras se están calculando de nuevo: vuelve a abrir la página.'

/** The state of the filing, as the head of the page tells it. */
export const STATUS_TEXTS = {
  open: { tone: 'wait', says: 'Es una propuesta: todavía no se ha declarado.' },
  filing: { tone: 'wait', says: 'La declaración está en camino al SII.' },
  filed: { tone: 'good', says: 'Declarado. Las cifras son las que se presentaron.' },
  changed: {
    tone: 'wait',
    says: 'Declarado, pero después cambió: las cifras de abajo ya no son las que se presentaron. Corresponde rectificar.',
  },
} as const
