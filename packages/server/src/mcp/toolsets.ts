import type { Operation } from '../domain/operation.ts'

/**
 * The sets that a client may list by name: the operations of one part of the business each. Every operation that is a tool is
 * in exactly one, by the longest beginning of its id that stands here.
 */
export const TOOLSETS = {
  documents: { about: 'Issued documents: create, credit, cede, send, share.', of: ['documents'] },
  receptors: { about: 'The address book and the register of taxpayers.', of: ['counterparties', 'contribuyentes'] },
  received: { about: 'Documents of suppliers: read, accept, claim.', of: ['received_documents'] },
  tax: { about: 'The register of purchases and sales, expenses and the F29.', of: ['tax'] },
  bank: {
    about: 'Bank connections, statements, movements, payments, who owes whom.',
    of: [
      'connections',
      'tax.movements',
      'tax.statements',
      'receivables',
      'payables',
      'documents.payments',
      'received_documents.payments',
    ],
  },
  folios: { about: 'Folios and the files that authorise them (CAF).', of: ['folios', 'cafs'] },
  empresas: {
    about: 'Empresas, their settings, certificates and onboarding.',
    of: [
      'empresas',
      'automation_settings',
      'branding',
      'certificate',
      'mandato',
      'onboarding',
      'sfg_credential',
      'subscription',
    ],
  },
  webhooks: { about: 'Webhook endpoints, deliveries and the ledger of events.', of: ['webhook_endpoints', 'events'] },
  account: { about: 'The account, its usage and its jobs.', of: ['account', 'usage', 'jobs'] },
  sandbox: { about: 'Helpers of test mode.', of: ['test_helpers'] },
} as const satisfies Record<string, { readonly about: string; readonly of: readonly string[] }>

export type OperationSet = keyof typeof TOOLSETS
export const OPERATION_SETS = Object.keys(TOOLSETS) as OperationSet[]

/** What a client may ask for by name; `tasks` is what it gets when it asks for nothing. */
export type Toolset = OperationSet | 'tasks'
export const TOOLSET_NAMES: readonly Toolset[] = ['tasks', ...OPERATION_SETS]

const BEGINNINGS = OPERATION_SETS.flatMap((set) => TOOLSETS[set].of.map((start) => ({ set, start }))).sort(
  (one, other) => other.start.length - one.start.length,
)

/** The set of an operation; null for one that stands in none. */
export function toolsetOf({ id }: Pick<Operation, 'id'>): OperationSet | null {
  return BEGINNINGS.find(({ start }) => id === start || id.startsWith(`${start}.`))?.set ?? null
}
