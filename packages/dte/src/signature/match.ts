import { createHash } from 'node:crypto'
import type { Namespaces } from '../xml/tree.ts'
import { SII_DTE, XSI } from './sign.ts'

/**
 * Namespaces to try. An envelope is signed as it stands. A document inside one was signed alone, before the envelope's
 * `xmlns:xsi` came into scope, with the SII's default namespace or with none, and emitters do both. The SII's own free
 * portal signs with the namespace and gives the file out without it (`<DTE version="1.0">`, ids `MiPE…`), so it is
 * added where none is declared. Trying them in turn is safe: the signature fixes a single text, whichever of them it is.
 */
export function contexts(in_scope: Namespaces, outer: boolean, own_prefix: string): readonly Namespaces[] {
  const alone: Record<string, string> = {}
  const bare: Record<string, string> = {}
  for (const [prefix, uri] of Object.entries(in_scope)) {
    if (uri !== XSI) alone[prefix] = uri
    if (prefix === own_prefix && in_scope[own_prefix]?.endsWith('xmldsig#')) bare[prefix] = uri
  }
  const tried = outer ? [in_scope, alone, bare] : [alone, bare, in_scope]
  return alone[''] === undefined ? [...tried, { ...alone, '': SII_DTE }] : tried
}

export function matches(canonical: string, digest: Buffer): boolean {
  return createHash('sha1').update(canonical, 'utf8').digest().equals(digest)
}
