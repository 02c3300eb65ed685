/** What the operations of a tag are about, for the menus of whoever reads the contract. */
const ABOUT: Readonly<Record<string, string>> = {
  account: 'The account and its sessions.',
  agent_grants: 'What agents may do in the name of the account.',
  api_keys: 'The keys of the account.',
  audit_log: 'Who did what with credentials and with what is in custody.',
  automation_settings: 'What an empresa lets us do by ourselves.',
  branding: 'How the documents of an empresa look when printed.',
  cafs: 'Ranges of folios that the SII authorised.',
  certificate: 'The digital certificate that an empresa signs with.',
  connections: 'Banks that an empresa linked.',
  contribuyentes: 'Taxpayers as the SII lists them.',
  counterparties: 'The address book of an empresa.',
  documents: 'Documents that an empresa issues: facturas, boletas, guías and notas.',
  empresas: 'The taxpayers of the account.',
  error_codes: 'Every code that a refusal may carry.',
  events: 'The ledger of all that happened.',
  folios: 'How many numbers are left, and asking for more.',
  indicators: 'UF, UTM and their like, which the operator loads.',
  jobs: 'Work that goes on after its answer.',
  mandato: 'The authorisation to act for an empresa before the SII.',
  mandato_terms: 'The text of that authorisation.',
  onboarding: 'The way of a live empresa to its first document.',
  payables: 'What an empresa owes.',
  receivables: 'What an empresa is owed.',
  received_documents: 'Documents of suppliers, and the answers to them.',
  resolucion: 'The resolution by which the SII lets an empresa issue.',
  sfg_credential: 'The password of the certificate that the SII keeps.',
  sii: 'How the SII is doing.',
  subscription: 'What an empresa pays for.',
  tax: 'Registers, expenses, bank movements and the F29.',
  test_helpers: 'The levers of the sandbox.',
  usage: 'What was used, for the record.',
  webhook_endpoints: 'Where events are delivered.',
  webhooks: 'What we send to a webhook endpoint, by type of event.',
}

export function tagObject(name: string) {
  const description = ABOUT[name]
  if (description === undefined) throw new Error(`say in openapi/tags.ts what the operations of ${name} are about`)
  return { name, description }
}
