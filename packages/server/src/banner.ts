import { randomBytes } from 'node:crypto'
import type { Config } from './config.ts'
import { inventRut } from './domain/rut.ts'

export interface BannerFacts {
  readonly config: Config
  readonly database: string
  readonly mail: string
  readonly limits: string
  /** Set where the SII is simulated. */
  readonly simulator: { readonly control_url: string } | null
}

/** Two lines that work when pasted, also the tenth time: every start invents an address and a RUT nobody has. */
function firstCalls(config: Config): string[] {
  const rut = inventRut()
  const body = JSON.stringify({
    email: `dev-${randomBytes(3).toString('hex')}@example.cl`,
    password: randomBytes(9).toString('base64url'),
    bootstrap: {
      sandbox_key: { name: 'laptop' },
      empresa: { rut, legal_name: 'Comercial Quillay SpA' },
    },
  })
  const boleta = JSON.stringify({ tipo_dte: 39, items: [{ description: 'Café', quantity: 1, unit_price: 1990 }] })
  const headers = [
    '-H "Authorization: Bearer $KEY"',
    `-H 'Svc-Empresa: ${rut}'`,
    "-H 'Idempotency-Key: boleta-1'",
    "-H 'Content-Type: application/json'",
  ].join(' ')
  const key = `sed -E 's/.*"secret":"([^"]+)".*/\\1/'`
  return [
    `KEY=$(curl -s ${config.public_url}/account/register -H 'Content-Type: application/json' -d '${body}' | ${key})`,
    `curl -s ${config.public_url}/v1/documents ${headers} -d '${boleta}'`,
  ]
}

function liveMode({ sii }: Config, simulator: BannerFacts['simulator']): string[] {
  if (simulator === null) {
    const what =
      sii === 'produccion' ? 'the real SII: live documents are tax documents' : 'the certification of the SII'
    return [`  live mode    SII=${sii}: ${what}`]
  }
  return [
    '  live mode    SII=simulator: a simulator of the SII beside us; nothing live has tax effect',
    `  simulator    ${simulator.control_url}`,
  ]
}

function reception({ reception_smtp_port, reception_domain, host, sii_ca_file }: Config): string[] {
  if (reception_smtp_port === null) return []
  const authorities = sii_ca_file ?? 'none, so no document of a supplier can be verified: set SII_CA_FILE'
  return [
    `  reception    SMTP on ${host}:${reception_smtp_port} for the aliases of live empresas at ${reception_domain}`,
    `  CAs          ${authorities}`,
  ]
}

/** The text that a person at the terminal sees at the start. */
export function banner({ config, database, mail, limits, simulator }: BannerFacts): string {
  const lines = [
    '',
    `Timbre listens on ${config.public_url}`,
    `  database     ${database}`,
    ...liveMode(config, simulator),
    `  mail         ${mail}`,
    ...reception(config),
    `  rate limits  ${limits}`,
    `  reference    ${config.public_url}/docs`,
    '',
    'Register a sandbox account with a key and an empresa, then issue a boleta:',
    '',
    ...firstCalls(config),
    '',
    'The whole tour, from a factura to its webhook and its PDF: npm run quickstart',
    'The same in live mode, over the protocols of the SII: npm run quickstart -- --live',
    '',
    'Ctrl-C stops everything.',
    '',
  ]
  return lines.join('\n')
}
