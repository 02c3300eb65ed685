import { type Static, Type } from 'typebox'
import { MODE_NAMES } from '../../../catalog/modes.ts'
import { CivilDate, Closed, Id, listQuery, Named, Nullable, OneLine, OneOf, Timestamp } from '../../../kernel/schema.ts'
import { Rut } from '../../rut.ts'

const optional = Type.Optional

const EXPENSE_SOURCES = ['manual', 'movement'] as const
const CURRENCIES = ['CLP', 'USD', 'EUR'] as const

const Country = Type.Unsafe<string>({
  type: 'string',
  pattern: '^[A-Z]{2}$',
  maxLength: 2,
  description: 'ISO 3166-1, two letters.',
})
const MINOR = 'In the smallest unit of its currency: whole pesos, cents of a dollar.'

export const Expense = Named(
  'Expense',
  Closed({
    object: Type.Literal('expense'),
    id: Type.String({ examples: ['exp_01h5k3vq8n5r6t7w8x9y0z1a2b'] }),
    mode: OneOf(MODE_NAMES),
    source: OneOf(EXPENSE_SOURCES, {
      description: '`movement`: an outgoing movement of a bank or card, with which it changes and goes.',
    }),
    movement_id: Nullable(Type.String()),
    date: CivilDate,
    description: Type.String(),
    provider: Closed({
      name: Type.String(),
      rut: Nullable(Type.String()),
      country: Nullable(Type.String()),
    }),
    amount: Type.Integer({ description: MINOR }),
    currency: Type.String(),
    category: Nullable(Type.String()),
    created_at: Timestamp,
    changed_at: Timestamp,
  }),
)
export type Expense = Static<typeof Expense>

const SpentOn = Type.Unsafe<string>({
  ...CivilDate,
  description: 'Not after today in Santiago, by the clock of the empresa.',
})
const Provider = Closed({ name: OneLine(200), rut: optional(Rut), country: optional(Country) })
const Amount = Type.Integer({ minimum: 1, maximum: 999_999_999_999_999, description: MINOR })

export const CreateExpense = Closed({
  date: SpentOn,
  description: OneLine(500),
  provider: Provider,
  amount: Amount,
  currency: optional(OneOf(CURRENCIES, { default: 'CLP' })),
  category: optional(OneLine(60)),
})
export type CreateExpense = Static<typeof CreateExpense>

export const PatchExpense = Closed({
  date: optional(SpentOn),
  description: optional(OneLine(500)),
  provider: optional(Provider),
  amount: optional(Amount),
  currency: optional(OneOf(CURRENCIES)),
  category: optional(Nullable(OneLine(60))),
})
export type PatchExpense = Static<typeof PatchExpense>

export const ExpensePath = Closed({ expense_id: Id })
export type ExpensePath = Static<typeof ExpensePath>

export const ExpenseQuery = listQuery({
  from: optional(Type.Unsafe<string>({ ...CivilDate, description: 'First day, inclusive.' })),
  to: optional(Type.Unsafe<string>({ ...CivilDate, description: 'Last day, inclusive.' })),
  provider: optional(
    OneLine(200, { description: 'The RUT of the provider, or its name as it is written, in any case.' }),
  ),
  source: optional(OneOf(EXPENSE_SOURCES)),
  currency: optional(OneOf(CURRENCIES)),
})
export type ExpenseQuery = Static<typeof ExpenseQuery>
