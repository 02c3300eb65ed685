import { LogoError, readLogo } from '@timbre/dte/logo'
import { CEILINGS } from '../../../catalog/limits.ts'
import { invalidField } from '../../../kernel/problem.ts'
import type { EmpresaContext } from '../../context.ts'
import type { Branding, UpdateBranding } from './schema.ts'
import { type BrandingRow, DEFAULTS, showBranding } from './show.ts'
import { findBranding, lockBranding, saveBranding } from './store.ts'

export async function readBranding(ctx: EmpresaContext): Promise<Branding> {
  return showBranding(ctx.empresa.empresa_id, (await findBranding(ctx.sql, ctx.empresa)) ?? DEFAULTS)
}

function isBase64(text: string): boolean {
  return text.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(text)
}

type LogoColumns = Pick<BrandingRow, 'logo' | 'logo_media_type' | 'logo_width' | 'logo_height'>

const NO_LOGO: LogoColumns = { logo: null, logo_media_type: null, logo_width: null, logo_height: null }

const refuse = (reason: string) => invalidField('logo.content', reason)

/**
 * Reads a picture the way the printer will, so that none is stored that later spoils an invoice. Its kind is told by
 * its own bytes and never by a name.
 */
function inspectLogo(logo: Buffer): LogoColumns {
  try {
    const { width, height } = readLogo(logo)
    const logo_media_type = logo[0] === 0xff ? 'image/jpeg' : 'image/png'
    return { logo, logo_media_type, logo_width: width, logo_height: height }
  } catch (error) {
    if (error instanceof LogoError) throw refuse(`${error.message}.`)
    throw error
  }
}

function logoOf(content: string): LogoColumns {
  if (!isBase64(content)) throw refuse('it must be base64 with its padding, without line breaks or a data: prefix.')
  const logo = Buffer.from(content, 'base64')
  if (logo.length > CEILINGS.logo_bytes) {
    throw refuse(`it holds ${logo.length} bytes; at most ${CEILINGS.logo_bytes} are taken.`)
  }
  return inspectLogo(logo)
}

/** Changes what was sent; null removes the logo or the footer. */
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
