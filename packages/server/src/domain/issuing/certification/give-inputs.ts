import { invalidField, mapOrRefuse } from '../../../kernel/problem.ts'
import type { EmpresaContext } from '../../context.ts'
import { lockEmisor } from '../../platform/empresa/emisor.ts'
import { INPUT_KEYS, INPUTS, isInputKey } from './inputs.ts'
import { readCertification } from './read.ts'
import type { Certification, CertificationInputs } from './schema.ts'
import { hastenCertification } from './start.ts'
import { findCertification, saveCertification } from './store.ts'

/** Takes what only the taxpayer knows. What is told again takes the place of what was told before. */
export async function giveInputs(ctx: EmpresaContext, { inputs }: CertificationInputs): Promise<Certification> {
  const given: Record<string, string> = {}
  mapOrRefuse(inputs, ({ key, value }, i) => {
    if (!isInputKey(key)) throw invalidField(`inputs[${i}].key`, `it must be one of ${INPUT_KEYS.join(', ')}.`)
    const { pattern, format } = INPUTS[key]
    if (!pattern.test(value)) throw invalidField(`inputs[${i}].value`, format)
    given[key] = value
  })
  await lockEmisor(ctx.sql, ctx.empresa)
  const known = await findCertification(ctx.sql, ctx.empresa)
  await saveCertification(ctx.sql, ctx.empresa, { inputs: { ...known.inputs, ...given } })
  await hastenCertification(ctx, ctx.empresa)
  return readCertification(ctx)
}
