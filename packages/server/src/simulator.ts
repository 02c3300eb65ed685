import { createPublicKey } from 'node:crypto'
import { existsSync } from 'node:fs'
import { get as getPlain } from 'node:http'
import { get as getSecure } from 'node:https'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import type { SiiKeys } from '@timbre/dte'
import type { Config } from './config.ts'
import { StartRefused } from './kernel/start-refused.ts'
import { type SimulatorExit, spawnSimulator, superviseSimulator } from './simulator-process.ts'

/** Where a simulator of the SII answers, and whom it makes a client believe. */
export interface Simulator {
  /** Over TLS, as the SII: the portal asks for a certificate in the handshake. */
  readonly url: string
  /** Its page and its control, in the clear, on this machine. */
  readonly control_url: string
  /** The CA of its servers and of the certificates that it issues, PEM. */
  readonly ca: string
  /** The keys that it signs CAFs with, in the place of the SII's. */
  readonly caf_keys: SiiKeys
  /** Of the process that we started; undefined where another runs it. */
  pid(): number | undefined
  close(): Promise<void>
}

/** SII=simulator and none can be had. The message is for the person at the terminal. */
export class SimulatorUnavailable extends StartRefused {
  constructor(message: string) {
    super(message)
    this.name = 'SimulatorUnavailable'
  }
}

const PROGRAM = fileURLToPath(new URL('../../sii-simulator/dist/main.js', import.meta.url))
const PATIENCE_MS = 30_000
const PAUSE_MS = 1_000

/** Whom to tell of a simulator that is not there. */
export interface Watching {
  /** One of our own ended, and is started again. */
  readonly onExit?: (exit: SimulatorExit) => void
  /** Nothing listens yet at the address that was named; said once. */
  readonly onAway?: (control_url: string) => void
  readonly pause_ms?: number
}

interface Started {
  readonly http: string
  readonly https: string
  pid(): number | undefined
  close(): Promise<void>
}

/** Starts one of our own, and again whenever it dies. It ends with us. */
async function start(
  config: Pick<Config, 'data_dir' | 'reception_smtp_port'>,
  onExit: (exit: SimulatorExit) => void,
): Promise<Started> {
  if (!existsSync(PROGRAM)) {
    throw new SimulatorUnavailable(
      'SII=simulator, and the simulator is not part of this installation. Set SII_SIMULATOR_URL to one that runs elsewhere.',
    )
  }
  const mail = config.reception_smtp_port === null ? [] : ['--smtp', `smtp://127.0.0.1:${config.reception_smtp_port}`]
  const spawn = spawnSimulator(PROGRAM, ['--data', join(config.data_dir, 'simulator'), ...mail])
  const started = await superviseSimulator({ spawn, onExit })
  if (!started) throw new SimulatorUnavailable('The simulator of the SII did not start; what it said is above.')
  return started
}

/** Not by `fetch`: a start would load all that comes with it for three answers. */
function ask(url: string): Promise<{ readonly status: number; readonly body: string }> {
  const get = url.startsWith('https:') ? getSecure : getPlain
  return new Promise((resolve, reject) => {
    get(url, { signal: AbortSignal.timeout(PATIENCE_MS), agent: false }, (answer) => {
      text(answer).then((body) => resolve({ status: answer.statusCode ?? 0, body }), reject)
    }).on('error', reject)
  })
}

async function textAt(url: string): Promise<string> {
  const answer = await ask(url).catch(() => null)
  if (answer?.status !== 200) throw new SimulatorUnavailable(`No simulator of the SII answers at ${url}.`)
  return answer.body
}

/**
 * One that another program runs. Where nothing listens yet, it may be about to start as we are, and is waited for: whom
 * live mode believes is known to it alone. What answers and is no simulator is refused at once.
 */
async function running(control_url: string, { onAway, pause_ms = PAUSE_MS }: Watching): Promise<Started> {
  const url = `${control_url}/control/addresses`
  const listens = () =>
    ask(url).then(
      () => true,
      () => false,
    )
  for (let tries = 0; !(await listens()); tries++) {
    if (tries === 0) onAway?.(control_url)
    await new Promise((resolve) => setTimeout(resolve, pause_ms))
  }
  const addresses = JSON.parse(await textAt(url)) as { http: string; https: string }
  return { ...addresses, pid: () => undefined, close: async () => undefined }
}

/** The simulator that live mode talks to: the one that is named, or one of our own beside the service. */
export async function openSimulator(
  config: Pick<Config, 'data_dir' | 'reception_smtp_port' | 'sii_simulator_url'>,
  watching: Watching = {},
): Promise<Simulator> {
  const { http, https, close, pid } =
    config.sii_simulator_url === null
      ? await start(config, watching.onExit ?? (() => undefined))
      : await running(config.sii_simulator_url, watching)
  const keys = JSON.parse(await textAt(`${http}/control/caf-keys`)) as Readonly<Record<string, string>>
  return {
    url: https,
    control_url: http,
    ca: await textAt(`${http}/control/ca.pem`),
    caf_keys: Object.fromEntries(Object.entries(keys).map(([id, pem]) => [id, createPublicKey(pem)])),
    pid,
    close,
  }
}
