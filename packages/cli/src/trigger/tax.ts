import type { Resource, Scene, Stage } from './scene.ts'
import type { Trigger } from './trigger.ts'

/** The month before this one in Chile, which is the one that people work on. */
function lastMonth({ today }: Scene): string {
  const [year = 0, month = 0] = today.split('-').map(Number)
  return month === 1 ? `${year - 1}-12` : `${year}-${String(month - 1).padStart(2, '0')}`
}

const settledJob = (stage: Stage, { until }: Scene, { id }: Resource) =>
  until(
    () => stage.get(`/jobs/${id}`),
    ({ status }) => status === 'succeeded' || status === 'failed',
  )

async function compute(stage: Stage, scene: Scene): Promise<string> {
  const period = lastMonth(scene)
  await settledJob(stage, scene, await stage.post('/tax/sync', { period }))
  const asked = await stage.post(`/tax/f29/proposals/${period}/recompute`, {})
  if (asked.object === 'job') await settledJob(stage, scene, asked)
  await scene.until(
    () => stage.get<{ data: Resource[] }>('/tax/f29/proposals'),
    ({ data }) => data.some((proposal) => proposal.period === period),
  )
  return period
}

async function change(stage: Stage, scene: Scene): Promise<Resource> {
  const period = await compute(stage, scene)
  const purchase = { tipo_doc: 33, folio: 41, counterparty_rut: '77123456-9', net: 10_000, iva: 1_900 }
  await stage.post('/test_helpers/rcv/seed', { period, purchases: [purchase] })
  await settledJob(stage, scene, await stage.post('/tax/sync', { period }))
  return stage.post(`/tax/f29/proposals/${period}/recompute`, {})
}

async function file(stage: Stage, scene: Scene, errors: readonly object[] = []): Promise<Resource> {
  const period = await compute(stage, scene)
  if (errors.length > 0) await stage.post('/test_helpers/f29/validations', { period, errors })
  return stage.post('/tax/f29/filings', { period })
}

const inFresh = (how: string, run: (stage: Stage, scene: Scene) => Promise<unknown>): Trigger => ({
  how: `In a new empresa: ${how}`,
  run: async (scene) => run(await scene.fresh(), scene),
})

/** A cartola with a charge from abroad, of which a factura de compra is suggested. */
async function importStatement(stage: Stage, scene: Scene): Promise<Resource> {
  const [year = '', month = '', day = ''] = scene.today.split('-')
  const text = `Fecha;Descripción;Cargo;Abono\n${day}/${month}/${year};GOOGLE *ADS 4829104 CC GOOGLE.COM;50005;\n`
  return stage.post('/tax/statements', { file: Buffer.from(text, 'latin1').toString('base64'), bank_account: '00-123' })
}

async function suggest(stage: Stage, scene: Scene): Promise<Resource> {
  await importStatement(stage, scene)
  const { data } = await scene.until(
    () => stage.get<{ data: Resource[] }>('/tax/suggestions'),
    ({ data }) => data.length > 0,
  )
  return data[0] as Resource
}

const spend = (stage: Stage, { today }: Scene): Promise<Resource> =>
  stage.post('/tax/expenses', { date: today, description: 'Hosting', provider: { name: 'AWS' }, amount: 9_990 })

export const TAX_TRIGGERS = {
  'tax.rcv.synced': inFresh('reads a period of the register.', (stage, scene) =>
    stage.post('/tax/sync', { period: lastMonth(scene) }),
  ),
  'tax.f29.proposal_ready': inFresh('computes the F29 of last month.', compute),
  'tax.f29.proposal_changed': inFresh('computes the F29 of last month, adds a purchase and computes it again.', change),
  'tax.f29.filing_submitted': inFresh('files the F29 of last month.', (stage, scene) => file(stage, scene)),
  'tax.f29.filing_accepted': inFresh('files the F29 of last month.', (stage, scene) => file(stage, scene)),
  'tax.f29.filing_failed': inFresh('files an F29 that the SII of the sandbox was told to refuse.', (stage, scene) =>
    file(stage, scene, [{ code: 'E01', message: 'El código 538 no cuadra.' }]),
  ),
  'tax.suggestion.created': inFresh('imports a cartola with a charge from abroad.', suggest),
  'tax.suggestion.confirmed': inFresh(
    'imports such a cartola and confirms what is suggested.',
    async (stage, scene) => {
      const { id } = await suggest(stage, scene)
      return stage.post(`/tax/suggestions/${id}/confirm`, {})
    },
  ),
  'tax.suggestion.dismissed': inFresh(
    'imports such a cartola and dismisses what is suggested.',
    async (stage, scene) => {
      const { id } = await suggest(stage, scene)
      return stage.post(`/tax/suggestions/${id}/dismiss`, {})
    },
  ),
  'tax.expense.created': inFresh('writes an expense down.', spend),
  'tax.expense.updated': inFresh('writes an expense down and corrects it.', async (stage, scene) => {
    const { id } = await spend(stage, scene)
    return stage.patch(`/tax/expenses/${id}`, { amount: 12_990 })
  }),
  'tax.expense.deleted': inFresh('writes an expense down and deletes it.', async (stage, scene) => {
    const { id } = await spend(stage, scene)
    return stage.remove(`/tax/expenses/${id}`)
  }),
  'tax.statement.imported': inFresh('imports a cartola.', importStatement),
} as const satisfies Readonly<Record<string, Trigger>>
