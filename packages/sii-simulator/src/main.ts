#!/usr/bin/env node
import { readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { certificatesIn } from './authority/trust.ts'
import { deliverMails } from './mail/outbox.ts'
import { listen } from './server.ts'
import { openSimulator, type Simulator } from './simulator.ts'
import { settle } from './uploads/settle.ts'

const HELP = `Plays the SII on this machine.

  --port N         HTTP, ${7400} unless told (SII_SIMULATOR_PORT); 0 takes any free one
  --https-port N   HTTPS with optional client certificates, ${7443} unless told (SII_SIMULATOR_HTTPS_PORT)
  --data DIR       where its state and keys are kept, ./simulator-data unless told (SII_SIMULATOR_DATA)
  --memory         keeps nothing
  --trust FILE     PEM of another authority whose certificates are good; may be repeated
  --smtp URL       where result e-mails are handed over, smtp://127.0.0.1:2525 (SII_SIMULATOR_SMTP)
  --with-parent    ends when its standard input does: with the program that started it
  --json           says its addresses as one line of JSON
`

const OPTIONS = {
  port: { type: 'string', default: process.env.SII_SIMULATOR_PORT ?? '7400' },
  'https-port': { type: 'string', default: process.env.SII_SIMULATOR_HTTPS_PORT ?? '7443' },
  data: { type: 'string', default: process.env.SII_SIMULATOR_DATA ?? './simulator-data' },
  memory: { type: 'boolean', default: false },
  trust: { type: 'string', multiple: true, default: [] as string[] },
  smtp: { type: 'string', default: process.env.SII_SIMULATOR_SMTP ?? '' },
  'with-parent': { type: 'boolean', default: false },
  json: { type: 'boolean', default: false },
  help: { type: 'boolean', default: false },
} as const

const values = readOptions()

function readOptions() {
  try {
    return parseArgs({ options: OPTIONS }).values
  } catch (failure) {
    return stop(`${failure instanceof Error ? failure.message : failure}\n\n${HELP}`)
  }
}

if (values.help) {
  process.stdout.write(HELP)
} else {
  await start()
}

async function start(): Promise<void> {
  const ports = { port: portOf('port'), https_port: portOf('https-port') }
  const data = values.memory ? null : resolve(values.data)
  const simulator = openSimulator({
    data,
    trust: values.trust.map(readTrusted),
    smtp: values.smtp || null,
  })
  const listening = await listen(simulator, ports).catch((failure: NodeJS.ErrnoException) => {
    if (failure.code !== 'EADDRINUSE') throw failure
    return stop(`Something else listens on ${failure.message.split(' ').at(-1)}: give --port and --https-port.`)
  })
  // Slow keys are made when the start is over and nobody is waiting; where nothing is kept, once somebody asks for one.
  const preparing = data ? setTimeout(() => simulator.authority.prepare(), 3_000) : undefined
  // For programs that find it by its folder.
  if (data) writeFileSync(join(data, 'addresses.json'), JSON.stringify(simulator.addresses))
  // Verdicts need no timer, but an e-mail has to leave although nobody asks.
  const ticking = setInterval(() => void tick(simulator).catch(console.error), 500)

  if (values.json) console.log(JSON.stringify({ http: listening.http, https: listening.https, data }))
  else console.log(banner(listening, data))

  let ending = false
  const end = async () => {
    if (ending) return
    ending = true
    clearInterval(ticking)
    clearTimeout(preparing)
    await listening.close()
    await simulator.close()
    process.exit(0)
  }
  process.once('SIGTERM', end)
  if (values['with-parent']) process.stdin.resume().once('end', end).once('close', end)
  process.once('SIGINT', end)
}

function readTrusted(file: string): string {
  try {
    return certificatesIn(readFileSync(file, 'utf8')).join('\n')
  } catch (failure) {
    return stop(`--trust ${file}: ${failure instanceof Error ? failure.message : failure}`)
  }
}

function portOf(name: 'port' | 'https-port'): number {
  const port = Number(values[name])
  return Number.isInteger(port) && port >= 0 && port < 65_536 ? port : stop(`--${name} is a number up to 65535.`)
}

function stop(reason: string): never {
  console.error(reason)
  process.exit(1)
}

async function tick(simulator: Simulator): Promise<void> {
  await settle(simulator)
  await deliverMails(simulator)
}

function banner({ http, https }: { http: string; https: string | null }, data: string | null): string {
  return [
    'The SII is simulated here; nothing leaves this machine.',
    `  HTTP    ${http}/maullin.sii.cl/… (the SII's host is the first segment of the path)`,
    `  HTTPS   ${https}/…`,
    `  Page    ${http}/`,
    `  State   ${data ?? 'in memory only'}`,
  ].join('\n')
}
