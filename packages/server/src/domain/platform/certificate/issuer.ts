import { Problem } from '../../../kernel/problem.ts'
import type { OpenedPfx } from '../../../ports/certificates.ts'
import type { Sii } from '../../../ports/sii.ts'
import type { EmpresaContext } from '../../context.ts'
import type { Chain } from './schema.ts'

/** Who vouches for a certificate, and whether any root is loaded that could. */
export interface Judged {
  readonly chain: Chain
  readonly has_roots: boolean
}

/** Judges a certificate by the roots that suppliers' documents are judged by. */
export async function judgeChain(
  sii: Pick<Sii, 'certificateAuthorities'>,
  { certificates }: Pick<OpenedPfx, 'certificates'>,
  at: Date,
): Promise<Judged> {
  const { findIssuer } = await import('@timbre/dte/emission')
  const bundle = await sii.certificateAuthorities()
  const found = findIssuer(
    certificates.map((der) => Buffer.from(der).toString('base64')),
    bundle,
  )
  const stands = found.issuer === 'proven' && found.windows.some(({ from, until }) => from <= at && at <= until)
  const chain = stands ? 'accredited' : found.issuer === 'self_signed' ? 'self_signed' : 'unknown'
  return { chain, has_roots: bundle.certificates.length > 0 }
}

/**
 * The same at the door. Where documents have tax effect, one that nobody vouches for is refused: the SII would refuse each of
 * them. Elsewhere it is only shown, for the simulator and the certification of the SII judge for themselves, and whoever
 * rehearses has no other. Where no root is loaded nobody but a certificate that vouches for itself can be told apart.
 */
export async function judgeIssuer(
  { ports, account, now }: Pick<EmpresaContext, 'ports' | 'account' | 'now'>,
  opened: Pick<OpenedPfx, 'certificates'>,
): Promise<Chain> {
  const sii = ports.sii[account.mode]
  const { chain, has_roots } = await judgeChain(sii, opened, now())
  const refused = chain === 'self_signed' || (chain === 'unknown' && has_roots)
  if (!sii.tax_effect || !refused) return chain
  const [reason, message] =
    chain === 'self_signed'
      ? ['self_signed', 'The certificate vouches for itself: the SII takes those of accredited CAs.']
      : ['issuer_unknown', 'No accredited CA known here issued the certificate; export it with those of its issuers.']
  throw new Problem('invalid_certificate', { param: 'file', message, details: { reason } })
}
