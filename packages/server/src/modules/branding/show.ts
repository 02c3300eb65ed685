import { inspectPicture } from './picture.ts'
import type { Branding, PrintFormat } from './schema.ts'

export interface BrandingRow {
  readonly logo: Buffer | null
  readonly logo_media_type: string | null
  readonly print_format: PrintFormat
  readonly footer_text: string | null
  readonly updated_at: Date | null
}

export const PLAIN: BrandingRow = {
  logo: null,
  logo_media_type: null,
  print_format: 'letter',
  footer_text: null,
  updated_at: null,
}

function showLogo(logo: Buffer): NonNullable<Branding['logo']> {
  const picture = inspectPicture(logo)
  if (typeof picture === 'string') throw new Error(`a stored logo cannot be read: ${picture}`)
  return { content: logo.toString('base64'), ...picture, size: logo.length }
}

export function showBranding(empresa_id: string, row: BrandingRow): Branding {
  return {
    object: 'branding',
    id: empresa_id,
    logo: row.logo && showLogo(row.logo),
    print_format: row.print_format,
    footer_text: row.footer_text,
    updated_at: row.updated_at?.toISOString() ?? null,
  }
}
