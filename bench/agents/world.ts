import { setTimeout as sleep } from 'node:timers/promises'
import { openService, type Service } from '../service.ts'

// A sandbox with three months of business, over loopback, and the facts that the tasks speak of.

// biome-ignore lint/suspicious/noExplicitAny: whatever the API answers
export type Row = any

export interface World {
  readonly port: number
  readonly secret: string
  readonly facts: Facts
  http(method: string, path: string, body?: object): Promise<Row>
  close(): Promise<void>
}

export interface Facts {
  readonly client: { readonly name: string; readonly rut: string }
  readonly open_factura: Row
  readonly other_factura: Row
  readonly third_factura: Row
  readonly boleta: Row
  readonly refused: Row
  readonly pending: readonly Row[]
  readonly supplier: { readonly name: string; readonly rut: string }
  readonly movement: Row
  readonly month: string
  readonly month_said: string
}

const MONTHS = 'enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre'.split(' ')
const PATIENCE_MS = 180_000

/** Asks again until the answer is there: what is made by jobs comes when they are done. */
async function until<T>(ask: () => Promise<T | null | undefined>, what: string): Promise<T> {
  for (const end = Date.now() + PATIENCE_MS; Date.now() < end; await sleep(250)) {
    const found = await ask()
    if (found) return found
  }
  throw new Error(`the sandbox never showed ${what}`)
}

export async function openWorld(): Promise<World> {
  const service = await openService({ runs_jobs: true })
  try {
    return await furnished(service)
  } catch (error) {
    await service.close()
    throw error
  }
}

async function furnished(service: Service): Promise<World> {
  const { port, secret, rut } = service
  let count = 0
  const http = async (method: string, path: string, body?: object): Promise<Row> => {
    const headers: Record<string, string> = { authorization: `Bearer ${secret}`, 'idempotency-key': `eval-${++count}` }
    if (!path.startsWith('/empresas') && !path.startsWith('/jobs')) headers['svc-empresa'] = rut
    if (body) headers['content-type'] = 'application/json'
    const sent = await fetch(`http://127.0.0.1:${port}/v1${path}`, {
      method,
      headers,
      ...(body && { body: JSON.stringify(body) }),
    })
    const text = await sent.text()
    if (!sent.ok) throw new Error(`${method} ${path}: ${text}`)
    return text === '' ? null : JSON.parse(text)
  }
  const list = async (path: string): Promise<Row[]> => (await http('GET', path)).data
  const { id: seeding } = await http('POST', '/test_helpers/seed', { months: 3 })
  await until(async () => (await http('GET', `/jobs/${seeding}`)).status === 'succeeded', 'its seeded months')
  const facturas = await until(async () => {
    const open = (await list('/documents?tipo_dte=33&status=accepted&limit=100')).filter(
      (one) => one.pending_amount > 0,
    )
    return open.length >= 3 ? open : null
  }, 'open facturas')
  const [boleta] = await list('/documents?tipo_dte=39&status=accepted&limit=1')
  const made = await http('POST', '/documents', {
    tipo_dte: 33,
    receptor: { rut: facturas[0].receptor.rut },
    items: [{ description: 'Asesoría', quantity: 1, unit_price: 100_000 }],
  })
  await http('POST', `/test_helpers/documents/${made.id}/estado`, { status: 'rejected' })
  await until(async () => (await http('GET', `/documents/${made.id}`)).status === 'rejected', 'a refused factura')
  const month = facturas[0].issue_date.slice(0, 7)
  // Four of one supplier that wait for an answer, whatever the seeded months left: three are answered by tasks.
  const supplier = { rut: '76543210-3', legal_name: 'Molinos del Maipo S.A.', giro: 'Molienda de trigo' }
  for (const folio of [8120, 8121, 8122, 8123]) {
    const items = [{ description: 'Harina panadera', quantity: 10, unit_price: 18_900 }]
    const document = { tipo_dte: 33, folio, emisor: supplier, items, payment: { form: 'credit' } }
    await http('POST', '/test_helpers/received_documents', { document })
  }
  const pending = await until(async () => {
    const rows = await list(`/received_documents?status=pending&emisor_rut=${supplier.rut}`)
    return rows.length === 4 ? rows : null
  }, 'facturas of a supplier')
  const [movement] = await until(async () => {
    const rows = await list('/tax/movements?matched=false&direction=in&limit=5')
    return rows.length > 0 ? rows : null
  }, 'a movement without a document')
  const facts: Facts = {
    client: { name: facturas[0].receptor.legal_name, rut: facturas[0].receptor.rut },
    open_factura: facturas[0],
    other_factura: facturas[1],
    third_factura: facturas[2],
    boleta,
    refused: made,
    pending,
    supplier: { name: supplier.legal_name, rut: supplier.rut },
    movement,
    month,
    month_said: `${MONTHS[Number(month.slice(5)) - 1]} de ${month.slice(0, 4)}`,
  }
  return { port, secret, facts, http, close: () => service.close() }
}
