import { describe, expect, it } from 'vitest'
import { BEAT_MS } from '../../kernel/beat.ts'
import type { Sql } from '../../kernel/db.ts'
import type { SiiDocument } from '../../ports/sii-document.ts'
import { SETTLES_AFTER_MS } from './document-magic-values.ts'
import { sandboxInbox } from './inbox.ts'

// Nothing is scripted.
const inbox = sandboxInbox((async () => []) as Sql)
const empresa = { account_id: 'acct_1', mode: 'test', empresa_id: 'emp_1', rut: '76192083-9' } as const
const documentOf = (id: string, receptor_rut: string): SiiDocument => ({
  ...{ id, tipo_dte: 33, folio: 1, receptor_rut, issue_date: '2026-11-19', total: 1_190 },
})
const ARRIVED = 1_800_000_000_000
const SLOW = '77111115-7'

/** What is decided so many milliseconds after it arrived, and when the rest is to be asked about. */
async function askedAfter(ms: number) {
  const documents = [documentOf('quick', '76086428-5'), documentOf('slow', SLOW)]
  const at = new Date(ARRIVED + ms)
  const { verdicts, ask_at } = await inbox.statusOf({ empresa, envelope_key: `${ARRIVED}331`, documents, at })
  return { decided: [...verdicts.keys()], ask_after: ask_at && ask_at.getTime() - ARRIVED }
}

describe('the sandbox, asked about what it took', () => {
  it('decides half a beat early at most, for whoever asks on beats, and says its instant to who asks sooner', async () => {
    const early = SETTLES_AFTER_MS - BEAT_MS / 2
    expect(await askedAfter(early - 1)).toEqual({ decided: [], ask_after: SETTLES_AFTER_MS })
    expect(await askedAfter(early)).toEqual({ decided: ['quick'], ask_after: 10_000 })
    expect(await askedAfter(10_000)).toEqual({ decided: ['quick', 'slow'], ask_after: null })
  })
})
