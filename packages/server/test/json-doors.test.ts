import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'

/** Files that read JSON that we wrote ourselves, or that a party answered which we called. None is a door. */
const NOT_FROM_CALLERS: Readonly<Record<string, string>> = {
  'adapters/fintoc/http.ts': 'answers of the bank provider to our own questions',
  'adapters/postgres/binaries.ts': 'files of an installed package',
  'adapters/postgres/folder-lock.ts': 'our own lock file',
  'adapters/sii/sessions.ts': 'our own sealed cookies',
  'domain/banking/connection/token.ts': 'our own sealed token',
  'domain/issuing/document/fail.ts': 'written one line above',
  'domain/issuing/document/journal-store.ts': 'our own journal',
  'domain/platform/event/store.ts': 'our own events',
  'domain/platform/mail/send.ts': 'our own sealed letter',
  'http/answers.ts': 'an answer of ours',
  'http/idempotent-write.ts': 'an answer of ours',
  'http/page-routes/account.ts': 'an answer of ours',
  'http/page-routes/certifications.ts': 'answers of ours',
  'http/plain-routes.ts': 'a form of a page, which we wrote as JSON ourselves',
  'kernel/cursor.ts': 'opened under our own seal',
  'kernel/late-claim.ts': 'the payload of a job of ours, as the queue would give it',
  'kernel/problem.ts': 'an error of ours',
  'mcp/operation-call.ts': 'an answer of ours',
  'mcp/result.ts': 'an answer of ours',
  'mcp/server.ts': 'an error of the protocol library',
  'mcp/two-steps.ts': 'an answer of ours',
  'oauth/agents-routes.ts': 'answers of ours',
  'oauth/login.ts': 'an answer of ours',
  'openapi/document.ts': 'the contract that we wrote',
  'domain/recorded-examples.ts': 'our own examples',
  'simulator-process.ts': 'the first line of a process that we started',
  'simulator.ts': 'addresses and keys of the simulator that the operator named',
}

/** The one parser bounds bytes, depth and values, and refuses a name that stands twice in an object. */
describe('JSON that callers send', () => {
  it('is read by kernel/json.ts alone, whichever door it comes through', () => {
    const root = fileURLToPath(new URL('../src/', import.meta.url))
    const names = readdirSync(root, { recursive: true, encoding: 'utf8' })
    const readers = names.filter(
      (name) =>
        name.endsWith('.ts') &&
        !name.endsWith('.test.ts') &&
        /\bJSON\.parse\(|\.json\(\)/.test(readFileSync(`${root}${name}`, 'utf8')),
    )
    expect(readers.sort()).toEqual(['kernel/json.ts', ...Object.keys(NOT_FROM_CALLERS)].sort())
  })
})
