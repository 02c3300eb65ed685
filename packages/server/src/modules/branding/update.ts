import { CEILINGS } from '../../catalog/limits.ts'
import type { EmpresaContext } from '../../kernel/context.ts'
import { invalidField } from '../../kernel/problem.ts'
import { inspectPicture } from './picture.ts'
import type { Branding, UpdateBranding } from './schema.ts'
import { type BrandingRow, showBranding } from './show.ts'
import { lockBranding, saveBranding } from './store.ts'

const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/

/** The bytes of a logo that can be printed. What they are is read from them, never taken from a name. */
function logoOf(content: string): Pick<BrandingRow, 'logo' | 'logo_media_type'> {
  const refuse = (reason: string) => invalidField('logo.content', reason)
  if (!BASE64.test(content)) throw refuse('it must be base64 with its padding, without line breaks or a data: prefix.')
  const logo = Buffer.from(content, 'base64')
  if (logo.length > CEILINGS.logo_bytes) {
    throw refuse(`it holds ${logo.length} bytes; at most ${CEILINGS.logo_bytes} are taken.`)
  }
  const picture = inspectPicture(logo)
  if (typeof picture === 'string') throw refuse(picture)
  return { logo, logo_media_type: picture.media_type }
}

function logoSent(input: UpdateBranding['logo'], row: BrandingRow): Pick<BrandingRow, 'logo' | 'logo_media_type'> {
  if (input === undefined) return { logo: row.logo, logo_media_type: row.logo_media_type }
  return input === null ? { logo: null, logo_media_type: null } : logoOf(input.content)
}

/** Changes what was sent; null takes the logo or the footer away. */
export async function updateBranding(ctx: EmpresaContext, input: UpdateBranding): Promise<Branding> {
  const row = await lockBranding(ctx.sql, ctx.empresa)
  const saved: BrandingRow = {
    ...logoSent(input.logo, row),
    print_format: input.print_format ?? row.print_format,
    footer_text: input.footer_text === undefined ? row.footer_text : input.footer_text,
    updated_at: ctx.now(),
  }
  await saveBranding(ctx.sql, ctx.empresa, saved)
  return showBranding(ctx.empresa.empresa_id, saved)
}
