import { CEILINGS } from '../../../catalog/limits.ts'
import { invalidField } from '../../../kernel/problem.ts'
import type { EmpresaContext } from '../../context.ts'
import { inspectPicture } from './picture.ts'
import type { Branding, UpdateBranding } from './schema.ts'
import { type BrandingRow, showBranding } from './show.ts'
import { lockBranding, saveBranding } from './store.ts'

function isBase64(text: string): boolean {
  return text.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(text)
}

type LogoColumns = Pick<BrandingRow, 'logo' | 'logo_media_type' | 'logo_width' | 'logo_height'>

const NO_LOGO: LogoColumns = { logo: null, logo_media_type: null, logo_width: null, logo_height: null }

/** The bytes of a logo that can be printed, and what they are. */
function logoOf(content: string): LogoColumns {
  const refuse = (reason: string) => invalidField('logo.content', reason)
  if (!isBase64(content)) throw refuse('it must be base64 with its padding, without line breaks or a data: prefix.')
  const logo = Buffer.from(content, 'base64')
  if (logo.length > CEILINGS.logo_bytes) {
    throw refuse(`it holds ${logo.length} bytes; at most ${CEILINGS.logo_bytes} are taken.`)
  }
  const picture = inspectPicture(logo)
  if (typeof picture === 'string') throw refuse(`${picture}.`)
  return { logo, logo_media_type: picture.media_type, logo_width: picture.width, logo_height: picture.height }
}

/** Changes what was sent; null takes the logo or the footer away. */
export async function updateBranding(ctx: EmpresaContext, input: UpdateBranding): Promise<Branding> {
  const row = await lockBranding(ctx.sql, ctx.empresa)
  const logo = input.logo && logoOf(input.logo.content)
  const saved: BrandingRow = {
    ...row,
    ...(logo === null ? NO_LOGO : logo),
    print_format: input.print_format ?? row.print_format,
    footer_text: input.footer_text === undefined ? row.footer_text : input.footer_text,
    updated_at: ctx.now(),
  }
  await saveBranding(ctx.sql, ctx.empresa, saved)
  return showBranding(ctx.empresa.empresa_id, saved)
}
