import { built, type Service } from './service.ts'

/** Live empresas with a certificate and folios of a simulator, ready to issue. */
export interface LiveEmpresas {
  readonly secret: string
  readonly ruts: readonly string[]
}

type Simulator = Awaited<ReturnType<typeof built.openSimulator>>

const PERSON_RUT = '12345678-5'
const PASSWORD = 'clave'
const TIPOS = [33, 39]

async function send(url: string, body: object, headers: Record<string, string> = {}): Promise<Response> {
  const answer = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })
  if (!answer.ok) throw new Error(`${url}: ${await answer.text()}`)
  return answer
}

/** The certificate of a person, as a file in base64. */
export async function issuePfx({ control_url }: Simulator): Promise<string> {
  const issued = await send(`${control_url}/control/certificates`, { rut: PERSON_RUT, password: PASSWORD })
  return ((await issued.json()) as { pfx: string }).pfx
}

interface Wanted {
  readonly pfx: string
  readonly ruts: readonly string[]
  /** Of each tipo, for each. */
  readonly folios: number
}

export async function openLiveEmpresas(service: Service, simulator: Simulator, wanted: Wanted): Promise<LiveEmpresas> {
  const { db, account_id } = service
  await db.sql`update account set plan = 'house' where id = ${account_id}`
  const { secret } = await built.makeApiKey(db.sql, {
    account_id,
    name: 'live',
    mode: 'live',
    scopes: ['empresas:read', 'empresas:write', 'documents:read', 'documents:write', 'folios:write'],
    empresas: ['*'],
    now: new Date(built.systemNow()),
  })
  for (const rut of wanted.ruts) await openOne(service, simulator, secret, { ...wanted, rut })
  return { secret, ruts: wanted.ruts }
}

async function openOne(
  { db, port }: Service,
  { control_url }: Simulator,
  secret: string,
  { rut, pfx, folios }: Wanted & { readonly rut: string },
): Promise<void> {
  const base = `http://127.0.0.1:${port}/v1`
  const key = { authorization: `Bearer ${secret}` }
  const made = await send(
    `${base}/empresas`,
    {
      rut,
      legal_name: 'Banco de Pruebas SpA',
      giro: 'Comercio',
      acteco: [471_100],
      address: { street: 'Av. Los Boldos 1200', comuna: 'Talca', city: 'Talca' },
      doc_types: TIPOS,
      origen: 'mercado',
      resolucion: { numero: 80, fecha: '2014-08-22' },
    },
    key,
  )
  const { id } = (await made.json()) as { id: string }
  await send(`${base}/empresas/${id}/certificate`, { file: pfx, password: PASSWORD }, key)
  // The onboarding is a person's work: here it is over.
  await db.sql`
    update empresa set emitting_since = now(), certified_tipos = doc_types, boleta_emission_enabled_at = ${new Date(built.systemNow())}
    where id = ${id}`
  for (const tipo of TIPOS) {
    const order = { rut, tipo, ambiente: 'produccion', quantity: folios }
    const caf = Buffer.from(await (await send(`${control_url}/control/cafs`, order)).arrayBuffer()).toString('base64')
    await send(`${base}/cafs`, { caf }, { ...key, 'svc-empresa': rut })
  }
}
