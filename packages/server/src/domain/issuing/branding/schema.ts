import { type Static, Type } from 'typebox'
import { CEILINGS } from '../../../catalog/limits.ts'
import { Closed, Named, Nullable, OneOf, Timestamp } from '../../../kernel/schema.ts'
import { LatinText } from '../../latin-text.ts'

export const PRINT_FORMATS = ['letter', 'ticket_80', 'ticket_58'] as const
export type PrintFormat = (typeof PRINT_FORMATS)[number]

const Content = Type.String({
  maxLength: 2 * CEILINGS.logo_bytes,
  contentEncoding: 'base64',
  description: `The file in base64: a PNG or a JPEG of at most ${CEILINGS.logo_bytes / 1024} KiB.`,
})
const Format = OneOf(PRINT_FORMATS, { description: 'How documents are printed unless they say otherwise.' })
const footer = { description: 'Printed at the foot of every document.' }

export const Branding = Named(
  'Branding',
  Closed({
    object: Type.Literal('branding'),
    id: Type.String({ description: 'The id of the empresa: it has exactly one.' }),
    logo: Nullable(
      Closed({
        content: Content,
        media_type: OneOf(['image/png', 'image/jpeg']),
        width: Type.Integer({ description: 'In pixels.' }),
        height: Type.Integer({ description: 'In pixels.' }),
        size: Type.Integer({ description: 'In bytes.' }),
      }),
    ),
    print_format: Format,
    footer_text: Nullable(Type.String(footer)),
    updated_at: Nullable(Timestamp, { description: 'Null while nothing was ever set.' }),
  }),
)
export type Branding = Static<typeof Branding>

export const UpdateBranding = Closed({
  logo: Type.Optional(Nullable(Closed({ content: Content }), { description: 'Null removes it.' })),
  print_format: Type.Optional(Format),
  footer_text: Type.Optional(Nullable(LatinText(300, footer))),
})
export type UpdateBranding = Static<typeof UpdateBranding>
