import { createPublicKey, type KeyObject, randomBytes, sign } from 'node:crypto'
import { bits, ia5, integer, octets, oid, printable, sequence, set, tagged, time, tlv, utf8, yes } from './der.ts'

/** Object identifier under which Chilean authorities write the holder's RUT in subjectAltName. */
const RUT_OID = '1.3.6.1.4.1.8321.1'

type Name = { common_name: string; serial_number?: string; organisation?: string; email?: string }

export type CertificateRequest = {
  subject: Name
  issuer: Name
  /** The private key whose public half the certificate is about. */
  holder_key: KeyObject
  signing_key: KeyObject
  not_before: number
  not_after: number
  use:
    | { kind: 'authority' }
    | { kind: 'server'; names: readonly string[] }
    | { kind: 'person'; rut: string; email?: string | undefined; signs?: boolean }
}

/** An X.509 v3 certificate signed with ECDSA and SHA-256: a P-256 key is made at once, an RSA one takes seconds. */
export function writeCertificate(request: CertificateRequest): { der: Uint8Array; pem: string; serial: string } {
  const serial = randomBytes(12)
  serial[0] = ((serial[0] ?? 0) & 0x7f) | 0x40
  const algorithm = sequence(oid('1.2.840.10045.4.3.2'))
  const tbs = sequence(
    tagged(0, integer(2)),
    integer(serial),
    algorithm,
    nameOf(request.issuer),
    sequence(time(request.not_before), time(request.not_after)),
    nameOf(request.subject),
    createPublicKey(request.holder_key).export({ type: 'spki', format: 'der' }),
    tagged(3, sequence(...extensionsOf(request.use))),
  )
  const der = sequence(tbs, algorithm, bits(sign('sha256', tbs, request.signing_key)))
  return { der, pem: pemOf(der), serial: serial.toString('hex') }
}

export function pemOf(der: Uint8Array): string {
  const lines =
    Buffer.from(der)
      .toString('base64')
      .match(/.{1,64}/g) ?? []
  return `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`
}

function nameOf({ common_name, serial_number, organisation, email }: Name): Uint8Array {
  const part = (type: string, value: Uint8Array) => set(sequence(oid(type), value))
  return sequence(
    part('2.5.4.6', printable('CL')),
    ...(organisation ? [part('2.5.4.10', utf8(organisation))] : []),
    part('2.5.4.3', utf8(common_name)),
    ...(email ? [part('1.2.840.113549.1.9.1', ia5(email))] : []),
    ...(serial_number ? [part('2.5.4.5', printable(serial_number))] : []),
  )
}

function extensionsOf(use: CertificateRequest['use']): Uint8Array[] {
  const extension = (type: string, critical: boolean, value: Uint8Array) =>
    sequence(oid(type), ...(critical ? [yes] : []), octets(value))
  const basic = (authority: boolean) => extension('2.5.29.19', true, sequence(...(authority ? [yes] : [])))
  // KeyUsage is a string of bits: 0 digitalSignature, 1 nonRepudiation, 2 keyEncipherment, 5 keyCertSign, 6 cRLSign.
  const keyUsage = (byte: number, unused: number) => extension('2.5.29.15', true, bits(Buffer.from([byte]), unused))
  const extendedUsage = (...types: string[]) => extension('2.5.29.37', false, sequence(...types.map(oid)))
  const alternativeNames = (...names: Uint8Array[]) => extension('2.5.29.17', false, sequence(...names))

  if (use.kind === 'authority') return [basic(true), keyUsage(0b0000_0110, 1)]
  if (use.kind === 'server') {
    const names = use.names.map((name) =>
      /^[\d.]+$/.test(name)
        ? tlv(0x87, Buffer.from(name.split('.').map(Number)))
        : name === '::1'
          ? tlv(0x87, Buffer.from('00000000000000000000000000000001', 'hex'))
          : tlv(0x82, Buffer.from(name)),
    )
    return [basic(false), keyUsage(0b1000_0000, 7), extendedUsage('1.3.6.1.5.5.7.3.1'), alternativeNames(...names)]
  }
  const rut = tlv(0xa0, oid(RUT_OID), tagged(0, ia5(use.rut)))
  return [
    basic(false),
    use.signs === false ? keyUsage(0b0010_0000, 5) : keyUsage(0b1110_0000, 5),
    extendedUsage('1.3.6.1.5.5.7.3.2', '1.3.6.1.5.5.7.3.4'),
    alternativeNames(rut, ...(use.email ? [tlv(0x81, Buffer.from(use.email))] : [])),
  ]
}
