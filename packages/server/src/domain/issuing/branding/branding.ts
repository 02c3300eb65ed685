import { CEILINGS } from '../../../catalog/limits.ts'
import { invalidField, Problem } from '../../../kernel/problem.ts'
import { PrinterBusy } from '../../../ports/printer.ts'
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

function bytesOf(content: string): Buffer {
  if (!isBase64(content)) throw refuse('it must be base64 with its padding, without line breaks or a data: prefix.')
  const logo = Buffer.from(content, 'base64')
  if (logo.length > CEILINGS.logo_bytes) {
    throw refuse(`it holds ${logo.length} bytes; at most ${CEILINGS.logo_bytes} are taken.`)
  }
  return logo
}

/**
 * Reads a picture the way the printer will, and where it will, so that none is stored that later spoils an invoice. Its
 * kind is told by its own bytes and never by a name.
 */
export async function measureLogo(ctx: EmpresaContext, input: UpdateBranding): Promise<{ measured: LogoColumns }> {
  if (!input.logo) return { measured: NO_LOGO }
  const logo = bytesOf(input.logo.content)
  const measured = await ctx.ports.printer.measureLogo(logo, ctx.account.account_id).catch((error: unknown) => {
    if (!(error instanceof PrinterBusy)) throw error
    throw new Problem('service_unavailable', { message: 'Too many PDFs are being printed at this moment.' })
  })
  if ('refused' in measured) throw refuse(`${measured.refused}.`)
  const logo_media_type = logo[0] === 0xff ? 'image/jpeg' : 'image/png'
  return { measured: { logo, logo_media_type, logo_width: measured.width, logo_height: measured.height } }
}

/** Changes what was sent; null removes the logo or the footer. */
export async function updateBranding(
  ctx: EmpresaContext,
  input: UpdateBranding & { measured: LogoColumns },
): Promise<Branding> {
  const row = await lockBranding(ctx.sql, ctx.empresa)
  const saved: BrandingRow = {
    ...row,
    ...(input.logo !== undefined && input.measured),
    print_format: input.print_format ?? row.print_format,
    footer_text: input.footer_text === undefined ? row.footer_text : input.footer_text,
    updated_at: ctx.now(),
  }
  await saveBranding(ctx.sql, ctx.empresa, saved)
  return showBranding(ctx.empresa.empresa_id, saved)
}
