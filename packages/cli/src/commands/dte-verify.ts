import type { Context } from '../command.ts'
import { fromEnvironment } from '../config/env.ts'
import type { Check, CheckedDocument, Verdict } from '../offline/verify-dte.ts'
import { verifyDte } from '../offline/verify-dte.ts'
import { type Output, pesos, plain } from '../output.ts'
import { readNamedFile } from '../read-file.ts'

export async function run(ctx: Context): Promise<void> {
  const [file = ''] = ctx.args
  const bytes = await readNamedFile(ctx, file)
  const { checkSchema, NO_SCHEMAS } = await import('../offline/check-schema.ts')
  const folder = ctx.options.text('schemas') ?? fromEnvironment('TIMBRE_SCHEMAS')
  const sandbox = ctx.options.flag('sandbox')
  const readable = verifyDte(bytes, { schema: NO_SCHEMAS, sandbox })
  const known = folder !== undefined && readable.kind !== 'desconocido'
  const verdict = known ? verifyDte(bytes, { schema: checkSchema(bytes, folder), sandbox }) : readable
  if (!verdict.valid) ctx.endsWith('invalid')
  ctx.out.result({ file, ...verdict }, () => shown(ctx.out, file, verdict))
}

function shown(out: Output, file: string, { valid, checks, documents }: Verdict): string {
  const ending = valid ? out.paint('green', 'El archivo es válido.') : out.paint('red', 'El archivo NO es válido.')
  const one = ({ title, emisor, receptor, issue_date, total, checks }: CheckedDocument) =>
    [
      '',
      out.paint('bold', plain(title)),
      `  ${plain(emisor)} → ${plain(receptor)}, ${plain(issue_date)}${total === null ? '' : `, ${pesos(total)}`}`,
      ...checks.map((check) => line(out, check)),
    ].join('\n')
  return [
    out.paint('bold', plain(file)),
    ...checks.map((check) => line(out, check)),
    ...documents.map(one),
    '',
    ending,
  ].join('\n')
}

function line(out: Output, { what, state, says, path }: Check): string {
  const mark = { ok: out.paint('green', '✓'), error: out.paint('red', '✗'), unknown: out.paint('yellow', '?') }[state]
  const where = state === 'error' && path ? out.paint('dim', ` [${plain(path)}]`) : ''
  return `  ${mark} ${what.padEnd(7)} ${plain(says)}${where}`
}
