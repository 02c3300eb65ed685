import { createPublicKey, type KeyObject, sign } from 'node:crypto'

export interface CertificateOrder {
  /** RUT of the holder, where the Chilean CAs write it; a CA has none. */
  readonly rut?: string
  readonly holder: string
  readonly issuer: string
  readonly serial: number
  /** Instants, both before 2050. */
  readonly valid_from: Date
  readonly valid_until: Date
  /** It may issue certificates; `path_length` bounds how many CAs may stand below it. */
  readonly authority?: { readonly path_length?: number }
}

const SEQUENCE = 0x30
const SET = 0x31
const INTEGER = 0x02
const BIT_STRING = 0x03
const OCTET_STRING = 0x04
const NULL = Buffer.from([0x05, 0x00])
const UTF8 = 0x0c
const IA5 = 0x16
const UTC_TIME = 0x17
const VERSION = 0xa0
const EXTENSIONS = 0xa3
const OTHER_NAME = 0xa0

const oid = (hex: string) => der(0x06, Buffer.from(hex, 'hex'))
const COMMON_NAME = oid('550403')
const SHA256_WITH_RSA = der(SEQUENCE, oid('2a864886f70d01010b'), NULL)
const SUBJECT_ALT_NAME = oid('551d11')
const BASIC_CONSTRAINTS = oid('551d13')
const KEY_USAGE = oid('551d0f')
const TRUE = Buffer.from([0x01, 0x01, 0xff])
/** keyCertSign alone: bit 5 of the string, so two bits are unused (RFC 5280, 4.2.1.3). */
const SIGNS_CERTIFICATES = Buffer.from([0x02, 0x04])
/** 1.3.6.1.4.1.8321.1, where E-Sign, E-CertChile and Acepta write the RUT of the holder. */
const RUT_OF_HOLDER = oid('2b06010401c10101')

/**
 * A certificate for a key (X.509 v3, DER), for stand-ins of the CAs: test mode, the simulator and the tests. It is
 * signed with the key of its issuer, or with its own where none is given; it reads and signs as a real one does.
 */
export function issueCertificate(order: CertificateOrder, key: KeyObject, issuer_key = key): Uint8Array {
  const tbs = der(
    SEQUENCE,
    der(VERSION, der(INTEGER, Buffer.from([2]))),
    integer(order.serial),
    SHA256_WITH_RSA,
    name(order.issuer),
    der(SEQUENCE, utcTime(order.valid_from), utcTime(order.valid_until)),
    name(order.holder),
    createPublicKey(key).export({ type: 'spki', format: 'der' }),
    ...extensionsOf(order),
  )
  const signature = sign('RSA-SHA256', tbs, issuer_key)
  return der(SEQUENCE, tbs, SHA256_WITH_RSA, der(BIT_STRING, Buffer.from([0]), signature))
}

function der(tag: number, ...parts: readonly Uint8Array[]): Buffer {
  const content = Buffer.concat(parts)
  return Buffer.concat([Buffer.from([tag]), lengthOf(content.length), content])
}

/** Up to 127 in one octet; above, the count of octets and then the length (X.690, 8.1.3). */
function lengthOf(length: number): Buffer {
  if (length < 0x80) return Buffer.from([length])
  if (length < 0x100) return Buffer.from([0x81, length])
  return Buffer.from([0x82, length >> 8, length & 0xff])
}

/** Four octets, the first one 0 when the value would otherwise read as negative. */
function integer(value: number): Buffer {
  const octets = Buffer.alloc(5)
  octets.writeUInt32BE(value, 1)
  const first = octets.findIndex((octet, index) => octet !== 0 || index === 4)
  return der(INTEGER, octets.subarray((octets[first] ?? 0) < 0x80 ? first : first - 1))
}

function name(common_name: string): Buffer {
  return der(SEQUENCE, der(SET, der(SEQUENCE, COMMON_NAME, der(UTF8, Buffer.from(common_name, 'utf8')))))
}

function utcTime(instant: Date): Buffer {
  const digits = instant.toISOString().replace(/\D/g, '').slice(2, 14)
  return der(UTC_TIME, Buffer.from(`${digits}Z`, 'latin1'))
}

function extensionsOf({ rut, authority }: CertificateOrder): Buffer[] {
  const list = [
    ...(rut === undefined ? [] : [rutExtension(rut)]),
    ...(authority === undefined ? [] : [constraintsExtension(authority), usageExtension()]),
  ]
  return list.length === 0 ? [] : [der(EXTENSIONS, der(SEQUENCE, ...list))]
}

function constraintsExtension({ path_length }: { readonly path_length?: number }): Buffer {
  const bound = path_length === undefined ? [] : [integer(path_length)]
  return der(SEQUENCE, BASIC_CONSTRAINTS, TRUE, der(OCTET_STRING, der(SEQUENCE, TRUE, ...bound)))
}

function usageExtension(): Buffer {
  return der(SEQUENCE, KEY_USAGE, TRUE, der(OCTET_STRING, der(BIT_STRING, SIGNS_CERTIFICATES)))
}

function rutExtension(rut: string): Buffer {
  const other_name = der(OTHER_NAME, RUT_OF_HOLDER, der(0xa0, der(IA5, Buffer.from(rut, 'latin1'))))
  return der(SEQUENCE, SUBJECT_ALT_NAME, der(OCTET_STRING, der(SEQUENCE, other_name)))
}
