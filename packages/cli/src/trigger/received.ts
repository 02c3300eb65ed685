import { explain } from '../api/explain.ts'
import { CliError } from '../exit.ts'
import type { Resource, Scene, Stage } from './scene.ts'
import type { Trigger } from './trigger.ts'

/** Numbers of suppliers that were used before are refused: each run takes its own. */
const newFolio = () => 1 + Math.floor(Math.random() * 9_000_000)

const arrive = (stage: Stage, body: object = {}): Promise<Resource> =>
  stage.post('/test_helpers/received_documents', body)

const answering = (verb: string, body: object, how: string): Trigger => ({
  how,
  run: async (scene) => {
    const stage = await scene.own()
    const { id } = await arrive(stage)
    return stage.post(`/received_documents/${id}/${verb}`, body)
  },
})

/** A file that cannot be taken in is refused, and set aside: the refusal is what is wanted. */
async function quarantine(stage: Stage): Promise<string> {
  await arrive(stage, { certificate: 'expired', document: { folio: newFolio() } }).then(
    () => {
      throw new CliError('failure', 'The sandbox took in a file that it should have set aside.')
    },
    (error) => {
      if (explain(error).facts.code !== 'received_file_refused') throw error
    },
  )
  const { data } = await stage.get<{ data: Resource[] }>('/received_documents/quarantine?status=quarantined&limit=1')
  return data[0]?.id ?? ''
}

const settling = (verb: 'release' | 'discard', how: string): Trigger => ({
  how,
  run: async (scene) => {
    const stage = await scene.own()
    return stage.post(`/received_documents/quarantine/${await quarantine(stage)}/${verb}`)
  },
})

const later = (duration: string, document: (scene: Scene) => object, how: string): Trigger => ({
  how,
  run: async (scene) => {
    const stage = await scene.fresh()
    await arrive(stage, document(scene))
    return stage.advance(duration)
  },
})

const SUPPLIER = { rut: '77123456-9' }

export const RECEIVED_TRIGGERS = {
  'received_document.created': {
    how: 'Receives a factura from a supplier that the sandbox plays.',
    run: async (scene) => arrive(await scene.own()),
  },
  'received_document.deadline_approaching': later(
    'P6D',
    () => ({}),
    'In a new empresa, receives a factura and lets six days pass.',
  ),
  'received_document.accepted': answering('accept', {}, 'Receives a factura and accepts it.'),
  'received_document.rejected': answering('reject', { code: 'RCD' }, 'Receives a factura and claims against it.'),
  'received_document.receipt_acknowledged': answering(
    'acknowledge_receipt',
    {},
    'Receives a factura and acknowledges the goods.',
  ),
  'received_document.replaced': {
    how: 'Receives a factura that nobody vouches for, then the same one, proven.',
    run: async (scene) => {
      const stage = await scene.own()
      const document = { tipo_dte: 33, folio: newFolio(), emisor: SUPPLIER }
      await arrive(stage, { document, certificate: 'self_signed' })
      return arrive(stage, { document, certificate: 'of_emisor' })
    },
  },
  'received_document.paid': {
    how: 'Receives a factura and records that it was paid.',
    run: async (scene) => {
      const stage = await scene.own()
      const { id } = await arrive(stage, { document: { payment: { form: 'credit' } } })
      return stage.post(`/received_documents/${id}/payments`, {})
    },
  },
  'received_document.overdue': later(
    'P60D',
    () => ({ document: { payment: { form: 'credit' } } }),
    'In a new empresa, receives a factura on credit and lets two months pass.',
  ),
  'reception.acuse_sent': {
    how: 'Receives a factura: its supplier is answered by itself.',
    run: async (scene) => arrive(await scene.own()),
  },
  'reception.acuse_failed': {
    why: 'Suppliers of the sandbox take every answer; in live mode a mailbox may refuse one.',
  },
  'reception.quarantined': {
    how: 'Sends a file whose certificate has expired, as a supplier.',
    run: async (scene) => quarantine(await scene.own()),
  },
  'reception.released': settling('release', 'Sets a file aside, then releases it.'),
  'reception.discarded': settling('discard', 'Sets a file aside, then discards it.'),
} as const satisfies Readonly<Record<string, Trigger>>
