import { type Static, Type } from 'typebox'
import type { EmpresaContext } from '../../domain/context.ts'
import { failDocuments } from '../../domain/issuing/document/fail.ts'
import { lockDocument } from '../../domain/issuing/document/read.ts'
import type { Document, DocumentPath } from '../../domain/issuing/document/schema.ts'
import { settleDocuments } from '../../domain/issuing/document/settle.ts'
import { type DocumentRow, showDocument } from '../../domain/issuing/document/show.ts'
import type { FailureCode } from '../../kernel/job.ts'
import { Problem } from '../../kernel/problem.ts'
import { Closed, OneLine, OneOf } from '../../kernel/schema.ts'
import { scriptedVerdict } from '../sii/document-magic-values.ts'
import { writeScript } from '../sii/scripts.ts'

export const ScriptEstado = Closed({
  status: OneOf(['accepted', 'reparo', 'rejected', 'failed'], { description: '`failed` only while it is queued.' }),
  code: Type.Optional(
    OneLine(40, {
      description:
        'A finding of the SII, such as `DTE-3-101`: it is explained as a real one. With `failed`: the code of the failure.',
    }),
  ),
  message: Type.Optional(
    OneLine(500, { description: 'The glosa of the SII. With `failed`: the message of the failure.' }),
  ),
})
export type ScriptEstado = Static<typeof ScriptEstado>

const SCRIPTED_MESSAGE = 'A test asked for this failure.'

/**
 * Decides what becomes of a sandbox document. A sent one is settled in this call, and one that is to fail fails in it;
 * for a queued one the answer is stored, and the sandbox gives it as soon as the document is sent.
 */
export async function scriptEstado(ctx: EmpresaContext, input: DocumentPath & ScriptEstado): Promise<Document> {
  const row = await lockDocument(ctx, input)
  return showDocument((await decide(ctx, row, input)) ?? row, ctx.addresses)
}

async function decide(ctx: EmpresaContext, row: DocumentRow, input: ScriptEstado): Promise<DocumentRow | undefined> {
  const { id } = row
  const { status: outcome, code = null, message = null } = input
  if (outcome === 'failed') {
    if (row.status !== 'queued') throw settled(row)
    // A test may name any code, one that it invents too.
    const failure = { code: (code ?? 'scripted_failure') as FailureCode, message: message ?? SCRIPTED_MESSAGE }
    const [failed] = await failDocuments(ctx, ctx.empresa, [{ id, ...failure }])
    return failed
  }
  if (row.status === 'queued') {
    await writeScript(ctx.sql, ctx.empresa, id, { outcome, code, message })
    return row
  }
  if (row.status !== 'sent') throw settled(row)
  const verdict = scriptedVerdict({ outcome, code, message })
  const advanced = await settleDocuments(ctx, ctx.empresa, new Map([[id, verdict]]))
  return advanced.find((one) => one.id === id)
}

function settled({ status }: DocumentRow): Problem {
  return new Problem('document_already_settled', { details: { status } })
}
