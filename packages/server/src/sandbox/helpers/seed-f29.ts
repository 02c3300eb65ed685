import { type Static, Type } from 'typebox'
import type { EmpresaContext } from '../../domain/context.ts'
import { FilingError } from '../../domain/tax/f29/filing-schema.ts'
import { requestCompute } from '../../domain/tax/f29/jobs.ts'
import { hasProposal } from '../../domain/tax/f29/read.ts'
import { Period } from '../../domain/tax/rcv/period.ts'
import { invalidField } from '../../kernel/problem.ts'
import { Closed, Named, OneLine } from '../../kernel/schema.ts'
import { writeSandboxErrors, writeSandboxProposal } from '../sii/f29.ts'

const SiiCodeIn = Closed({
  code: Type.Integer({ minimum: 1, maximum: 9999 }),
  amount: Type.Integer({ minimum: 0, maximum: 999_999_999_999_999 }),
})

export const SeedProposal = Closed({
  period: Period,
  codes: Type.Array(SiiCodeIn, { maxItems: 300, description: 'What the SII proposes. An empty array: nothing.' }),
})
export type SeedProposal = Static<typeof SeedProposal>
export const SeededProposal = Named(
  'F29SandboxProposal',
  Closed({ object: Type.Literal('f29_sandbox_proposal'), period: Period, codes: Type.Array(SiiCodeIn) }),
)

export const SeedValidations = Closed({
  period: Period,
  errors: Type.Array(Closed({ code: OneLine(40), message: OneLine(500) }), {
    maxItems: 50,
    description: 'What the SII finds wrong with the next filing of the period. An empty array: nothing.',
  }),
})
export type SeedValidations = Static<typeof SeedValidations>
export const SeededValidations = Named(
  'F29SandboxValidations',
  Closed({ object: Type.Literal('f29_sandbox_validations'), period: Period, errors: Type.Array(FilingError) }),
)

/** What the SII of the sandbox proposes for a period. A proposal that is here is compared with it at once. */
export async function seedProposal(
  ctx: EmpresaContext,
  { period, codes }: SeedProposal,
): Promise<Static<typeof SeededProposal>> {
  const twice = codes.findIndex(({ code }, i) => codes.findIndex((one) => one.code === code) < i)
  if (twice >= 0) throw invalidField(`codes[${twice}].code`, `code ${codes[twice]?.code} is there twice.`)
  await writeSandboxProposal(ctx.sql, ctx.empresa, period, codes.length === 0 ? null : codes)
  if (await hasProposal(ctx, period)) await requestCompute(ctx, ctx.empresa, period)
  return { object: 'f29_sandbox_proposal', period, codes }
}

/** What the SII of the sandbox answers to the next filing of a period. */
export async function seedValidations(
  ctx: EmpresaContext,
  { period, errors }: SeedValidations,
): Promise<Static<typeof SeededValidations>> {
  await writeSandboxErrors(ctx.sql, ctx.empresa, period, errors.length === 0 ? null : errors)
  return { object: 'f29_sandbox_validations', period, errors }
}
