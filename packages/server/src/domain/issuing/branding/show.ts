import type { Branding, PrintFormat } from './schema.ts'

export interface BrandingRow {
  readonly logo: Buffer | null
  readonly logo_media_type: 'image/png' | 'image/jpeg' | null
  readonly logo_width: number | null
  readonly logo_height: number | null
  readonly print_format: PrintFormat
  readonly footer_text: string | null
  readonly updated_at: Date | null
}

export const DEFAULTS: BrandingRow = {
  logo: null,
  logo_media_type: null,
  logo_width: null,
  logo_height: null,
  print_format: 'letter',
  footer_text: null,
  updated_at: null,
}

function showLogo(row: BrandingRow): Branding['logo'] {
  const { logo, logo_media_type: media_type, logo_width: width, logo_height: height } = row
  if (logo === null || media_type === null || width === null || height === null) return null
  return { content: logo.toString('base64'), media_type, width, height, size: logo.length }
}

export function showBranding(empresa_id: string, row: BrandingRow): Branding {
  return {
    object: 'branding',
    id: empresa_id,
    logo: showLogo(row),
    print_format: row.print_format,
    footer_text: row.footer_text,
    updated_at: row.updated_at?.toISOString() ?? null,
  }
}
