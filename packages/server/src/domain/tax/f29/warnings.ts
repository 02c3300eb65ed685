import { type Static, Type } from 'typebox'
import { Closed, Nullable, OneOf } from '../../../kernel/schema.ts'

/** For a person to check before filing. With one that blocks the declaration would be wrong, so it cannot be filed. */
const WARNINGS = {
  never_synced: {
    blocks: true,
    message: 'The registers of this period were never read, or the last reading failed: POST /tax/sync.',
  },
  period_open: { blocks: true, message: 'The period has not ended: its documents may still change.' },
  utm_missing: {
    blocks: true,
    message:
      'The UTM of a month is not known here, so a remanente was not readjusted: the operator of the service loads it ' +
      '(`npm run load-indicators`), or override 504, 508, 540 or 557.',
  },
  indicators_invented: {
    blocks: false,
    message:
      'Nobody published or loaded these figures: the sandbox made them up. In live mode they would stop a filing.',
  },
  pending_entries: { blocks: false, message: 'Purchases wait for their acknowledgement and give no credit yet.' },
  unreadable_lines: {
    blocks: true,
    message:
      'Lines of the register could not be read, and may belong in the declaration: see partial_errors of its sync.',
  },
  unknown_tipos: {
    blocks: true,
    message:
      'Entries of a tipo that the form has no line for here were left out: override the code of ventas or compras ' +
      'that carries them.',
  },
  taxes_left_out: {
    blocks: true,
    message:
      'Taxes beside IVA, of these codes of the SII, were left out: override the code of the form that carries them, ' +
      'with 0 where none does.',
  },
  tax_credit_without_sales: {
    blocks: false,
    message:
      'Purchases carry taxes of article 42 and no sale does: they are credit only for whoever sells with them. ' +
      'Override the codes of the credit with 0 where they are a cost.',
  },
  ppm_rate_missing: {
    blocks: true,
    message: 'There is income and no PPM rate is known: send ppm_rate, 0 where none applies.',
  },
  late: {
    blocks: false,
    message:
      'It is past its day: 92 (readjustment) and 93 (interest and fines) are those of today, by articles 53 and 97 no. 11 ' +
      'of the Código Tributario, and grow. What the SII forgives goes in 795.',
  },
  surcharge_unknown: {
    blocks: true,
    message:
      'It is past its day, and figures that its readjustment and interest follow from are not known here: the operator ' +
      'of the service loads them (`npm run load-indicators`), or override codes 92 and 93.',
  },
  previous_remanente_unknown: {
    blocks: false,
    message: 'There is no proposal of the period before: send previous_remanente, 0 where there is none.',
  },
  common_use_factor_missing: {
    blocks: true,
    message: 'IVA of common use was left out: send common_use_factor, or override code 520.',
  },
  sii_proposal_not_shown: {
    blocks: false,
    message:
      'Nothing here was compared with what the SII itself proposes: it shows that of a company only to whoever logs in ' +
      'as the company, with its clave tributaria, and what is in custody is the certificate of a person. Look at it in ' +
      'the portal of the SII before filing.',
  },
  negative_code: {
    blocks: false,
    message: 'Notas de crédito exceed what they lower; the form takes no less than zero.',
  },
} as const

export type WarningCode = keyof typeof WARNINGS

export const Warning = Closed({
  code: OneOf(Object.keys(WARNINGS) as WarningCode[]),
  message: Type.String(),
  blocks_filing: Type.Boolean(),
  count: Nullable(Type.Integer({ description: 'How many entries, lines or documents it is about.' })),
  amount: Nullable(Type.Integer({ description: 'How many pesos it is about.' })),
  concerns: Type.Array(Type.String(), { description: 'The codes, tipos or months it is about.' }),
})
export type Warning = Static<typeof Warning>

export function warning(
  code: WarningCode,
  about: { count?: number; amount?: number; concerns?: readonly (string | number)[] } = {},
): Warning {
  const { blocks, message } = WARNINGS[code]
  return {
    code,
    message,
    blocks_filing: blocks,
    count: about.count ?? null,
    amount: about.amount ?? null,
    concerns: (about.concerns ?? []).map(String),
  }
}
