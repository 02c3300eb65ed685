import { type Static, Type } from 'typebox'
import { PREVIEW_SECONDS } from '../../../catalog/limits.ts'
import { MODE_NAMES } from '../../../catalog/modes.ts'
import { secondsFrom } from '../../../kernel/clock.ts'
import { newId } from '../../../kernel/id.ts'
import { Problem } from '../../../kernel/problem.ts'
import { CivilDate, Closed, Id, Named, Nullable, OneOf, Timestamp } from '../../../kernel/schema.ts'
import { ownedBy } from '../../../kernel/tenant.ts'
import type { EmpresaContext } from '../../context.ts'
import { checkCharge } from '../../platform/agent-grant/charge.ts'
import { committedBy } from './committed.ts'
import { composeDocument, newDocument } from './compose.ts'
import type { CreateDocument } from './create-schema.ts'
import { detailOf } from './detail.ts'
import { DETAIL, ShownTax } from './detail-schema.ts'
import { ShownReceptor, Totals } from './schema.ts'
import { showDocument } from './show.ts'

export const DocumentPreview = Named(
  'DocumentPreview',
  Closed({
    object: Type.Literal('document_preview'),
    id: Type.String(),
    mode: OneOf(MODE_NAMES),
    tipo_dte: Type.Integer(),
    folio: Type.Null({ description: 'Always null: a preview spends no folio.' }),
    issue_date: CivilDate,
    totals: Totals,
    taxes: Type.Array(ShownTax, { description: 'Additional taxes (they add) and withheld ones (they subtract).' }),
    receptor: ShownReceptor,
    ...DETAIL,
    external_id: Nullable(Type.String()),
    created_at: Timestamp,
    expires_at: Timestamp,
  }),
)
export type DocumentPreview = Static<typeof DocumentPreview>

export const PreviewPath = Closed({ preview_id: Id })

/** Checks, completes and prices what would be issued, and issues nothing. */
export async function previewDocument(ctx: EmpresaContext, input: CreateDocument): Promise<DocumentPreview> {
  const composed = await composeDocument(ctx, input)
  const { tipo_dte, mode, issue_date, totals, taxes, receptor } = showDocument(
    newDocument(ctx, input, composed),
    ctx.addresses,
  )
  // An agent learns here, and not when it confirms, that its grant does not allow it.
  await checkCharge(ctx, { tipo_dte, rut: receptor.rut, amount: committedBy(composed.priced.totals) })
  const now = ctx.now()
  const expires_at = secondsFrom(now, PREVIEW_SECONDS)
  const preview: DocumentPreview = {
    object: 'document_preview',
    id: newId('document_preview'),
    mode,
    tipo_dte,
    folio: null,
    issue_date,
    totals,
    taxes,
    receptor,
    ...detailOf(composed.draft),
    external_id: input.external_id ?? null,
    created_at: now.toISOString(),
    expires_at: expires_at.toISOString(),
  }
  const { account_id, empresa_id } = ctx.empresa
  await ctx.sql`
    insert into document_preview (account_id, empresa_id, mode, id, preview, created_at, expires_at)
    values (${account_id}, ${empresa_id}, ${mode}, ${preview.id}, ${JSON.stringify(preview)}::json, ${now}, ${expires_at})`
  return preview
}

export async function readPreview(ctx: EmpresaContext, { preview_id }: { preview_id: string }) {
  const [row] = await ctx.sql<{ preview: DocumentPreview }>`
    select preview from document_preview
    where ${ownedBy(ctx.empresa)} and id = ${preview_id} and expires_at > ${ctx.now()}`
  if (!row) throw new Problem('document_preview_not_found')
  return row.preview
}
