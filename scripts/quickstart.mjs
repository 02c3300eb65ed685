import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join, relative } from 'node:path'
import { openFile } from './open-file.mjs'
import { ensureServer, whereNext } from './own-server.mjs'

/**
 * From nothing to a stamped factura, as an integrator would do it: every call is printed as curl before it is made.
 */
const HELP = `npm run quickstart            a factura and a boleta in the sandbox, with their webhooks, PDF and XML
npm run quickstart -- --live  a factura in live mode, over the protocols of the SII, with a simulator of it

Every call is printed as a line of curl before it is made. Files are written to ./quickstart.

TIMBRE_URL  the server to talk to; it must answer
PORT        the port of a server on this machine, 3000 by default; where nothing answers there, one is started for this
            run and stopped at its end
`
const FOLDER = 'quickstart'
const bold = (text) => (process.stdout.isTTY ? `\u001b[1m${text}\u001b[0m` : text)
const dim = (text) => (process.stdout.isTTY ? `\u001b[2m${text}\u001b[0m` : text)
const say = (text = '') => process.stdout.write(`${text}\n`)

const pesos = (amount) => `$${String(amount).replace(/\B(?=(\d{3})+$)/g, '.')}`
const quoted = (text) => `'${text.replaceAll("'", "'\\''")}'`

/** The same call as a line that works when pasted. The key is spelt $KEY, so that no secret is left on the screen. */
function asCurl(method, url, headers, body, file) {
  const lines = Object.entries(headers).map(([name, value]) =>
    name === 'Authorization' ? `-H "Authorization: Bearer $KEY"` : `-H ${quoted(`${name}: ${value}`)}`,
  )
  if (body !== undefined) lines.push(`-d ${quoted(JSON.stringify(body))}`)
  if (file !== undefined) lines.push(`-o ${quoted(file)}`)
  const verb = method === 'GET' || (method === 'POST' && body !== undefined) ? '' : ` -X ${method}`
  return [`curl -s${verb} ${quoted(url)}`, ...lines].join(' \\\n    ')
}

async function call(base, title, method, path, { key, empresa, body, file, headers: more = {} } = {}) {
  const headers = {
    ...(key && { Authorization: `Bearer ${key}` }),
    ...(empresa && { 'Svc-Empresa': empresa }),
    ...(body && { 'Content-Type': 'application/json' }),
    ...more,
  }
  const url = `${base}${path}`
  say(`${bold(`# ${title}`)}\n${asCurl(method, url, headers, body, file)}`)
  const answer = await fetch(url, { method, headers, ...(body && { body: JSON.stringify(body) }) })
  const bytes = Buffer.from(await answer.arrayBuffer())
  const json = /json/.test(answer.headers.get('content-type') ?? '') ? JSON.parse(bytes.toString() || 'null') : null
  if (!answer.ok) throw new Error(`${method} ${path} answered ${answer.status}: ${bytes.toString().slice(0, 500)}`)
  return { json, bytes }
}

function inventRut() {
  const number = 50_000_000 + (randomBytes(4).readUInt32BE() % 40_000_000)
  let sum = 0
  for (let rest = number, factor = 2; rest > 0; rest = Math.floor(rest / 10), factor = factor === 7 ? 2 : factor + 1) {
    sum += (rest % 10) * factor
  }
  const digit = 11 - (sum % 11)
  return `${number}-${digit === 11 ? '0' : digit === 10 ? 'K' : digit}`
}

/** A receiver of webhooks as short as it can be: it believes nothing whose signature it did not check itself. */
async function openReceiver() {
  const waiting = new Map()
  const arrived = new Map()
  const receiver = { secret: '', url: '', close: () => server.close(), accepted }
  const server = createServer(async (request, response) => {
    const chunks = []
    for await (const chunk of request) chunks.push(chunk)
    const body = Buffer.concat(chunks)
    const [, time, signature] = /^t=(\d+),v1=([0-9a-f]{64})/.exec(request.headers['svc-signature'] ?? '') ?? []
    const mine = createHmac('sha256', receiver.secret).update(`${time}.`).update(body).digest()
    const genuine = signature !== undefined && timingSafeEqual(mine, Buffer.from(signature, 'hex'))
    response.writeHead(genuine ? 204 : 400).end()
    if (!genuine) return
    const event = JSON.parse(body.toString())
    say(dim(`  webhook  ${event.type}  ${event.data.object.id ?? ''}`))
    if (event.type !== 'document.accepted') return
    arrived.set(event.data.object.id, event.data.object)
    waiting.get(event.data.object.id)?.(event.data.object)
  })
  function accepted(id) {
    if (arrived.has(id)) return arrived.get(id)
    return new Promise((resolve, reject) => {
      waiting.set(id, resolve)
      setTimeout(() => reject(new Error(`no webhook said within 20 s that ${id} was accepted`)), 20_000).unref()
    })
  }
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
  receiver.url = `http://127.0.0.1:${server.address().port}/webhooks`
  return receiver
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
const BOLETA = { tipo_dte: 39, items: [{ description: 'Café y medialuna', quantity: 1, unit_price: 4500 }] }

async function register(base) {
  const body = {
    email: `dev-${randomBytes(4).toString('hex')}@example.com`,
    password: randomBytes(12).toString('base64url'),
    bootstrap: {
      sandbox_key: { name: 'quickstart' },
      empresa: { rut: inventRut(), legal_name: 'Comercial Quillay SpA' },
    },
  }
  const { json } = await call(
    base,
    '1. Register: an account, a sandbox key and an empresa in one call',
    'POST',
    '/account/register',
    { body },
  )
  const key = json.data.api_key.secret
  say(`\n  the key, for pasting the calls below:\n  KEY=${key}\n`)
  return { key, empresa: json.data.empresa.rut }
}

async function issue(base, who, number, title, body, receiver) {
  const headers = { 'Idempotency-Key': `quickstart-${body.tipo_dte}` }
  const { json } = await call(base, `${number}. ${title}`, 'POST', '/v1/documents', { ...who, body, headers })
  say(dim(`  ${json.status}, total ${pesos(json.totals.total)}`))
  return receiver.accepted(json.id)
}

async function save(base, who, document) {
  const path = `/v1/documents/${document.id}`
  mkdirSync(FOLDER, { recursive: true })
  const name = `${document.tipo_dte}-${document.folio}`
  const pdf = join(FOLDER, `${name}.pdf`)
  const xml = join(FOLDER, `${name}.xml`)
  const printed = await call(base, '5. Its PDF and its signed XML', 'GET', `${path}/pdf`, { ...who, file: pdf })
  writeFileSync(pdf, printed.bytes)
  const title = '   The XML, as the SII would receive it'
  writeFileSync(xml, (await call(base, title, 'GET', `${path}/xml`, { ...who, file: xml })).bytes)
  return pdf
}

async function quickstart(base) {
  const started = performance.now()
  const who = await register(base)
  const receiver = await openReceiver()
  try {
    const endpoint = await call(base, '2. Ask to be told what happens', 'POST', '/v1/webhook_endpoints', {
      key: who.key,
      body: { url: receiver.url, enabled_events: ['document.*'] },
    })
    receiver.secret = endpoint.json.secret
    say(dim(`  ${endpoint.json.id}: a receiver of this script listens at ${receiver.url} and checks every signature\n`))
    const factura = await issue(base, who, 3, 'Issue a factura', FACTURA, receiver)
    say(dim(`  accepted: factura ${factura.folio}, track id ${factura.sii.track_id}\n`))
    const boleta = await issue(base, who, 4, 'Issue a boleta: no receptor, gross price', BOLETA, receiver)
    const { net, iva } = boleta.totals
    say(dim(`  accepted: boleta ${boleta.folio}, ${pesos(net)} + IVA ${pesos(iva)}\n`))
    const pdf = await save(base, who, factura)
    const seconds = ((performance.now() - started) / 1000).toFixed(1)
    say(
      `\n${bold(`Done in ${seconds} s.`)} ${relative('.', pdf)} is the factura; its barcode is the timbre, and the watermark says that it is a test.`,
    )
    return pdf
  } finally {
    receiver.close()
  }
}

const [option, ...more] = process.argv.slice(2)
if (option === '--help' || option === '-h') {
  process.stdout.write(HELP)
  process.exit()
}
if (more.length > 0 || (option !== undefined && option !== '--live')) {
  process.stderr.write(`The quickstart knows no ${[option, ...more].join(' ')}.\n\n${HELP}`)
  process.exit(2)
}
if (option === '--live') {
  await import('./quickstart-live.mjs')
  process.exit()
}

let server
let pdf
try {
  const { TIMBRE_URL, PORT = '3000' } = process.env
  server = await ensureServer(TIMBRE_URL ?? `http://127.0.0.1:${PORT}`, say)
  pdf = await quickstart(server.url)
} catch (error) {
  process.stderr.write(`\nThe quickstart stopped: ${error.message}\n`)
  process.exitCode = 1
} finally {
  await server?.stop()
}
if (pdf) {
  say(whereNext(server))
  openFile(pdf)
}
