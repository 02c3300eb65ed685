import { accessSync, constants, mkdirSync } from 'node:fs'
import type { Context } from '../command.ts'
import { stateFolder } from '../config/env.ts'
import { requireKey } from '../config/settings.ts'
import {
  type Empresa,
  findEmpresa,
  lookAtCertificate,
  lookAtEmpresa,
  lookAtFolios,
  lookAtKey,
  lookAtWebhooks,
  looking,
} from '../doctor/account.ts'
import { type Finding, ok, problem } from '../doctor/finding.ts'
import { lookAtServer } from '../doctor/reach.ts'
import { type Output, plain } from '../output.ts'

export async function run(ctx: Context): Promise<void> {
  const { out } = ctx
  const { url } = ctx.settings()
  const { up, findings: reached } = await lookAtServer(url)
  const findings = [...reached, ...(up ? await lookAtAccount(ctx) : []), lookAtPlace()]
  const bad = findings.filter(({ state }) => state === 'problem').length
  if (bad > 0) ctx.endsWith('invalid')
  out.result({ healthy: bad === 0, findings }, () =>
    [...findings.map((finding) => shown(out, finding)), '', ending(out, findings)].join('\n'),
  )
}

async function lookAtAccount(ctx: Context): Promise<readonly Finding[]> {
  const keyless = await looking('key', async () => {
    requireKey(ctx.settings())
    return []
  })
  if (keyless.length > 0) return keyless
  const api = await ctx.api()
  const key = await lookAtKey(api)
  if (key.some(({ state }) => state === 'problem')) return key
  let empresa: Empresa | null = null
  const found = await looking('empresa', async () => {
    empresa = await findEmpresa(api)
    return [lookAtEmpresa(api, empresa)]
  })
  const beyond = empresa ? [...(await lookAtCertificate(api, empresa)), ...(await lookAtFolios(api))] : []
  return [...key, ...found, ...(await lookAtWebhooks(api)), ...beyond]
}

/** Where `listen` keeps its place. */
function lookAtPlace(): Finding {
  const folder = stateFolder()
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    accessSync(folder, constants.W_OK)
    return ok('disk', `${folder} can be written.`)
  } catch {
    return problem(
      'disk',
      `${folder} cannot be written.`,
      'Free some space or mend its permissions; `listen --checkpoint` names another place.',
    )
  }
}

function shown(out: Output, finding: Finding): string {
  const mark = { ok: out.paint('green', '✓'), warning: out.paint('yellow', '!'), problem: out.paint('red', '✗') }[
    finding.state
  ]
  const line = `${mark} ${finding.check.padEnd(11)} ${plain(finding.says)}`
  return finding.state === 'ok' ? line : `${line}\n  ${' '.repeat(11)} → ${plain(finding.remedy)}`
}

function ending(out: Output, findings: readonly Finding[]): string {
  const count = (state: Finding['state']) => findings.filter((finding) => finding.state === state).length
  if (count('problem') > 0) return out.paint('red', `${count('problem')} to mend.`)
  return out.paint(
    'green',
    count('warning') > 0 ? `Nothing is broken; ${count('warning')} to look at.` : 'All is well.',
  )
}
