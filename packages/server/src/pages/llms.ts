import type { Answer } from '../kernel/answer.ts'
import type { Addresses } from '../ports/ports.ts'

/** A page of the documentation as an index lists it. */
export interface IndexEntry {
  readonly path: string
  readonly title: string
  readonly about: string
}

const line = (public_url: string, { path, title, about }: IndexEntry) =>
  `- [${title}](${public_url}${path}.md): ${about}`

/** `/llms.txt`: what the service is and where a program reads on, in the form of llmstxt.org. */
export function llmsText(pages: readonly IndexEntry[], guides: readonly IndexEntry[], addresses: Addresses): Answer {
  const { public_url, base_url } = addresses
  const body = `# Timbre

> Electronic invoicing for Chile as an HTTP API and as tools for agents: issues, receives and tracks electronic tax documents (DTE) before the SII, for many taxpayers (empresas) under one account.

- API: ${base_url}, with \`Authorization: Bearer sk_test_…\` (sandbox) or \`sk_live_…\`. Empresa by RUT in \`Svc-Empresa\`.
- Agents (MCP, streamable HTTP): ${public_url}/mcp, authorized by OAuth 2.1 with consent, scopes and limits; discovery at ${public_url}/.well-known/oauth-protected-resource/mcp. In the sandbox a test key works as the bearer token too.
- Amounts are whole pesos (CLP). Branch on \`error.code\`, never on text. Every page below is Markdown; without \`.md\` it is HTML.

## Docs

${pages.map((page) => line(public_url, page)).join('\n')}

## Guides

${guides.map((guide) => line(public_url, guide)).join('\n')}

## Contract

- [OpenAPI 3.1, main API](${public_url}/openapi/v1.json): every operation with its schemas and codes.
- [OpenAPI 3.1, accounts](${public_url}/openapi/bootstrap.json): registering, logging in, passwords.

- [Postman collection 2.1](${public_url}/openapi/postman.json): the same operations, with examples.

## Optional

- [Everything in one file](${public_url}/llms-full.txt): every guide and every page of the reference.
- [Changelog](${public_url}/changelog.md): dated entries, newest first.
`
  return { status: 200, headers: { 'Content-Type': 'text/plain; charset=utf-8' }, body }
}

/** `/llms-full.txt`: all of it in one file, for a program that would rather read once. */
export function llmsFullText(texts: readonly string[]): Answer {
  const body = `# Timbre\n\n${texts.map((text) => text.trim()).join('\n\n---\n\n')}\n`
  return { status: 200, headers: { 'Content-Type': 'text/plain; charset=utf-8' }, body }
}
