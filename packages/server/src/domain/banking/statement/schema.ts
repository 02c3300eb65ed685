import { type Static, Type } from 'typebox'
import { CEILINGS } from '../../../catalog/limits.ts'
import { MODE_NAMES } from '../../../catalog/modes.ts'
import {
  Base64,
  CivilDate,
  Closed,
  Id,
  listQuery,
  Named,
  Nullable,
  OneLine,
  OneOf,
  Timestamp,
} from '../../../kernel/schema.ts'
import { STATEMENT_STATUSES } from './machine.ts'
import { SIGN_RULES } from './parse/layout.ts'

const optional = Type.Optional

const FirstRow = Closed({
  row: Type.Integer({ description: 'Its number in the file.' }),
  post_date: CivilDate,
  amount: Type.Integer({ description: 'In the smallest unit of its currency; positive when money came in.' }),
  currency: Type.String(),
  description: Type.String(),
})

const StatementWarning = Closed({
  code: OneOf(['table_not_read'], {
    description: 'A table below the movements, under a title of its own: none of its rows is a movement.',
  }),
  row: Type.Integer({ description: 'The row of its title.' }),
  title: Type.String(),
  message: Type.String(),
})

export const Understood = Named(
  'StatementUnderstood',
  Closed({
    format: OneOf(['csv', 'xlsx', 'xls']),
    encoding: Nullable(Type.String(), { description: 'Null in a spreadsheet, which says so itself.' }),
    separator: Nullable(Type.String()),
    sheet: Nullable(Type.String({ description: 'The tab that holds the movements.' })),
    header_row: Type.Integer({ description: 'The row that names the columns.' }),
    columns: Type.Unsafe<Record<string, string>>({
      type: 'object',
      additionalProperties: { type: 'string' },
      description: 'What each column was taken for, and its name in the file.',
    }),
    date_format: Type.String({
      description: 'As found; several are joined by a comma. The day comes before the month.',
    }),
    sign_rule: OneOf(SIGN_RULES, {
      description:
        'How a payment is told from an income: two columns, a column of words, or the sign of one column. On a card ' +
        'what is positive was spent.',
    }),
    balance_check: OneOf(['agrees', 'disagrees', 'absent'], {
      description: 'Whether the balance beside the movements follows from the amounts as they were read.',
    }),
    bank_account: Type.String(),
    bank: Nullable(Type.String(), { description: 'The bank that the file names, where it names one that is known.' }),
    currency: Type.String(),
    first_date: CivilDate,
    last_date: CivilDate,
    first_rows: Type.Array(FirstRow),
    warnings: Type.Array(StatementWarning),
  }),
)
export type Understood = Static<typeof Understood>

const counted = {
  rows: Type.Integer({ description: 'Movements in the file.' }),
  skipped: Type.Integer({ description: 'Rows that hold none: totals, notes, opening balances, headers again.' }),
}

export const StatementPreview = Named(
  'StatementPreview',
  Closed({ object: Type.Literal('statement_preview'), mode: OneOf(MODE_NAMES), ...counted, understood: Understood }),
)
export type StatementPreview = Static<typeof StatementPreview>

export const Statement = Named(
  'Statement',
  Closed({
    object: Type.Literal('statement'),
    id: Type.String({ examples: ['stm_01h5k3vq8n5r6t7w8x9y0z1a2b'] }),
    mode: OneOf(MODE_NAMES),
    status: OneOf(STATEMENT_STATUSES),
    filename: Nullable(Type.String()),
    bank_account: Type.String(),
    currency: Type.String(),
    first_date: CivilDate,
    last_date: CivilDate,
    ...counted,
    imported: Type.Integer({ description: 'Movements that were new.' }),
    duplicates: Type.Integer({
      description: 'Movements that an earlier cartola or a bank connection of the same account had brought.',
    }),
    understood: Understood,
    failure: Type.Unsafe<{ code: string; message: string } | null>({
      anyOf: [Closed({ code: Type.String(), message: Type.String() }), { type: 'null' }],
    }),
    created_at: Timestamp,
    imported_at: Nullable(Timestamp),
  }),
)
export type Statement = Static<typeof Statement>

export const UploadStatement = Closed({
  file: Base64(CEILINGS.upload_body_bytes, {
    description: 'The cartola as the bank gave it, CSV, XLSX or XLS, in base64.',
  }),
  filename: optional(OneLine(200)),
  bank_account: optional(
    OneLine(60, { description: 'The account as you know it. Left out: the number that the file tells.' }),
  ),
  positive_is: optional(
    OneOf(['in', 'out'], {
      description:
        'Which way a positive amount goes, where the file has one column of amounts. Left out: out on the statement ' +
        'of a card, in on that of an account, unless the balance says otherwise.',
    }),
  ),
})
export type UploadStatement = Static<typeof UploadStatement>

export const StatementPath = Closed({ statement_id: Id })
export type StatementPath = Static<typeof StatementPath>

export const StatementQuery = listQuery({ status: optional(OneOf(STATEMENT_STATUSES)) })
export type StatementQuery = Static<typeof StatementQuery>
