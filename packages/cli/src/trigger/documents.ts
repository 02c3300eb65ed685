import type { Scene, Stage } from './scene.ts'
import type { Trigger } from './trigger.ts'

const boleta = (unit_price = 4_500) => ({
  tipo_dte: 39,
  items: [{ description: 'Café y medialuna', quantity: 1, unit_price }],
})

const RECEPTOR = {
  rut: '77123456-9',
  legal_name: 'Pérez e Hijos Ltda.',
  giro: 'Comercio al por menor',
  address: { street: 'Calle Larga 56', comuna: 'Maipú' },
}

const factura = (more: object = {}) => ({
  tipo_dte: 33,
  receptor: RECEPTOR,
  items: [{ description: 'Resma de papel carta', quantity: 10, unit_price: 3_490 }],
  ...more,
})

/** Totals that decide what the SII of the sandbox says: the guide to test mode lists them. */
const TOTALS = { reparo: 1_111_101, rejected: 1_111_105, failed: 1_111_114 } as const

const issued = (how: string, unit_price?: number): Trigger => ({
  how,
  run: async (scene) => (await scene.own()).issue(boleta(unit_price)),
})

const answered = (action: 'ACD' | 'ERM' | 'RCD', how: string): Trigger => ({
  how,
  run: async (scene) => {
    const stage = await scene.own()
    const { id } = await stage.issue(factura())
    return stage.post(`/test_helpers/documents/${id}/receptor_response`, { action })
  },
})

const mailed = (to: string, how: string): Trigger => ({
  how,
  run: async (scene) => {
    const stage = await scene.own()
    const { id } = await stage.issue(boleta())
    return stage.post(`/documents/${id}/send`, { to })
  },
})

const CONFIRMS = '76192083-9'
const REFUSES = '77222201-7'

const ceded = (rut: string, how: string): Trigger => ({
  how,
  run: async (scene) => {
    const stage = await scene.own()
    const { id } = await stage.issue(factura({ payment: { form: 'credit' } }))
    return stage.post(`/documents/${id}/cede`, {
      contact: { email: 'cobranza@example.com' },
      cesionario: {
        rut,
        legal_name: 'Factoring de Prueba S.A.',
        address: { street: 'Huérfanos 1055' },
        email: 'operaciones@example.com',
      },
    })
  },
})

const inDays = ({ today }: Scene, days: number) =>
  new Date(Date.parse(`${today}T12:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10)

async function issueOnCredit(scene: Scene, stage: Stage) {
  return stage.issue(factura({ payment: { form: 'credit', due_date: inDays(scene, 10) } }))
}

const BY_MAIL = 'It comes by mail from the system of a receptor, and receptores of the sandbox have none.'

export const DOCUMENT_TRIGGERS = {
  'document.created': issued('Issues a boleta.'),
  'document.sent': issued('Issues a boleta.'),
  'document.accepted': issued('Issues a boleta, and waits until the SII of the sandbox accepts it.'),
  'document.reparo': issued(
    'Issues a boleta of $1.111.101, which the sandbox accepts with observations.',
    TOTALS.reparo,
  ),
  'document.rejected': issued('Issues a boleta of $1.111.105, which the sandbox rejects.', TOTALS.rejected),
  'document.failed': issued('Issues a boleta of $1.111.114, which cannot be sent.', TOTALS.failed),
  'document.finding_received': {
    why: 'In live mode the SII mails its reasons a while later; the sandbox says why at once.',
  },
  'document.annulled': {
    how: 'Issues a factura, then a nota de crédito over all of it.',
    run: async (scene) => {
      const stage = await scene.own()
      const { id } = await stage.issue(factura())
      return stage.post(`/documents/${id}/credit_note`, { code: 1, reason: 'Anula' })
    },
  },
  'document.emailed': mailed(
    'cliente@example.com',
    'Issues a boleta and mails it; the sandbox sends no letter to strangers.',
  ),
  'document.email_failed': mailed(
    'bounce@example.com',
    'Issues a boleta and mails it to bounce@, which the sandbox refuses.',
  ),
  'document.exchange_sent': {
    why: 'It takes the list of exchange mailboxes that the operator of the server loads from the SII; receptores of the sandbox have none.',
  },
  'document.exchange_failed': {
    why: 'It takes the list of exchange mailboxes that the operator of the server loads from the SII; receptores of the sandbox have none.',
  },
  'document.delivered': { why: BY_MAIL },
  'document.delivery_refused': { why: BY_MAIL },
  'document.receipt_acknowledged': answered('ERM', 'Issues a factura and acknowledges the goods as its receptor.'),
  'document.accepted_by_receptor': answered('ACD', 'Issues a factura and accepts it as its receptor.'),
  'document.claimed': answered('RCD', 'Issues a factura and claims against it as its receptor.'),
  'document.cesion_submitted': ceded(CONFIRMS, 'Issues a factura and cedes it.'),
  'document.cesion_confirmed': ceded(CONFIRMS, 'Issues a factura and cedes it.'),
  'document.cesion_failed': ceded(REFUSES, 'Issues a factura and cedes it to 77222201-7, which the register refuses.'),
  'document.paid': {
    how: 'Issues a factura on credit and records a payment of all of it.',
    run: async (scene) => {
      const stage = await scene.own()
      const { id } = await issueOnCredit(scene, stage)
      return stage.post(`/documents/${id}/payments`, {})
    },
  },
  'document.overdue': {
    how: 'In a new empresa, issues a factura that is due in ten days and lets eleven pass.',
    run: async (scene) => {
      const stage = await scene.fresh()
      await issueOnCredit(scene, stage)
      return stage.advance('P12D')
    },
  },
} as const satisfies Readonly<Record<string, Trigger>>
