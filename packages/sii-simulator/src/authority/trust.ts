import { X509Certificate } from 'node:crypto'

/** Each certificate of a PEM file: it may hold several, such as a root and those under it. */
export function certificatesIn(pem: string): string[] {
  const found = pem.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? []
  if (found.length === 0) throw new TypeError('The file holds no certificate in PEM.')
  // One that cannot be read is told now, not when somebody shows a certificate of it.
  for (const one of found) new X509Certificate(one)
  return found
}

/** Whether one of these authorities issued it, and it is good at that instant of the simulator's clock. */
export function isTrusted(certificate: X509Certificate, authorities: readonly string[], instant: number): boolean {
  return isValidAt(certificate, instant) && authorities.some((pem) => issued(certificate, authorityOf(pem)))
}

export function isValidAt(certificate: X509Certificate, instant: number): boolean {
  return Date.parse(certificate.validFrom) <= instant && instant <= Date.parse(certificate.validTo)
}

/** The RUT that a Chilean certificate carries: in subjectAltName, or else in the subject's serialNumber. */
export function rutOf(certificate: X509Certificate): string | null {
  const inAltName = rutInAltName(certificate.raw)
  const inSubject = /^serialNumber=(.+)$/m.exec(certificate.subject)?.[1]
  const rut = (inAltName ?? inSubject ?? '').replaceAll('.', '').toUpperCase().replace(/^0+/, '')
  return /^\d{1,8}-[\dK]$/.test(rut) ? rut : null
}

// otherName 1.3.6.1.4.1.8321.1 in DER: its identifier, then the value: [0], an IA5String.
const RUT_IDENTIFIER = Buffer.from('06082b06010401c10101', 'hex')

function rutInAltName(der: Buffer): string | undefined {
  const at = der.indexOf(RUT_IDENTIFIER)
  if (at < 0) return undefined
  const value = at + RUT_IDENTIFIER.length
  const length = der[value + 3] ?? 0
  return der.toString('latin1', value + 4, value + 4 + length)
}

const parsed = new Map<string, X509Certificate>()

function authorityOf(pem: string): X509Certificate {
  let authority = parsed.get(pem)
  if (!authority) {
    authority = new X509Certificate(pem)
    parsed.set(pem, authority)
  }
  return authority
}

function issued(certificate: X509Certificate, authority: X509Certificate): boolean {
  return certificate.checkIssued(authority) && certificate.verify(authority.publicKey)
}
