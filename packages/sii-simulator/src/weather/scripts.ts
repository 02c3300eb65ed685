import type { State } from '../state/state.ts'
import { wide } from '../state/state.ts'
import type { Finding } from '../state/types.ts'

/** What goes wrong on the way: any door knows these, and the door itself need not. */
export const WIRE_KINDS = [
  /** The answer comes `ms` later. */
  'slow',
  /** The connection is cut before anything is done. */
  'down',
  /** A page of HTML comes instead of the answer; nothing is done. */
  'html',
  /** The text `Error 500`, with HTTP 200; nothing is done. */
  'error_500_text',
  /** HTTP status `status` with an HTML page; nothing is done. */
  'http_status',
  /** The request is done, and the connection cut before the answer. */
  'reset_before_answer',
  /** The whole request is read, forgotten, and the connection cut. */
  'lose_upload',
  /** The request is done; half of the answer comes, then the connection is cut. */
  'truncate',
  /** Every token is forgotten just before the request is looked at. */
  'expire_tokens',
] as const

/** What the SII decides: the door that knows about it asks for it. */
export const VERDICT_KINDS = [
  /** Uploads: a track id is answered, and the SII knows nothing of it afterwards. */
  'answer_then_lose',
  /** Uploads: the envelope ends as VOF, the file not found at the SII. */
  'vof',
  /** Uploads: the envelope never leaves CRT. */
  'stuck_crt',
  /** Uploads: good documents get a reparo (`finding`). */
  'reparo',
  /** Uploads: good documents are refused (`finding`). */
  'refuse',
  /** Uploads: the verdict takes `ms`. */
  'verdict_delay',
  /** Uploads: the door answers `STATUS` `status` and keeps nothing. */
  'upload_status',
  /** Portal logins: too many sessions. */
  'session_cap',
  /** RCV: HTTP 429. */
  'too_fast',
  /** Folios: the page that refuses to stamp. */
  'no_folios',
  /** Certification: a page does nothing of what it is asked, and says why (`finding.glosa`). */
  'step_refuse',
  /** Certification: the review that begins refuses what is right (`finding.glosa`). */
  'review_refuse',
  /** Certification: the review that begins takes `ms`. */
  'review_delay',
] as const

export type WireKind = (typeof WIRE_KINDS)[number]
export type VerdictKind = (typeof VERDICT_KINDS)[number]
export type ScriptKind = WireKind | VerdictKind

export type Script = {
  id: string
  /** Name of a door, a host, or `*`. */
  door: string
  kind: ScriptKind
  /** How many requests it still touches; null: until it is deleted. */
  times: number | null
  /** Only requests whose path, query or body holds this text. */
  match: string | null
  ms: number | null
  status: number | null
  finding: Finding | null
  /** `reparo` and `refuse`: the one document that it touches; null: each of the envelope. */
  folio: number | null
}

/** What a script is compared with; `family` is a second name that some doors share. */
export type Occasion = { door: string; family?: string; host: string; text: () => string }

export type Scripts = ReturnType<typeof openScripts>

export function openScripts(state: State) {
  const store = state.store<Script>('scripts')
  const touches = (script: Script, { door, family, host, text }: Occasion) =>
    ['*', door, family, host].includes(script.door) && (script.match === null || text().includes(script.match))
  const spend = (key: string, script: Script) => {
    if (script.times === null) return
    if (script.times <= 1) store.remove(key)
    else store.put(key, { ...script, times: script.times - 1 })
  }
  return {
    list: () => store.values(),
    add(script: Omit<Script, 'id'>): Script {
      const id = wide(state.next('scripts', 1), 8)
      const added = { id, ...script }
      store.put(id, added)
      return added
    },
    remove: (id: string) => store.remove(id),
    clear: () => store.clear(),
    /** The scripts of these kinds that touch this request, oldest first; each one's turn is spent by asking. */
    take(occasion: Occasion, kinds: readonly ScriptKind[]): Script[] {
      const taken: Script[] = []
      for (const [key, script] of [...store.entries()]) {
        if (!kinds.includes(script.kind) || !touches(script, occasion)) continue
        spend(key, script)
        taken.push(script)
      }
      return taken
    },
  }
}
