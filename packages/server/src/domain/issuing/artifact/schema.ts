import { type Static, Type } from 'typebox'
import { Closed, OneOf } from '../../../kernel/schema.ts'
import { PRINT_FORMATS } from '../branding/schema.ts'

export const PdfQuery = Closed({
  format: Type.Optional(
    OneOf(PRINT_FORMATS, {
      description:
        'Paper. Left out: what the document asked for, then the `print_format` of the branding where the SII lets the ' +
        'tipo be printed so, then `letter`. Only boletas may be printed on 58 mm.',
    }),
  ),
  cedible: Type.Optional(
    Type.Boolean({ description: 'The cedible copy. Left out: what the document asked for with `pdf.cedible`.' }),
  ),
})
export type PdfQuery = Static<typeof PdfQuery>
