import { createHash } from 'node:crypto'
import type { Ambiente } from '../hosts.ts'
import type { Simulator } from '../simulator.ts'
import { uploadKey, wide } from '../state/state.ts'
import type { Channel, Fate, Finding, Upload, UploadKind } from '../state/types.ts'
import type { Occasion, Script } from '../weather/scripts.ts'

export type Received = {
  ambiente: Ambiente
  channel: Channel
  kind: UploadKind
  sender_rut: string
  company_rut: string
  file_name: string
  file: Uint8Array
}

export type Reception = { duplicate: false; track_id: string } | { duplicate: true; track_id: string; times: number }

const FATES = ['answer_then_lose', 'vof', 'stuck_crt', 'reparo', 'refuse', 'verdict_delay'] as const

const REPARO: Finding = { code: 'HED-1-200', glosa: 'Reparo pedido por un guion de prueba', detail: null }
const REFUSAL: Finding = { code: 'DTE-3-505', glosa: 'Firma DTE Incorrecta', detail: null }

/**
 * Keeps a file under a new track id; its verdict comes when its hour has. The DTE door tells a file that it has
 * already (status 99). Of the boleta door nothing is known here: it takes the file again and the envelope ends as
 * repeated (RPT), which is (unverified).
 */
export function receiveUpload(ctx: Simulator, received: Received, occasion: Occasion): Reception {
  const { state, clock } = ctx
  const { file, ...facts } = received
  const sha256 = createHash('sha256').update(file).digest('hex')
  const digestKey = `${received.ambiente}:${received.channel}:${received.company_rut}:${sha256}`
  return state.atomically(() => {
    const before = state.digests.get(digestKey)
    if (before && received.channel === 'dte') {
      state.digests.put(digestKey, { ...before, times: before.times + 1 })
      return { duplicate: true, ...before }
    }
    const scripts = ctx.scripts.take(occasion, FATES)
    const track_id = nextTrackId(ctx, received.channel)
    if (scripts.some(({ kind }) => kind === 'answer_then_lose')) return { duplicate: false, track_id }
    const received_at = clock.now()
    const fate = fateOf(scripts, before !== undefined)
    const delay = scripts.find(({ kind }) => kind === 'verdict_delay')?.ms ?? ctx.settings().verdict_delay_ms
    const upload: Upload = {
      track_id,
      ...facts,
      sha256,
      size: file.length,
      received_at,
      verdict_at: received_at + delay,
      fate,
      verdict: null,
    }
    const key = uploadKey(received.ambiente, track_id)
    state.uploads.put(key, upload)
    state.files.put(key, file)
    if (!fate.stuck) state.pending.put(pendingKey(upload, key), key)
    // A file that the SII loses may come again (PROTOCOLS 6: VOF, send again).
    if (!fate.vof && !before) state.digests.put(digestKey, { track_id, times: 1 })
    return { duplicate: false, track_id }
  })
}

/** Lets the envelopes that a script holds in CRT go on; their verdict is due at once. Returns how many. */
export function releaseUploads({ state }: Simulator): number {
  const stuck = [...state.uploads.entries()].filter(([, upload]) => upload.fate.stuck)
  for (const [key, upload] of stuck) {
    const { stuck: _, ...fate } = upload.fate
    state.atomically(() => {
      state.uploads.put(key, { ...upload, fate })
      state.pending.put(pendingKey(upload, key), key)
    })
  }
  return stuck.length
}

/** In the order of the hours at which verdicts are due. */
function pendingKey({ verdict_at }: Upload, key: string): string {
  return `${wide(verdict_at, 15)}:${key}`
}

function fateOf(scripts: readonly Script[], repeated: boolean): Fate {
  const has = (kind: Script['kind']) => scripts.some((script) => script.kind === kind)
  const findings = scripts.flatMap(({ kind, finding, folio }): NonNullable<Fate['findings']> => {
    if (kind === 'reparo') return [{ outcome: 'reparo', finding: finding ?? REPARO, folio }]
    if (kind === 'refuse') return [{ outcome: 'rejected', finding: finding ?? REFUSAL, folio }]
    return []
  })
  return {
    ...(has('vof') ? { vof: true } : {}),
    ...(has('stuck_crt') ? { stuck: true } : {}),
    ...(repeated ? { repeated: true } : {}),
    ...(findings.length > 0 ? { findings } : {}),
  }
}

/** Ten digits with leading zeros in the DTE channel, fifteen in the boleta one, as the samples have them. */
function nextTrackId({ state }: Simulator, channel: Channel): string {
  return channel === 'dte'
    ? wide(state.next('track_dte', 260_000_001), 10)
    : String(state.next('track_boleta', 100_000_000_001_001))
}
