import { X509Certificate } from 'node:crypto'
import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { CaBundle } from '@timbre/dte'
import { type Config, ConfigError } from './config.ts'

const CERTIFICATE_FILE = /\.(pem|crt|cer|der)$/i

/** PEM as it stands; the CAs also publish single certificates in DER. */
function pemOf(bytes: Buffer): string {
  const text = bytes.toString('latin1')
  return text.includes('-----BEGIN') ? text : new X509Certificate(bytes).toString()
}

async function readPem(path: string): Promise<string> {
  const names = (await stat(path)).isDirectory()
    ? (await readdir(path)).filter((name) => CERTIFICATE_FILE.test(name)).sort()
    : ['']
  const texts = await Promise.all(names.map(async (name) => pemOf(await readFile(join(path, name)))))
  return texts.join('\n')
}

/** The accredited CAs that the operator trusts, read once at the start. A file that vouches for nobody stops it. */
export async function certificateAuthorities({ sii_ca_file }: Pick<Config, 'sii_ca_file'>): Promise<CaBundle> {
  const { NO_AUTHORITIES, readCaBundle } = await import('@timbre/dte/emission')
  if (sii_ca_file === null) return NO_AUTHORITIES
  const refused = (why: string) => new ConfigError(`SII_CA_FILE=${sii_ca_file} cannot be used: ${why}`)
  const pem = await readPem(sii_ca_file).catch((error: Error) => {
    throw refused(error.message)
  })
  const read = readCaBundle(pem)
  if (!read.ok) throw refused(read.refusal.message)
  return read.value
}
