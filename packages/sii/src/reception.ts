import { childOf, childrenOf, textAt, type XmlElement } from '@timbre/dte/xml'
import { readSiiInstant } from './dates.ts'
import { AnswerFault, drift, refused, refusedToken, type SiiRetry, unavailable } from './failure.ts'
import { parseAnswer } from './soap.ts'
import { unexpected } from './weather.ts'
import type { Read, SiiAnswer } from './wire.ts'

/** What the SII gives for a file that it took. */
export interface UploadReceipt {
  /** As the SII wrote it: its leading zeros belong to it. */
  readonly track_id: string
  /** The same file had come before: this is the track id that it got then. */
  readonly duplicate: boolean
  readonly received_at: Date | null
}

/** RECEPCIONDTE of the DTE upload, RECEPCIONAEC of the register of cesiones. */
export type ReceptionRoot = 'RECEPCIONDTE' | 'RECEPCIONAEC'

type Verdict = { readonly of: 'us'; readonly retry: 'never' } | { readonly of: 'sii'; readonly retry: SiiRetry }

const OURS: Verdict = { of: 'us', retry: 'never' }

/** STATUS of a file that was not taken. What is not listed is an internal error of the SII. */
const STATUS: Readonly<Record<ReceptionRoot, Readonly<Record<string, Verdict>>>> = {
  // SII, Envío automático de DTE v1.5: 1 permission, 2 size, 3 cut, 6 emisor, 7 schema, 8 signature, 9 blocked.
  RECEPCIONDTE: {
    1: OURS,
    2: OURS,
    3: { of: 'sii', retry: 'later' },
    6: OURS,
    7: OURS,
    8: OURS,
    9: { of: 'sii', retry: 'minutes' },
  },
  // SII, Envío automático AEC v1.0: 1 permission, 2 size, 4 missing field, 6 not an emisor of DTE.
  RECEPCIONAEC: { 1: OURS, 2: OURS, 4: OURS, 6: OURS },
}
const NOT_AUTHENTICATED = '5'
const DUPLICATE = '99'

/**
 * Reads the receipt of an upload. Sending a DTE file twice is harmless, because the SII names the first one; of an AEC
 * that is not known.
 */
export function readReception(answer: SiiAnswer, root_name: ReceptionRoot): Read<UploadReceipt> {
  if (answer.kind !== 'xml') throw unexpected(answer, root_name, root_name === 'RECEPCIONDTE')
  const root = parseAnswer(answer)
  if (root.name !== root_name) throw drift(root_name)
  const status = textAt(root, 'STATUS')
  if (!status) throw drift('STATUS')
  const words = detailOf(root)
  const received_at = readSiiInstant(textAt(root, 'TIMESTAMP') ?? '')
  if (status === '0') return { value: { track_id: trackIdOf(root), duplicate: false, received_at }, estado: status }
  if (status === DUPLICATE) {
    const track_id = /track\s*id\D{0,12}(\d{1,20})/i.exec(words ?? '')?.[1]
    if (track_id === undefined) throw drift('earlier track id of status 99', status)
    return { value: { track_id, duplicate: true, received_at }, estado: status }
  }
  throw refuseUpload(root_name, status, words)
}

function refuseUpload(root: ReceptionRoot, status: string, words: string | null): AnswerFault {
  if (status === NOT_AUTHENTICATED) return refusedToken(status, words)
  const verdict = STATUS[root][status]
  if (verdict === undefined) return unavailable(status, words)
  if (verdict.of === 'us') return refused(status, words)
  return new AnswerFault({ kind: 'unreachable', retry: verdict.retry, estado: status, glosa: words, sent: false })
}

function trackIdOf(root: XmlElement): string {
  const track_id = textAt(root, 'TRACKID') ?? ''
  if (!/^\d{1,20}$/.test(track_id)) throw drift('TRACKID')
  return track_id
}

/** The lines in which the SII says why; most of them are of its schema validator. */
function detailOf(root: XmlElement): string | null {
  const detail = childOf(root, 'DETAIL')
  const lines = detail ? childrenOf(detail, 'ERROR').map(({ text }) => text.trim()) : []
  return lines.length > 0 ? lines.join('\n') : (textAt(root, 'DETAIL') ?? textAt(root, 'GLOSA') ?? null)
}
