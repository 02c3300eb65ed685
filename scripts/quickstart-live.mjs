import { randomBytes, randomUUID } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { openFile } from './open-file.mjs'
import { ensureServer, startServer } from './own-server.mjs'

/**
 * From nothing to a factura that the SII accepted, in live mode: over the SII's own protocols, with a certificate and
 * folios. The SII is the simulator beside the server, so nothing of it has tax effect. What the operator of the service
 * does (a subscription, the resolución) is done here too, with a secret of the operator;
 * therefore a server of its own is started, beside any that runs. Whoever operates one on this machine names it instead:
 * TIMBRE_URL, with its DATA_DIR and OPERATOR_SECRET.
 */
const FOLDER = 'quickstart'
const { TIMBRE_URL, DATA_DIR, OPERATOR_SECRET = randomBytes(18).toString('base64url') } = process.env
const IS_OURS = Boolean(TIMBRE_URL && DATA_DIR && process.env.OPERATOR_SECRET)
const CERTIFICATE_PASSWORD = 'clave del certificado'
const bold = (text) => (process.stdout.isTTY ? `\u001b[1m${text}\u001b[0m` : text)
const dim = (text) => (process.stdout.isTTY ? `\u001b[2m${text}\u001b[0m` : text)
const say = (text = '') => process.stdout.write(`${text}\n`)
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms))

let server

async function call(method, path, { key, session, operator, empresa, mode, body } = {}) {
  const headers = {
    ...(body && { 'Content-Type': 'application/json' }),
    ...((key ?? session) && { Authorization: `Bearer ${key ?? session}` }),
    ...(operator && { 'Svc-Operator-Secret': OPERATOR_SECRET }),
    ...(empresa && { 'Svc-Empresa': empresa }),
    ...(mode && { 'Svc-Mode': mode }),
    ...(method === 'POST' && key && { 'Idempotency-Key': randomUUID() }),
  }
  const answer = await fetch(`${server.url}${path}`, { method, headers, ...(body && { body: JSON.stringify(body) }) })
  const bytes = Buffer.from(await answer.arrayBuffer())
  if (!answer.ok) throw new Error(`${method} ${path} answered ${answer.status}: ${bytes.toString().slice(0, 500)}`)
  const json = /json/.test(answer.headers.get('content-type') ?? '') ? JSON.parse(bytes.toString()) : null
  return { json, bytes }
}

/** What happens, and the call that does it, as a person would make it. */
function step(title, ...lines) {
  say(bold(`# ${title}`))
  for (const line of lines) say(dim(`  ${line}`))
}

async function until(what, look) {
  for (let tries = 0; tries < 240; tries++) {
    const found = await look()
    if (found) return found
    await pause(500)
  }
  throw new Error(`${what} did not happen within two minutes`)
}

function checkDigit(number) {
  let sum = 0
  for (let rest = number, factor = 2; rest > 0; rest = Math.floor(rest / 10), factor = factor === 7 ? 2 : factor + 1) {
    sum += (rest % 10) * factor
  }
  const digit = 11 - (sum % 11)
  return digit === 11 ? '0' : digit === 10 ? 'K' : String(digit)
}

function inventRut(from, room) {
  const number = from + (randomBytes(4).readUInt32BE() % room)
  return `${number}-${checkDigit(number)}`
}

/** The link of the letter that confirms an address: without SMTP, letters are files in the outbox. */
async function confirmationToken(email) {
  const outbox = join(server.folder, 'outbox')
  return until('a letter', async () => {
    if (!existsSync(outbox)) return null
    const letters = readdirSync(outbox, { recursive: true })
      .map(String)
      .filter((name) => name.endsWith('.eml'))
    for (const name of letters) {
      const text = readFileSync(join(outbox, name), 'utf8')
        .replace(/=\r?\n/g, '')
        .replaceAll('=3D', '=')
      const token = /[?#&/]token=([\w-]{40,})/.exec(text)?.[1]
      if (token && text.includes(email)) return token
    }
    return null
  })
}

async function openAccount() {
  const email = `dev-${randomBytes(4).toString('hex')}@example.com`
  const password = randomBytes(12).toString('base64url')
  step(
    '1. Register, confirm the address by its letter, and make a live key',
    'POST /account/register',
    'POST /account/verify_email',
    'POST /dashboard/api_keys, Svc-Mode: live',
  )
  await call('POST', '/account/register', { body: { email, password } })
  await call('POST', '/account/verify_email', { body: { token: await confirmationToken(email) } })
  const { json } = await call('POST', '/account/login', { body: { email, password } })
  const scopes = [
    'documents:read',
    'documents:write',
    'empresas:read',
    'empresas:write',
    'folios:write',
    'mandato:attest',
    'onboarding:write',
    'onboarding:attest',
  ]
  const made = await call('POST', '/dashboard/api_keys', {
    session: json.data.token,
    mode: 'live',
    body: { name: 'quickstart live', scopes, empresas: ['*'] },
  })
  return made.json.secret
}

async function openEmpresa(key) {
  const rut = inventRut(76_000_000, 1_900_000)
  step('2. A live empresa with its resolución', 'POST /v1/empresas')
  const { json } = await call('POST', '/v1/empresas', {
    key,
    body: {
      rut,
      legal_name: 'Comercial Quillay SpA',
      giro: 'Comercio al por menor',
      acteco: [471_100],
      address: { street: 'Av. Los Boldos 1200', comuna: 'Talca', city: 'Talca' },
      doc_types: [33, 56, 61],
      origen: 'mercado',
      resolucion: { numero: 80, fecha: '2014-08-22' },
    },
  })
  return json
}

async function uploadCertificate(key, empresa) {
  const simulator = JSON.parse(readFileSync(join(server.folder, 'simulator/addresses.json'), 'utf8'))
  step(
    '3. The certificate of the person who signs, from the CA of the simulator, into custody',
    `POST ${simulator.http}/control/certificates`,
    'POST /v1/empresas/{empresa_id}/certificate',
  )
  const issued = await fetch(`${simulator.http}/control/certificates`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({
      rut: inventRut(10_000_000, 9_000_000),
      name: 'Rosa Pérez Soto',
      password: CERTIFICATE_PASSWORD,
    }),
  })
  if (!issued.ok) throw new Error(`the simulator issued no certificate: ${await issued.text()}`)
  const { pfx } = await issued.json()
  const { json } = await call('POST', `/v1/empresas/${empresa.id}/certificate`, {
    key,
    body: { file: pfx, password: CERTIFICATE_PASSWORD },
  })
  say(dim(`  ${json.holder.name}, ${json.holder.rut}: the key is sealed, only its description can be read`))
}

const TITULAR = { rut: '12345678-5', name: 'Rosa Pérez Soto', role: 'titular_cuenta' }

async function signMandato(key, empresa) {
  step(
    '4. The mandato, signed by the representante legal, who may also do it on a page of ours',
    'GET /v1/mandato_terms',
    'POST /v1/empresas/{empresa_id}/mandato',
  )
  const { json: terms } = await call('GET', '/v1/mandato_terms')
  const signer = { ...TITULAR, role: 'representante_legal' }
  await call('POST', `/v1/empresas/${empresa.id}/mandato`, { key, body: { terms_version: terms.version, signer } })
}

async function operatorSteps(empresa) {
  step(
    '5. What the operator does: a subscription, and the resolución verified by asking the SII for a folio',
    'POST /v1/empresas/{empresa_id}/subscription',
    'POST /v1/empresas/{empresa_id}/resolucion/verify',
  )
  const at = `/v1/empresas/${empresa.id}`
  await call('POST', `${at}/subscription`, { operator: true, body: { status: 'active' } })
  const { json } = await call('POST', `${at}/resolucion/verify`, { operator: true, body: { confirm: true } })
  if (!json.resolucion.verified) throw new Error(`the SII did not confirm the resolución: ${json.resolucion.refusal}`)
}

async function goLive(key, empresa) {
  step(
    '6. The rest of the onboarding: the service asks the SII for the first folios, and the titular approves',
    'GET /v1/empresas/{empresa_id}/onboarding',
    'POST /v1/empresas/{empresa_id}/onboarding/go_live',
  )
  const at = `/v1/empresas/${empresa.id}/onboarding`
  const ready = await until('the first folios', async () => {
    const { json } = await call('GET', at, { key })
    const failed = json.steps.find(({ status }) => status === 'failed')
    if (failed) throw new Error(`${failed.label}: ${JSON.stringify(failed.blocked_reason)}`)
    return json.status === 'go_live_pending' && json
  })
  for (const { key: name, status } of ready.steps) say(dim(`  ${name}: ${status}`))
  await call('POST', `${at}/go_live`, { key, body: { decision: 'approve', approved_by: TITULAR } })
}

const FACTURA = {
  tipo_dte: 33,
  receptor: {
    rut: '77123456-9',
    legal_name: 'Pérez e Hijos Ltda.',
    giro: 'Comercio al por menor',
    address: { street: 'Calle Larga 56', comuna: 'Maipú' },
  },
  items: [
    { description: 'Resma de papel carta', quantity: 10, unit_price: 3490 },
    { description: 'Despacho', quantity: 1, unit_price: 4200 },
  ],
}

async function issueFactura(who) {
  step('7. A factura: stamped, signed, sent in an envelope, followed by its track id', 'POST /v1/documents')
  const { json } = await call('POST', '/v1/documents', { ...who, body: FACTURA })
  let status = json.status
  const settled = await until('the verdict', async () => {
    const { json: found } = await call('GET', `/v1/documents/${json.id}`, who)
    if (found.status !== status)
      say(dim(`  ${found.status}${found.sii.track_id ? `, track id ${found.sii.track_id}` : ''}`))
    status = found.status
    return ['accepted', 'reparo', 'rejected', 'failed'].includes(status) && found
  })
  if (settled.status !== 'accepted')
    throw new Error(`the factura is ${settled.status}: ${JSON.stringify(settled.failure ?? settled.sii)}`)
  return settled
}

async function openServer() {
  if (IS_OURS) return { ...(await ensureServer(TIMBRE_URL, say)), folder: DATA_DIR }
  say(
    'Live mode needs the operator of the service, so this run starts a server of its own, with a simulator of the SII.\n',
  )
  return startServer({ OPERATOR_SECRET, SII: 'simulator' })
}

try {
  server = await openServer()
  const started = performance.now()
  const key = await openAccount()
  const empresa = await openEmpresa(key)
  await uploadCertificate(key, empresa)
  await signMandato(key, empresa)
  await operatorSteps(empresa)
  await goLive(key, empresa)
  const who = { key, empresa: empresa.rut }
  const factura = await issueFactura(who)
  mkdirSync(FOLDER, { recursive: true })
  const pdf = join(FOLDER, `live-${factura.tipo_dte}-${factura.folio}.pdf`)
  writeFileSync(pdf, (await call('GET', `/v1/documents/${factura.id}/pdf`, who)).bytes)
  const seconds = ((performance.now() - started) / 1000).toFixed(1)
  say(
    `\n${bold(`Done in ${seconds} s.`)} The SII, simulated, accepted factura ${factura.folio}; ${relative('.', pdf)} is its page.`,
  )
  openFile(pdf)
} catch (error) {
  process.stderr.write(`\nThe quickstart stopped: ${error.message}\n`)
  process.exitCode = 1
} finally {
  await server?.stop()
}
