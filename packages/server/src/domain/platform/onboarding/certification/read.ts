import { Problem } from '../../../../kernel/problem.ts'
import type { EmpresaContext } from '../../../context.ts'
import { findEmisor } from '../../empresa/emisor.ts'
import { isStepKey, stepOf } from '../lanes.ts'
import { readBody } from '../read.ts'
import { isClosed } from '../settle.ts'
import { tiposOfCertification } from '../walk.ts'
import type { Certification } from './schema.ts'

/** What is to be certified and how far that is. A person of ours runs it: the set and its cases are with them. */
export async function readCertification(ctx: EmpresaContext): Promise<Certification> {
  const row = await findEmisor(ctx.sql, ctx.empresa)
  if (!row) throw new Problem('empresa_not_found')
  const body = await readBody(ctx, ctx.empresa, row)
  const steps = body.steps.filter(({ key }) => isStepKey(key) && stepOf(key).certifies)
  const open = steps.some(({ status }) => !isClosed(status))
  const { id, rut } = row
  return {
    object: 'certification',
    empresa: { id, rut },
    tipos: open ? tiposOfCertification(row) : [],
    steps,
    set: null,
    cases: [],
    inputs: [],
  }
}

/** Nothing takes what a certification is made of while people of ours run it. */
export async function refuseToCertify(): Promise<Certification> {
  throw new Problem('certification_run_by_operator')
}
