import { checkFitness, openCertificate } from '@timbre/dte'
import type { Context } from '../command.ts'
import { fromEnvironment } from '../config/env.ts'
import { CliError } from '../exit.ts'
import { saidOfCertificate } from '../offline/copy.ts'
import { pairs } from '../output.ts'
import { askSecret } from '../prompt.ts'
import { readAll, readNamedFile } from '../read-file.ts'

const DAY_MS = 86_400_000

async function passwordOf(ctx: Context): Promise<string> {
  if (ctx.options.flag('stdin')) return (await readAll(ctx, ctx.stdin)).toString('utf8').replace(/\r?\n$/, '')
  return fromEnvironment('TIMBRE_PASSWORD') ?? (await askSecret(ctx, 'Clave del certificado'))
}

export async function run(ctx: Context): Promise<void> {
  const { args, out, endsWith } = ctx
  const [file = ''] = args
  const bytes = await readNamedFile(ctx, file)
  const now = new Date()
  const opened = openCertificate(bytes, await passwordOf(ctx), now)
  if (!opened.ok) {
    if (opened.refusal.rule === 'wrong_password')
      throw new CliError('invalid', saidOfCertificate('wrong_password'), 'Revísala y prueba otra vez.')
    endsWith('invalid')
    const { rule } = opened.refusal
    out.result({ file, valid: false, rule, says: saidOfCertificate(rule) }, saidOfCertificate(rule))
    return
  }
  const { rut, holder, issuer, serial, valid_from, valid_until, chain } = opened.value
  const fit = checkFitness(opened.value)
  if (!fit.ok) endsWith('invalid')
  const days = Math.floor((Date.parse(valid_until) - now.getTime()) / DAY_MS)
  const facts = { rut, holder, issuer, serial, valid_from, valid_until, days_left: days, issuers_in_file: chain.length }
  out.result({ file, valid: fit.ok, ...(!fit.ok && { rule: fit.refusal.rule }), ...facts }, () =>
    pairs([
      ['Titular', `${holder}, RUT ${rut}`],
      ['Emitido por', issuer],
      ['Serie', serial],
      ['Vigente desde', valid_from.slice(0, 10)],
      ['Vence', `${valid_until.slice(0, 10)}, en ${days} días${days < 30 ? ': renuévalo pronto' : ''}`],
      ['Sirve para firmar', fit.ok ? 'sí' : saidOfCertificate(fit.refusal.rule)],
    ]),
  )
}
