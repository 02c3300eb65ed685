import { createHash, X509Certificate } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline/promises'
import { pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import { build, isBuilt } from './build.mjs'
import { ensureInstalled, root } from './ensure-installed.mjs'

const HELP = `Asks the harmless questions of the SII's certification environment and of a simulator, and prints every
difference in the shape of their answers, never their contents. It uploads nothing, asks for no folios, annuls nothing.

  npm run sii:compare -- --pfx FILE --password-env NAME --ambiente certificacion

  --pfx FILE            certificate of a person, with its key
  --password-env NAME   the environment variable that holds its password; without it the password is empty
  --ambiente            certificacion, the only one
  --rut RUT             the company that is asked about; the person's own RUT unless told
  --base URL            in place of the SII: a simulator, or anything that has its hosts behind one address
  --against URL         what it is compared with, http://127.0.0.1:7400 unless told: npm run simulator
  --samples DIR         writes what the left side answered there, its contents replaced by their kinds
  --legacy-tls          for a server that does not know secure renegotiation; its certificate is verified all the same
  --yes                 talks to hosts of sii.cl without asking first

Exit code: 0 where the shapes are equal, 1 where they differ, 2 where it could not be asked.
`

/** Something that the person at the terminal has to mend. */
class Unusable extends Error {}

/** Whoever issues a certificate makes a key first, and a busy machine takes its time. */
const WAIT_MS = 60_000
const DAY_MS = 86_400_000

function readOptions() {
  const { values } = parseArgs({
    options: {
      pfx: { type: 'string' },
      'password-env': { type: 'string' },
      ambiente: { type: 'string' },
      rut: { type: 'string' },
      base: { type: 'string' },
      against: { type: 'string', default: 'http://127.0.0.1:7400' },
      samples: { type: 'string' },
      'legacy-tls': { type: 'boolean', default: false },
      yes: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  })
  if (values.help) return values
  if (!values.pfx) throw new Unusable('--pfx FILE is missing: the certificate of the person who asks.')
  if (values.ambiente !== 'certificacion') throw new Unusable('--ambiente must be certificacion.')
  const variable = values['password-env']
  if (variable && process.env[variable] === undefined) throw new Unusable(`The variable ${variable} is not set.`)
  return { ...values, password: variable ? process.env[variable] : '' }
}

/** The packages as they are built, in this very process. */
async function loadPackages() {
  ensureInstalled({ development: !isBuilt() })
  build()
  const from = (path) => import(pathToFileURL(join(root, 'packages', path)).href)
  return {
    ...(await from('dte/dist/index.js')),
    ...(await from('sii/dist/index.js')),
    ...(await from('sii/dist/compare/index.js')),
  }
}

function identityFrom({ openCertificate }, bytes, password) {
  const opened = openCertificate(bytes, password, new Date())
  if (!opened.ok) throw new Unusable(`The certificate cannot be used: ${opened.refusal.message}`)
  const { rut, signer, key, certificate, chain } = opened.value
  const cert = [certificate, ...chain].map((one) => new X509Certificate(one).toString()).join('')
  return { rut, signer, fingerprint: createHash('sha256').update(certificate).digest('hex'), tls: { cert, key } }
}

const isSii = (url) => /(^|\.)sii\.cl$/i.test(new URL(url).hostname)

async function askControl(base, path, init = {}) {
  const answer = await fetch(`${base}/control/${path}`, { ...init, signal: AbortSignal.timeout(WAIT_MS) }).catch(
    () => null,
  )
  return answer?.ok ? answer : null
}

/** One end. A simulator is told by its control surface, and gives a certificate that it trusts to the same person. */
async function openSide(packages, url, { identity, ...question }) {
  if (url === null) return { ...question, identity, hosts: packages.SII_HOSTS }
  const base = url.replace(/\/$/, '')
  const addresses = isSii(base) ? null : await (await askControl(base, 'addresses'))?.json()
  if (!addresses) return { ...question, identity, hosts: packages.simulatedHosts(base) }
  const ca = await (await askControl(base, 'ca.pem'))?.text()
  const password = 'sii-compare'
  const body = JSON.stringify({ rut: identity.rut, password, name: 'Persona que compara' })
  const headers = { 'Content-Type': 'application/json' }
  const issued = await (await askControl(base, 'certificates', { method: 'POST', headers, body }))?.json()
  if (!ca || !issued) throw new Unusable(`The simulator at ${base} gives no certificate.`)
  const own = identityFrom(packages, Buffer.from(issued.pfx, 'base64'), password)
  return { ...question, identity: own, ca, hosts: packages.simulatedHosts(addresses.https ?? addresses.http) }
}

async function confirm({ yes, base, against }) {
  if (yes || (base && !isSii(base) && !isSii(against))) return true
  const terminal = createInterface({ input: process.stdin, output: process.stderr })
  const nobody = new Promise((done) => terminal.once('close', () => done('')))
  const asked = terminal.question(
    'This asks hosts of sii.cl with your certificate (reads only, one log-in). Go on? [y/N] ',
  )
  const answer = await Promise.race([asked, nobody]).finally(() => terminal.close())
  return /^(y|yes|s|si|sí)$/i.test(answer.trim())
}

function writeSamples(folder, walk) {
  mkdirSync(folder, { recursive: true })
  for (const { door, answers } of walk) {
    for (const [operation, { sample }] of answers) {
      writeFileSync(join(folder, `${door}.${operation}.${sample.extension}`), sample.text)
    }
  }
}

function print({ door, operation, path, left, right }) {
  console.log(`${[door, operation].filter(Boolean).join(' ')}  ${path}\n    left:  ${left}\n    right: ${right}`)
}

async function main() {
  const options = readOptions()
  if (options.help) {
    process.stdout.write(HELP)
    return 0
  }
  const pfx = readFileSync(options.pfx)
  if (!(await confirm(options))) return 2
  const packages = await loadPackages()
  const identity = identityFrom(packages, pfx, options.password)
  const period = new Date(Date.now() - 30 * DAY_MS).toISOString().slice(0, 7)
  const question = {
    identity,
    ambiente: options.ambiente,
    company_rut: options.rut ?? identity.rut,
    period,
    legacy_renegotiation: options['legacy-tls'],
  }
  const sides = [options.base ?? null, options.against].map((url) => openSide(packages, url, question))
  const [left, right] = await Promise.all(sides.map(async (side) => packages.walkDoors(await side)))
  if (options.samples) writeSamples(resolve(options.samples), left)
  for (const [name, walk] of Object.entries({ left, right })) {
    if (walk.every(({ answers }) => answers.size === 0)) throw new Unusable(`The ${name} side answered nothing.`)
  }
  const differences = packages.compareWalks(left, right)
  for (const difference of differences) print(difference)
  return differences.length === 0 ? 0 : 1
}

try {
  process.exitCode = await main()
} catch (failure) {
  // Only what is meant for a person: an error of a library may quote what it was given.
  const usage = failure instanceof Unusable || failure.code?.startsWith('ERR_PARSE_ARGS') || failure.code === 'ENOENT'
  console.error(usage ? failure.message : `It stopped: ${failure.name} ${failure.code ?? ''}`)
  process.exitCode = 2
}
