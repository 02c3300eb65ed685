import { createHash, createPrivateKey, type KeyObject } from 'node:crypto'
import { CAF_IDK, publicPem } from '../authority/authority.ts'
import { writeCertificate } from '../authority/certificate.ts'
import { writePfx } from '../authority/pfx.ts'
import { json } from '../door.ts'
import { instant, optional, readInput, rut as rutField, text } from './input.ts'
import { ControlRefusal, type ControlRoute } from './route.ts'

const YEAR = 365 * 86_400_000
const PEM_TYPE = 'application/x-pem-file'

/** Names and e-mails have the lengths that RFC 5280 (appendix A.1) gives to the parts of a subject. */
const ORDER = {
  rut: rutField,
  password: text(200),
  name: optional(text(64)),
  email: optional(text(255)),
  not_before: optional(instant),
  not_after: optional(instant),
  private_key: optional(text(16_384)),
}

export const CERTIFICATE_ROUTES: readonly ControlRoute[] = [
  {
    method: 'GET',
    path: '/control/ca.pem',
    handle: ({ authority }) => ({ type: PEM_TYPE, body: authority.ca.pem }),
  },
  {
    method: 'GET',
    path: '/control/caf-keys',
    async handle({ authority }) {
      const pem = publicPem(await authority.cafKey())
      return json(Object.fromEntries(Object.values(CAF_IDK).map((idk) => [idk, pem])))
    },
  },
  { method: 'GET', path: '/control/certificates', handle: ({ state }) => json({ data: state.certificates.values() }) },
  {
    method: 'POST',
    path: '/control/certificates',
    async handle(ctx, { input }) {
      const asked = readInput(input, ORDER)
      const { rut, password } = asked
      const name = asked.name ?? `Persona ${rut}`
      const email = asked.email ?? undefined
      const now = ctx.clock.now()
      const not_before = asked.not_before ?? Math.min(now, asked.not_after ?? now) - 86_400_000
      const not_after = asked.not_after ?? Math.max(now, not_before) + 3 * YEAR
      if (not_after <= not_before) throw new ControlRefusal('not_after must be later than not_before.')
      const key = asked.private_key ? keyOf(asked.private_key) : await ctx.authority.personKey()
      const { der, pem, serial } = writeCertificate({
        subject: { common_name: name, serial_number: rut, ...(email ? { email } : {}) },
        issuer: ctx.authority.ca.name,
        holder_key: key,
        signing_key: ctx.authority.ca.key,
        not_before,
        not_after,
        use: { kind: 'person', rut, email },
      })
      const fingerprint_sha256 = createHash('sha256').update(der).digest('hex')
      const issued = { serial, rut, name, not_before, not_after, fingerprint_sha256, revoked: false }
      ctx.state.certificates.put(serial, issued)
      const pfx = writePfx(key, [der], password, name).toString('base64')
      return json({ ...issued, certificate_pem: pem, pfx }, 201)
    },
  },
]

/** Making an RSA key takes a second on a slow machine; whoever needs many certificates brings one. */
function keyOf(pem: string): KeyObject {
  try {
    return createPrivateKey(pem)
  } catch {
    throw new ControlRefusal('private_key is not a PEM private key.')
  }
}
