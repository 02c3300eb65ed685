/** Id prefixes: what a person sees in a log tells at once what kind of thing it names. */
export const ID_PREFIXES = {
  account: 'acct_',
  api_key: 'key_',
  empresa: 'emp_',
  document: 'doc_',
  document_preview: 'prv_',
  cesion: 'ces_',
  webhook_endpoint: 'whe_',
  webhook_delivery: 'whd_',
  event: 'evt_',
  request: 'req_',
  cursor: 'cur_',
  job: 'job_',
  counterparty_contact: 'cct_',
  caf: 'caf_',
  certificate: 'crt_',
  mandato: 'man_',
  public_link: 'lnk_',
  received_document: 'rcd_',
  reception: 'rcp_',
  received_answer: 'ans_',
  exchange_answer: 'exa_',
  reception_mail: 'rml_',
  rcv_entry: 'rcv_',
  f29_proposal: 'f29p_',
  f29_filing: 'f29_',
  movement: 'mov_',
  expense: 'exp_',
  payment: 'pay_',
  suggestion: 'sug_',
  connection: 'con_',
  statement: 'stm_',
  usage_record: 'usg_',
  session: 'ses_',
  letter: 'ltr_',
  agent_grant: 'agr_',
  oauth_client: 'cli_',
  audit_entry: 'aud_',
} as const

export type IdKind = keyof typeof ID_PREFIXES

/** The prefix of a key decides its mode and whether it is a root key. */
export const SECRET_PREFIXES = {
  test: { plain: 'sk_test_', root: 'sk_test_root_' },
  live: { plain: 'sk_live_', root: 'sk_live_root_' },
  webhook: 'whsec_',
} as const
