import { generateKeyPairSync } from 'node:crypto'
import { createServer, type Server } from 'node:https'
import type { AddressInfo } from 'node:net'
import type { TLSSocket } from 'node:tls'
import forge from 'node-forge'

/** An authority that nobody trusts by itself, and a server on the loopback with a certificate of it. */
export interface TlsSii {
  readonly base: string
  /** PEM. */
  readonly ca: string
  /** Common names of the client certificates that were shown, null where none was. */
  readonly shown: (string | null)[]
  /** Connections that are open now. */
  open(): Promise<number>
  close(): Promise<void>
}

function newKey() {
  // OpenSSL 3.5, that of Node 24, takes no less for TLS.
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const pem = privateKey.export({ type: 'pkcs1', format: 'pem' }).toString()
  const spki = publicKey.export({ type: 'spki', format: 'pem' }).toString()
  return { pem, private: forge.pki.privateKeyFromPem(pem), public: forge.pki.publicKeyFromPem(spki) }
}

type Key = ReturnType<typeof newKey>

function certify(key: Key, name: string, issuer: { key: Key; name: string }, extensions: object[]): string {
  const certificate = forge.pki.createCertificate()
  certificate.publicKey = key.public
  certificate.serialNumber = '02'
  certificate.validity.notBefore = new Date('2026-01-01T00:00:00Z')
  certificate.validity.notAfter = new Date('2040-01-01T00:00:00Z')
  certificate.setSubject([{ name: 'commonName', value: name }])
  certificate.setIssuer([{ name: 'commonName', value: issuer.name }])
  certificate.setExtensions(extensions)
  certificate.sign(issuer.key.private, forge.md.sha256.create())
  return forge.pki.certificateToPem(certificate)
}

/** Answers every request with a text, and asks for a client certificate without insisting on one. */
export async function openTlsSii(): Promise<TlsSii> {
  const [authority, key] = [newKey(), newKey()]
  const issuer = { key: authority, name: 'Autoridad de prueba' }
  const ca = certify(authority, issuer.name, issuer, [
    { name: 'basicConstraints', cA: true, critical: true },
    { name: 'keyUsage', keyCertSign: true, critical: true },
  ])
  const cert = certify(key, '127.0.0.1', issuer, [{ name: 'subjectAltName', altNames: [{ type: 7, ip: '127.0.0.1' }] }])
  const shown: (string | null)[] = []
  const options = { key: key.pem, cert, requestCert: true, rejectUnauthorized: false }
  const server: Server = createServer(options, (request, response) => {
    const common_name = (request.socket as TLSSocket).getPeerCertificate()?.subject?.CN
    shown.push(typeof common_name === 'string' ? common_name : null)
    response.end('over TLS')
  })
  // A connection that is kept is still there when a test counts them, on a slow machine too.
  server.keepAliveTimeout = 600_000
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    base: `https://127.0.0.1:${(server.address() as AddressInfo).port}`,
    ca,
    shown,
    open: () => new Promise((resolve) => server.getConnections((_error, count) => resolve(count ?? 0))),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
