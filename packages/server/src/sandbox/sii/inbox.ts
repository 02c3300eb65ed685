import { BEAT_MS } from '../../kernel/beat.ts'
import { listed, type Sql } from '../../kernel/db.ts'
import { openSteps } from '../../kernel/in-step.ts'
import type { EmpresaScope } from '../../kernel/scope.ts'
import {
  type Received,
  type Sii,
  type SiiStatus,
  SiiUnreachable,
  type SiiVerdict,
  type Submission,
} from '../../ports/sii.ts'
import type { SiiDocument } from '../../ports/sii-document.ts'
import { ACCEPTED, magicOf, SETTLES_AFTER_MS } from './document-magic-values.ts'
import { scriptedVerdicts } from './scripts.ts'

const idsOf = (documents: readonly SiiDocument[]) => documents.map(({ id }) => id)

/** Counts one more try of each, and gives how often each was tried by now. */
async function countTries(
  sql: Sql,
  { account_id, empresa_id, mode }: EmpresaScope,
  documents: readonly SiiDocument[],
): Promise<Map<string, number>> {
  if (documents.length === 0) return new Map()
  const rows = await sql<{ document_id: string; tries: number }>`
    insert into sandbox_try as t (account_id, empresa_id, mode, document_id, tries)
    select ${account_id}, ${empresa_id}, ${mode}, d.id, 1 from (select ${listed.text(idsOf(documents))} as id) d
    on conflict (document_id) do update set tries = t.tries + 1
    returning document_id, tries`
  return new Map(rows.map(({ document_id, tries }) => [document_id, tries]))
}

async function playOutage(sql: Sql, { empresa, documents }: Submission): Promise<void> {
  const away = documents.filter((document) => magicOf(document)?.unreachable_times)
  const tries = await countTries(sql, empresa, away)
  const still = away.some((document) => (tries.get(document.id) ?? 0) <= (magicOf(document)?.unreachable_times ?? 0))
  if (still) throw new SiiUnreachable('the sandbox plays an SII that is away')
}

async function turnAway(sql: Sql, { empresa, documents }: Submission): Promise<Received['refused']> {
  const unwanted = documents.filter((document) => magicOf(document)?.refusal)
  const tries = await countTries(sql, empresa, unwanted)
  return unwanted.flatMap((document) => {
    const refusal = magicOf(document)?.refusal
    if (!refusal || (tries.get(document.id) ?? 0) > refusal.times) return []
    return [{ id: document.id, code: refusal.code, message: refusal.message }]
  })
}

// The instant it arrived, the tipo and the first folio: whoever knows the track id knows when it will be settled, so
// nothing is kept, and no crash can lose it. No two envelopes of an empresa begin with the same folio.
function trackIdFor({ documents, at }: Submission): string {
  const [first] = documents
  return `${at.getTime()}${first?.tipo_dte}${first?.folio}`
}

const MS_DIGITS = 13

/** It is asked on beats, which may come so much early. */
const EARLY_MS = BEAT_MS / 2

function settlesAt(track_id: string, document: SiiDocument): number {
  return Number(track_id.slice(0, MS_DIGITS)) + (magicOf(document)?.settles_after_ms ?? SETTLES_AFTER_MS)
}

/** The side of the sandbox that takes documents and decides about them: by magic values, by script, or accepted. */
export function sandboxInbox(
  own: Sql,
): Pick<Sii, 'submit' | 'submitsWithoutTrace' | 'statusOf' | 'isAnnulled' | 'findByNaturalKey'> {
  // Lanes that run side by side ask it at the same time.
  const sql = openSteps(own)(own)
  return {
    async submit(submission) {
      const { empresa, documents, at } = submission
      await playOutage(sql, submission)
      const refused = await turnAway(sql, submission)
      const scripts = await scriptedVerdicts(sql, empresa, idsOf(documents))
      const ask_at = scripts.size > 0 ? at : new Date(at.getTime() + SETTLES_AFTER_MS)
      const track_id = trackIdFor(submission)
      return { envelope_key: track_id, track_id, refused, ask_at }
    },
    // Tries are counted of those alone that it does not take at first.
    submitsWithoutTrace: (documents) =>
      documents.every((document) => {
        const magic = magicOf(document)
        return !magic?.unreachable_times && !magic?.refusal
      }),
    async statusOf({ empresa, envelope_key, documents, at }): Promise<SiiStatus> {
      const scripts = await scriptedVerdicts(sql, empresa, idsOf(documents))
      const verdicts = new Map<string, SiiVerdict>()
      const waits: number[] = []
      for (const document of documents) {
        const scripted = scripts.get(document.id)
        const settles_at = settlesAt(envelope_key, document)
        if (scripted) verdicts.set(document.id, scripted)
        else if (settles_at - EARLY_MS <= at.getTime())
          verdicts.set(document.id, magicOf(document)?.verdict ?? ACCEPTED)
        else waits.push(settles_at)
      }
      return { verdicts, ask_at: waits.length > 0 ? new Date(Math.min(...waits)) : null }
    },
    // What a nota annuls is annulled at once.
    isAnnulled: async () => true,
    // It takes the same document twice without a word, so there is nothing to find out before it is sent again.
    findByNaturalKey: async () => null,
  }
}
