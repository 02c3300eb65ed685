import { type Irreversible, quoted } from '../../agent-tool.ts'
import type { Branding } from './schema.ts'

const footOf = ({ footer_text }: Branding) =>
  footer_text === null ? 'sin texto al pie' : `con este texto al pie: ${quoted(footer_text)}`

/** Every document carries it from then on, also when the agent is gone: a foot that says whom to pay is believed. */
export const printsOnDocuments: Irreversible<Branding> = {
  says: (branding) =>
    `Desde ahora los documentos de esta empresa se imprimen ${branding.logo ? 'con su logo' : 'sin logo'} y ${footOf(branding)}.`,
  shows: ({ print_format, footer_text, logo }) => ({
    print_format,
    footer_text,
    logo: logo && { media_type: logo.media_type, width: logo.width, height: logo.height, size: logo.size },
  }),
}
