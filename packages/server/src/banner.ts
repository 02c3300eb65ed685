import { randomBytes } from 'node:crypto'
import { checkDigit } from '@timbre/dte/values'
import type { Config } from './config.ts'

export interface Standing {
  readonly config: Config
  readonly database: string
  readonly mail: string
  readonly limits: string
}

/** Two lines that work when pasted, also the tenth time: every start invents an address and a RUT nobody has. */
function firstCalls(config: Config): string[] {
  const number = 50_000_000 + (randomBytes(4).readUInt32BE() % 40_000_000)
  const body = JSON.stringify({
    email: `dev-${randomBytes(3).toString('hex')}@example.cl`,
    password: randomBytes(9).toString('base64url'),
    bootstrap: {
      sandbox_key: { name: 'laptop' },
      empresa: { rut: `${number}-${checkDigit(number)}`, legal_name: 'Comercial Quillay SpA' },
    },
  })
  const key = `sed -E 's/.*"secret":"([^"]+)".*/\\1/'`
  return [
    `KEY=$(curl -s ${config.public_url}/account/register -H 'Content-Type: application/json' -d '${body}' | ${key})`,
    `curl -s ${config.public_url}/v1/empresas -H "Authorization: Bearer $KEY"`,
  ]
}

function liveMode(config: Config): string {
  return `SII=${config.sii}, but this version has no live client: live empresas can be prepared, calls to the SII answer 502`
}

/** What a person at the terminal needs to know, and nothing else. */
export function banner({ config, database, mail, limits }: Standing): string {
  const lines = [
    '',
    `Timbre listens on ${config.public_url}`,
    `  database     ${database}`,
    `  live mode    ${liveMode(config)}`,
    `  mail         ${mail}`,
    `  rate limits  ${limits}`,
    `  reference    ${config.public_url}/docs`,
    '',
    'Register a sandbox account with a key and an empresa, then look at it:',
    '',
    ...firstCalls(config),
    '',
    'Ctrl-C stops everything.',
    '',
  ]
  return lines.join('\n')
}
