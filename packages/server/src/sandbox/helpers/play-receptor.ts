import type { Static } from 'typebox'
import { CLAIM_CODES } from '../../catalog/reception.ts'
import type { EmpresaContext } from '../../domain/context.ts'
import { lockDocument } from '../../domain/issuing/document/read.ts'
import type { Document, DocumentPath } from '../../domain/issuing/document/schema.ts'
import { showDocument } from '../../domain/issuing/document/show.ts'
import { recordRegistered } from '../../domain/issuing/document/watch-receptors.ts'
import { Problem } from '../../kernel/problem.ts'
import { Closed, OneOf } from '../../kernel/schema.ts'
import { answersToOwn, decide, placeOf } from '../sii/claims.ts'
import { REGISTER_SENTENCES } from '../sii/reception-magic-values.ts'

export const PlayReceptor = Closed({
  action: OneOf(['ACD', 'ERM', ...CLAIM_CODES], {
    description:
      'ACD accepts the content, ERM acknowledges goods or services; RCD claims against the content, RFP and RFT that ' +
      'goods lack in part or in all.',
  }),
})
export type PlayReceptor = Static<typeof PlayReceptor>

const TAKEN: readonly string[] = ['accepted', 'reparo', 'annulled']
const REGISTERED: readonly number[] = [0, 7]
const NOT_RECEIVED = 18

/** Has the receptor of a sandbox document answer in the register, and the document show it. */
export async function playReceptor(ctx: EmpresaContext, input: DocumentPath & PlayReceptor): Promise<Document> {
  const { action } = input
  const row = await lockDocument(ctx, input)
  const { tipo_dte, folio, sent_at, created_at } = row
  const { empresa } = ctx
  const at = ctx.now()
  const code =
    folio === null || !TAKEN.includes(row.status)
      ? NOT_RECEIVED
      : await decide(ctx.sql, {
          empresa,
          document: { emisor_rut: empresa.rut, tipo_dte, folio, sii_received_at: sent_at ?? created_at },
          action,
          at,
        })
  if (!REGISTERED.includes(code)) {
    const sii = { code, message: REGISTER_SENTENCES[code] ?? '', action }
    throw new Problem('receptor_response_refused', { param: 'action', sii })
  }
  const answers = await answersToOwn(ctx.sql, empresa)
  const registered = answers.get(placeOf(tipo_dte, folio)) ?? []
  return showDocument(await recordRegistered(ctx, empresa, row, registered), ctx.addresses)
}
