import { describe, expect, it } from 'vitest'
import { LASTING_OBJECTS } from '../src/catalog/lasting.ts'
import { CHANGED_COUNTS } from '../src/domain/platform/account/schema.ts'
import { OPERATIONS } from '../src/operations.ts'

/**
 * Writes of a credential that leave nothing for `lasting_change` to tell, each with the reason. What is new is decided here:
 * whether it goes on, or shapes what comes later, when whoever asked is gone.
 */
const NOTHING_LEFT: Readonly<Record<string, string>> = {
  ...because('it ends with its maker: by the id of what it made, or by a column of its own', [
    'api_keys.create',
    'api_keys.roll',
    'webhook_endpoints.create',
    'webhook_endpoints.rotate_secret',
    'documents.public_links.create',
    'tax.f29.proposals.public_links.create',
    'onboarding.links.create',
    'mandato.revocation_link',
  ]),
  ...because('a page that anybody could open is closed, and is made again in one call', [
    'documents.public_links.delete',
    'tax.f29.proposals.public_links.delete',
    'onboarding.links.revoke',
  ]),
  ...because(
    'a document, a declaration or an answer: it is in its own list for good, by law, with who made it in its events',
    [
      'documents.create',
      'documents.invoice_guias',
      'documents.credit_note',
      'documents.cede',
      'tax.f29.filings.create',
      'tax.suggestions.confirm',
      'received_documents.accept',
      'received_documents.reject',
      'received_documents.acknowledge_receipt',
      'received_documents.quarantine.release',
      'received_documents.quarantine.discard',
    ],
  ),
  ...because('it asks, sends or works out once, and changes nothing by itself', [
    'documents.previews.create',
    'documents.send',
    'documents.retry',
    'documents.cesion',
    'tax.f29.proposals.recompute',
    'tax.sync',
    'tax.statements.preview',
    'connections.sync',
    'folios.request',
    'webhook_endpoints.ping',
    'webhook_endpoints.deliveries.retry',
  ]),
  ...because('a line of the books: it is in its list, is taken back line by line, and decides no later one', [
    'tax.expenses.create',
    'tax.expenses.update',
    'tax.expenses.delete',
    'documents.payments.create',
    'documents.payments.delete',
    'received_documents.payments.create',
    'received_documents.payments.delete',
    'tax.statements.create',
    'tax.statements.delete',
    'tax.movements.match',
    'tax.movements.unmatch',
    'tax.movements.merge',
    'tax.movements.unmerge',
    'tax.suggestions.dismiss',
    'tax.purchases.characterize',
    'tax.purchases.characterize_many',
    'tax.purchases.revert',
    'tax.purchases.estado_contable',
  ]),
  ...because('it only looks again', ['onboarding.steps.recheck']),
  ...because('nothing is left of a sandbox empresa, what was recorded of it neither', ['empresas.delete']),
}

function because(reason: string, ids: readonly string[]): Record<string, string> {
  return Object.fromEntries(ids.map((id) => [id, reason]))
}

/** Lasting, and one step for an agent all the same. */
const ONE_STEP: Readonly<Record<string, string>> = {
  'cafs.upload': 'The SII signed it for this very empresa: no other file is taken, and it only adds folios.',
}

const WRITES = OPERATIONS.filter(
  ({ method, reach, test_only }) => method !== 'GET' && !test_only && ['account', 'empresa'].includes(reach),
)
const LEAVING = OPERATIONS.filter(({ leaves }) => leaves)
const ids = (operations: typeof OPERATIONS) => operations.map(({ id }) => id).sort()

describe('what outlasts whoever asked for it', () => {
  it('is decided for every write of a credential: recorded, or excused with a reason', () => {
    const excused = WRITES.filter(({ leaves }) => !leaves)
    expect(ids(excused)).toEqual(Object.keys(NOTHING_LEFT).sort())
  })

  it('is in the audit log, and written in a transaction', () => {
    expect(ids(LEAVING.filter(({ audited, one_statement }) => !audited || one_statement))).toEqual([])
  })

  it('takes an agent two steps in every call, or is no tool', () => {
    const direct = LEAVING.filter(({ mcp }) => mcp.not === undefined && (!mcp.irreversible || mcp.irreversible.when))
    expect(ids(direct)).toEqual(Object.keys(ONE_STEP))
  })

  it('is told by kind to whoever takes the account back', () => {
    expect([...new Set(LEAVING.map(({ leaves }) => leaves?.object))].sort()).toEqual([...LASTING_OBJECTS].sort())
    expect(
      Object.values(CHANGED_COUNTS)
        .map(({ object }) => object)
        .sort(),
    ).toEqual([...LASTING_OBJECTS].sort())
  })
})
