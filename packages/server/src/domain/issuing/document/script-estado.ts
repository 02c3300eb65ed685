import { type Static, Type } from 'typebox'
import { scriptedVerdict } from '../../../catalog/magic-values.ts'
import { Problem } from '../../../kernel/problem.ts'
import { Closed, OneOf, Text } from '../../../kernel/schema.ts'
import type { EmpresaContext } from '../../context.ts'
import { failDocuments } from './fail.ts'
import type { Document, DocumentPath } from './schema.ts'
import { writeScript } from './script-store.ts'
import { settleDocuments } from './settle.ts'
import { type DocumentRow, showDocument } from './show.ts'
import { lockDocument } from './store.ts'

export const ScriptEstado = Closed({
  status: OneOf(['accepted', 'reparo', 'rejected', 'failed'], { description: '`failed` only while it is queued.' }),
  code: Type.Optional(
    Text(40, {
      description:
        'A finding of the SII, such as `DTE-3-101`: it is explained as a real one. With `failed`: the code of the failure.',
    }),
  ),
  message: Type.Optional(
    Text(500, { description: 'The glosa of the SII. With `failed`: the message of the failure.' }),
  ),
})
export type ScriptEstado = Static<typeof ScriptEstado>

const SCRIPTED_FAILURE = { code: 'scripted_failure', message: 'A test asked for this failure.' }

/**
 * Decides what becomes of a sandbox document. One that is sent is settled here and now, and one that fails, fails now;
 * for a queued one the sandbox remembers, and answers as soon as it is sent.
 */
export async function scriptEstado(ctx: EmpresaContext, input: DocumentPath & ScriptEstado): Promise<Document> {
  const row = await lockDocument(ctx.sql, ctx.empresa, input.document_id)
  if (!row) throw new Problem('document_not_found')
  return showDocument((await decide(ctx, row, input)) ?? row, ctx.addresses)
}

async function decide(ctx: EmpresaContext, row: DocumentRow, input: ScriptEstado): Promise<DocumentRow | undefined> {
  const { id } = row
  const { status: outcome, code = null, message = null } = input
  if (outcome === 'failed') {
    if (row.status !== 'queued') throw settled(row)
    const failure = { code: code ?? SCRIPTED_FAILURE.code, message: message ?? SCRIPTED_FAILURE.message }
    const [failed] = await failDocuments(ctx, ctx.empresa, [{ id, ...failure }])
    return failed
  }
  if (row.status === 'queued') {
    await writeScript(ctx.sql, ctx.empresa, id, { outcome, code, message })
    return row
  }
  if (row.status !== 'sent') throw settled(row)
  const verdict = scriptedVerdict({ outcome, code, message })
  const moved = await settleDocuments(ctx, ctx.empresa, new Map([[id, verdict]]))
  return moved.find((one) => one.id === id)
}

function settled({ status }: DocumentRow): Problem {
  return new Problem('document_already_settled', { details: { status } })
}
