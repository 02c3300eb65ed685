import { FAILURES } from './failures.ts'
import { SII_ANSWERS } from './sii-answers.ts'

/** The families of the contract. What to do about a refusal is decided by its family. */
export type ErrorType =
  | 'invalid_request_error'
  | 'authentication_error'
  | 'permission_error'
  | 'not_found_error'
  | 'conflict_error'
  | 'unprocessable_error'
  | 'rate_limit_error'
  | 'sii_error'
  | 'api_error'

interface ErrorEntry {
  readonly type: ErrorType
  readonly status: number
  readonly message: string
  readonly hint: string
  /** Present exactly when the identical request can work later: how long to wait before it, unless the refusal knows better. */
  readonly retry_after_seconds?: number
}

const bad = { type: 'invalid_request_error', status: 400 } as const
const forbidden = { type: 'permission_error', status: 403 } as const
const missing = { type: 'not_found_error', status: 404 } as const
const conflict = { type: 'conflict_error', status: 409 } as const
const rule = { type: 'unprocessable_error', status: 422 } as const

const notFound = (what: string, list: string) =>
  ({
    ...missing,
    message: `No such ${what} under this credential.`,
    hint: `Check the id, the mode and the empresa of the credential; ${list} shows what it reaches.`,
  }) as const

/**
 * Every code a program can branch on. `hint` and `retriable` are published through
 * GET /error_codes; a code is never withdrawn without twelve months of notice.
 */
export const ERRORS = {
  // How a refusal of the SII is explained; a code that a call answers with as well is below.
  ...SII_ANSWERS,

  // The request itself
  invalid_field: {
    ...bad,
    message: 'A field of the request is not valid.',
    hint: 'Correct the field named in `param`; its rules are in the OpenAPI document.',
  },
  invalid_rut: {
    ...bad,
    message: 'The RUT is missing or its check digit is wrong.',
    hint: 'Send the RUT as ########-D, without dots, with its check digit (K in upper case).',
  },
  invalid_json: {
    ...bad,
    message: 'The body is not valid JSON in UTF-8.',
    hint: 'Send one JSON object encoded in UTF-8 with Content-Type: application/json.',
  },
  invalid_url: {
    ...bad,
    message: 'The address of the request cannot be read.',
    hint: 'Percent-encode the path and the query string.',
  },
  invalid_cursor: {
    ...bad,
    message: 'The cursor is not one of this list.',
    hint: 'Use `next_cursor` as received, with the same filters, on the same list.',
  },
  conflicting_cursors: {
    ...bad,
    message: '`after` and `cursor` were both sent.',
    hint: 'Use `after` to read forward from a checkpoint or `cursor` to page back, not both.',
  },
  empresa_header_required: {
    ...bad,
    message: 'This operation works on one empresa and the Svc-Empresa header is missing.',
    hint: 'Send Svc-Empresa with the RUT of the empresa, or use a key that reaches exactly one.',
  },
  empresa_header_forbidden: {
    ...bad,
    message: 'This operation works on the account and refuses the Svc-Empresa header.',
    hint: 'Repeat the call without Svc-Empresa.',
  },
  idempotency_key_required: {
    ...bad,
    message: 'This operation needs an Idempotency-Key.',
    hint: 'Send a value of your own, unique per logical operation, and reuse it when you retry.',
  },
  receptor_incomplete: {
    ...bad,
    message: 'The receptor lacks a field that this tipo_dte needs.',
    hint: 'Send the field named in `param`, or record it once with PATCH /empresas/{empresa_id}/counterparties/{counterparty_rut}.',
  },
  invalid_caf: {
    ...bad,
    message: 'The file is not a CAF that can be used.',
    hint: '`details.rule` says what is wrong with it; send the XML file of the SII as it was downloaded, in base64.',
  },
  invalid_set_file: {
    ...bad,
    message: 'The file is no set de pruebas.',
    hint: '`details.rule` says what is wrong; send the text file of the SII as it was downloaded, in base64.',
  },
  invalid_certificate: {
    ...bad,
    message: 'The file is not a certificate that can sign for an empresa.',
    hint: '`details.reason` says what is wrong; export the .pfx of a person with its private key, and send it in base64.',
  },
  confirmation_required: {
    ...bad,
    message: 'This act cannot be undone and was not confirmed.',
    hint: 'Repeat the call with `confirm` set to true.',
  },
  // What an agent confirms in two steps
  confirmation_invalid: {
    ...bad,
    message: 'This confirmation was not given to you for this tool.',
    hint: 'Call the tool without `confirmation`, show the preview to the person, and send the token of that very answer.',
  },
  confirmation_expired: {
    ...conflict,
    message: 'The confirmation has expired, and nothing was done.',
    hint: 'Call the tool without `confirmation` for a new preview; a token can be used for ten minutes.',
  },
  confirmation_mismatch: {
    ...conflict,
    message: 'The arguments are not those that were shown, and nothing was done.',
    hint: 'Repeat the very same arguments with the token, or call without `confirmation` to be shown the new ones.',
  },
  confirmation_outdated: {
    ...conflict,
    message: 'What would happen is no longer what was shown, and nothing was done.',
    hint: 'Call the tool without `confirmation`, and show the person the new preview.',
  },
  method_not_allowed: {
    type: 'invalid_request_error',
    status: 405,
    message: 'This address does not take that method.',
    hint: 'The Allow header lists the methods it takes.',
  },
  request_timeout: {
    type: 'invalid_request_error',
    status: 408,
    message: 'The body did not arrive: nothing more of it came for a while, or it came too slowly.',
    hint: 'Send it again on another connection, in one go; /docs/limits tells how long it may take.',
  },
  payload_too_large: {
    type: 'invalid_request_error',
    status: 413,
    message: 'The body is larger than this operation takes.',
    hint: 'Send less: the message names the limit of the operation, and /docs/limits has them all.',
  },
  unsupported_media_type: {
    type: 'invalid_request_error',
    status: 415,
    message: 'The body is not of a type this operation reads.',
    hint: 'Send Content-Type: application/json.',
  },

  // Who is asking
  invalid_api_key: {
    type: 'authentication_error',
    status: 401,
    message: 'The API key is absent, unknown, expired or revoked.',
    hint: 'Send Authorization: Bearer sk_test_… or sk_live_…; mint a key if this one is gone.',
  },
  invalid_session: {
    type: 'authentication_error',
    status: 401,
    message: 'The session token is absent, expired or not valid.',
    hint: 'Log in again with POST /account/login; a session lasts one hour.',
  },
  invalid_access_token: {
    type: 'authentication_error',
    status: 401,
    message: 'The access token is absent, unknown, expired, revoked or meant for another server.',
    hint: 'Refresh it, or let the person authorize the agent again; /.well-known/oauth-protected-resource says where.',
  },
  operator_authentication_required: {
    type: 'authentication_error',
    status: 401,
    message: 'This operation belongs to the operator of the service.',
    hint: 'Send Svc-Operator-Secret; no API key can call it.',
  },
  email_verification_required: {
    ...forbidden,
    message: 'Live keys and live empresas need an account whose e-mail is confirmed.',
    hint: 'Follow the link in the confirmation mail, or ask for a new one with POST /account/resend_verification.',
  },
  insufficient_scope: {
    ...forbidden,
    message: 'The key lacks the scope this operation needs.',
    hint: 'Use a key that carries the scope named in `details.scope`.',
  },
  privilege_escalation: {
    ...forbidden,
    message: 'A credential cannot make, roll or revoke one that can do more than itself.',
    hint: 'Stay within the mode, the scopes and the empresas of the credential in use, which `details.exceeds` names; root keys are for an account session. `secret`: it was rolled, use the new one.',
  },
  root_key_required: {
    ...forbidden,
    message: 'Only a root key or an account session may do this, and never to the key in use.',
    hint: 'Use another root key of the account, or an account session.',
  },
  empresa_not_allowed: {
    ...forbidden,
    message: 'The key does not reach this empresa.',
    hint: 'Use a key whose `empresas` holds this RUT or `*`.',
  },
  agent_limit_exceeded: {
    ...forbidden,
    message: 'This goes beyond what the person who authorized the agent allowed.',
    hint: '`details.limit` names the limit and `details.left` what is left of it; the person can authorize the agent again with other limits.',
  },
  mode_not_allowed: {
    ...forbidden,
    message: 'This is not available in the mode of the credential.',
    hint: 'Use a key of the other mode; test helpers exist in test mode only.',
  },
  empresa_inactive: {
    ...forbidden,
    message: 'The empresa is archived or suspended, or what it signs with expired or was refused.',
    hint:
      'Read GET /empresas/{empresa_id}: `status` and `capabilities.blocked_by` say what is wrong. An expired certificate ' +
      'is `details.reason: certificate_expired`: upload the new one. `certificate_refused`: `details.sentence` says why the SII takes nothing of its holder, and it is ' +
      'lifted by itself when it does again. `documents_refused`: correct the data of the empresa that `details.because` names. `sfg_credential_refused`: store the right password.',
  },
  subscription_required: {
    type: 'invalid_request_error',
    status: 402,
    message: 'The empresa has no active subscription.',
    hint: 'Show `details.checkout_url` to a person, who subscribes there; reading, answering suppliers and filing taxes keep working meanwhile.',
  },
  plan_limit_reached: {
    type: 'invalid_request_error',
    status: 402,
    message: 'The plan does not allow more.',
    hint: 'Never raised today: no plan has a document quota.',
  },

  // What is not there
  route_not_found: {
    ...missing,
    message: 'There is nothing at this address.',
    hint: 'Every operation lives under /v1; the OpenAPI document at /openapi/v1.json lists them.',
  },
  api_key_not_found: notFound('API key', 'GET /api_keys'),
  account_not_found: {
    ...missing,
    message: 'No open account has this id.',
    hint: 'GET /account tells the holder of a key the id of theirs.',
  },
  empresa_not_found: notFound('empresa', 'GET /empresas'),
  counterparty_not_found: notFound('counterparty', 'GET /empresas/{empresa_id}/counterparties'),
  contact_not_found: notFound('contact', 'GET /empresas/{empresa_id}/counterparties/{counterparty_rut}/contacts'),
  contribuyente_not_found: {
    ...missing,
    message: 'The published registry has no legal entity with this RUT.',
    hint: 'Natural persons are not published; ask the person for the data.',
  },
  document_not_found: notFound('document', 'GET /documents'),
  document_preview_not_found: notFound('preview', 'POST /documents/previews'),
  agent_grant_not_found: notFound('agent grant', 'GET /agent_grants'),
  caf_not_found: notFound('CAF', 'GET /cafs'),
  certificate_not_found: {
    ...missing,
    message: 'There is no such certificate in custody.',
    hint: 'POST /empresas/{empresa_id}/certificate uploads one, or reuses one that an empresa within your reach has.',
  },
  certificate_not_reusable: {
    type: 'permission_error',
    status: 403,
    message: 'Its holder brought this certificate on a page for one empresa, and it serves no other.',
    hint: 'Send a link of the certificate step of this empresa to its holder, or upload the file with its password.',
  },
  mandato_not_found: {
    ...missing,
    message: 'The empresa has no mandato that could be revoked.',
    hint: 'GET /empresas/{empresa_id}/mandato tells its status: nobody signed one yet.',
  },
  mandato_not_revoked: {
    ...conflict,
    message: 'There is no revoked mandato to sign again.',
    hint: 'An empty body signs again what was revoked. Send `terms_version` and `signer` to record a signature.',
  },
  mandato_terms_not_found: {
    ...missing,
    message: 'No text of the mandato has that version.',
    hint: 'GET /mandato_terms without `version` gives the text that is signed today.',
  },
  mandato_terms_outdated: {
    ...conflict,
    message: 'The text of the mandato changed: an older version is not signed any more.',
    hint:
      'Show the text of GET /mandato_terms to the signer, and send its `version` as `terms_version` with `signer`. ' +
      '`details.current_version` names it.',
  },
  sfg_credential_not_found: {
    ...missing,
    message: 'The empresa has no SFG credential in custody.',
    hint: 'POST /empresas/{empresa_id}/sfg_credential stores one.',
  },
  received_document_not_found: notFound('received document', 'GET /received_documents'),
  certification_sample_not_found: notFound('printed sample', 'GET /empresas/{empresa_id}/onboarding/certification'),
  quarantined_file_not_found: notFound('file in quarantine', 'GET /received_documents/quarantine'),
  rcv_entry_not_found: notFound('purchase entry', 'GET /tax/purchases'),
  f29_proposal_not_found: {
    ...missing,
    message: 'There is no proposal of this period.',
    hint: 'One is made when the period is synced, or at once with POST /tax/f29/proposals/{period}/recompute.',
  },
  f29_filing_not_found: notFound('filing', 'GET /tax/f29/filings'),
  movement_not_found: notFound('movement', 'GET /tax/movements'),
  expense_not_found: notFound('expense', 'GET /tax/expenses'),
  payment_not_found: notFound('payment', 'GET /documents/{document_id}/payments'),
  suggestion_not_found: notFound('suggestion', 'GET /tax/suggestions'),
  connection_not_found: notFound('connection', 'GET /connections'),
  statement_not_found: notFound('cartola', 'GET /tax/statements'),
  webhook_endpoint_not_found: notFound('webhook endpoint', 'GET /webhook_endpoints'),
  delivery_not_found: notFound('delivery', 'GET /webhook_endpoints/{webhook_endpoint_id}/deliveries'),
  event_not_found: notFound('event', 'GET /events'),
  job_not_found: {
    ...missing,
    message: 'No such job under this credential.',
    hint: 'Jobs are kept for 30 days after they end.',
  },

  // What is already there, or in the way
  webhook_secret_exposed: {
    ...conflict,
    message:
      'The secret of this endpoint is known to somebody without access: an agent whose grant ended, or whoever the account ' +
      'was taken back from.',
    hint: 'Rotate it first, POST /webhook_endpoints/{webhook_endpoint_id}/rotate_secret: the old one stops signing at once. Then enable it.',
  },
  webhook_endpoint_distrusted: {
    ...conflict,
    message:
      'This endpoint waits for its owner: an agent whose grant ended, or whoever the account was taken back from, may have ' +
      'given it its URL or its secret.',
    hint: 'Look at its URL, rotate its secret, then enable it: PATCH /webhook_endpoints/{webhook_endpoint_id} with `status: enabled`.',
  },
  empresa_exists: {
    ...conflict,
    message: 'An empresa with this RUT exists already.',
    hint: 'Use the one named in `existing_id`. Where it is absent another account has the RUT: show `details.takeover_url` to its taxpayer, who takes it over there with the certificate of the RUT.',
  },
  contact_exists: {
    ...conflict,
    message: 'This counterparty has a contact with that e-mail already.',
    hint: 'Edit the contact named in `existing_id`.',
  },
  api_key_roll_conflict: {
    ...conflict,
    message: 'Another roll of this key was running and won.',
    hint: 'Use the secret that the other call received, or roll once more.',
  },
  empresa_delete_not_allowed: {
    ...conflict,
    message: 'A live empresa is never deleted.',
    hint: 'Archive it with a live API key: PATCH /empresas/{empresa_id} and `status` archived; its history is kept.',
  },
  idempotency_in_progress: {
    ...conflict,
    message: 'A request with this Idempotency-Key is still running.',
    hint: 'Wait `retry_after_seconds` and repeat the same request with the same key.',
    retry_after_seconds: 1,
  },
  idempotency_key_reused: {
    ...conflict,
    message: 'This Idempotency-Key was used with another request.',
    hint: 'Use a new key for a new operation; keys are kept for 24 hours.',
  },
  external_id_exists: {
    ...conflict,
    message: 'A document with this external_id exists already.',
    hint: 'Use the one named in `existing_id`.',
  },
  document_not_creditable: {
    ...conflict,
    message: 'The document takes no nota de crédito now.',
    hint: '`details.reason` says why, and `existing_id` names the nota that stands in the way, where one does.',
  },
  caf_not_annullable: {
    ...conflict,
    message: 'The folios of the CAF cannot be annulled now.',
    hint: '`details.reason` says why.',
  },
  guia_not_invoiceable: {
    ...conflict,
    message: 'The guía cannot be invoiced now.',
    hint: '`details.reason` says why, `details.guia` which one, and `existing_id` names the factura that has it, where one does.',
  },
  document_not_failed: {
    ...conflict,
    message: 'Only a document that failed can be retried.',
    hint: 'Read its `status`: one that is queued or sent goes on by itself, and a settled one has its answer.',
  },
  document_already_settled: {
    ...conflict,
    message: 'What became of the document is decided already.',
    hint: 'Script an outcome while the document is `queued` or `sent`, and `failed` only while it is `queued`.',
  },
  receptor_response_refused: {
    ...conflict,
    message: 'The register of the SII does not take this answer of the receptor.',
    hint: '`sii.code` and `sii.message` say why: it has eight days for a factura that the SII took, and a claim excludes the rest.',
  },
  caf_overlap: {
    ...conflict,
    message: 'Some of these folios are in a CAF that is here already.',
    hint: 'Read the one named in `existing_id`; a CAF that was deactivated keeps its folios too.',
  },
  too_many_replays: {
    ...conflict,
    message: 'This event was tried 20 times at this endpoint already.',
    hint: 'Read it with GET /events/{event_id} instead.',
  },
  document_not_sendable: {
    ...conflict,
    message: 'Only a document that is sent, accepted or accepted with reparos can be mailed.',
    hint: '`details.status` says where it stands; wait until it is sent, or share an annulled one by a public link.',
  },
  artifact_not_available: {
    ...conflict,
    message: 'There is no PDF or XML to hold for this document.',
    hint: 'Imported documents have no artifact of ours, and one that failed before it was signed has none unless it is retried.',
  },
  artifact_not_ready: {
    ...conflict,
    message: 'The document is on its way, and this file of it does not exist yet.',
    hint: 'Wait `retry_after_seconds` and ask again; it exists as soon as the document is signed.',
    retry_after_seconds: 1,
  },
  quarantined_file_settled: {
    ...conflict,
    message: 'The file was released or discarded already.',
    hint: '`details.status` says which; what was released is among the received documents.',
  },
  quarantined_bytes_gone: {
    ...conflict,
    message: 'The bytes of the file are no longer kept.',
    hint: 'They are kept 30 days, and not at all once discarded; ask the sender for the file again.',
  },
  received_document_not_answerable: {
    ...conflict,
    message: 'This document takes no commercial answer.',
    hint: 'Only facturas (tipos 33, 34 and 43) of which the empresa is the receptor are accepted, claimed or acknowledged.',
  },
  received_document_deadline_passed: {
    ...conflict,
    message: 'Eight days have passed since the SII received the document.',
    hint: 'By law it is accepted now and its goods received; agree on a nota de crédito with the supplier.',
  },
  received_document_already_claimed: {
    ...conflict,
    message: 'The document was claimed, which does not go with this answer.',
    hint: 'A claimed document is neither accepted nor acknowledged; only a claim of another kind may follow.',
  },
  received_document_already_accepted: {
    ...conflict,
    message: 'The document was accepted, or its goods acknowledged: it can no longer be claimed.',
    hint: 'Agree on a nota de crédito with the supplier.',
  },
  received_document_unknown_to_sii: {
    ...conflict,
    message: 'The SII does not have this document.',
    hint: 'It may have reached you before the SII; try again later, and ask the supplier if it stays.',
    retry_after_seconds: 3_600,
  },
  resolucion_verification_not_allowed: {
    ...conflict,
    message: 'The resolución cannot be verified now.',
    hint: '`details.reason` says why.',
  },
  amounts_too_large: {
    ...rule,
    message: 'The amounts add up to more than 9,007,199,254,740,991 pesos, which no sum here can hold.',
    hint: 'A document is wrong by many digits: find it among the entries of the period and annul it.',
  },
  period_locked: {
    ...conflict,
    message: 'The F29 of this period was filed, so its entries no longer change.',
    hint: 'To rectify it, open the period with POST /tax/f29/proposals/{period}/recompute and `rectify`; `details.period` names it.',
  },
  f29_already_filed: {
    ...conflict,
    message: 'The F29 of this period was filed already, or is being filed.',
    hint: 'Read the filing named in `existing_id`; once the SII accepted it, another one corrects it by naming it in `rectifies`.',
  },
  f29_nothing_to_rectify: {
    ...conflict,
    message: 'There is nothing to rectify: no declaration of this period stands, or it says what the proposal says.',
    hint: 'File without `rectifies`, or look at `changes_since_filing` of the proposal.',
  },
  f29_proposal_changed: {
    ...conflict,
    message: 'The proposal is not the one that was looked at: its figures changed since.',
    hint: '`details` has the version now, its total and what differs. Look at it (POST /tax/f29/proposals/{period}/recompute brings it up to date) and file that `version`.',
  },
  f29_total_mismatch: {
    ...conflict,
    message: 'The total to be filed is not the one that was confirmed.',
    hint: '`details.total` is what the proposal says now; look at it again and confirm that.',
  },
  movement_not_matchable: {
    ...conflict,
    message: 'The movement cannot be matched to that now.',
    hint: '`details.reason` says why: it was `removed` by its bank or is `already_matched` in full, or the document is `already_paid` or `void`.',
  },
  movement_not_mergeable: {
    ...conflict,
    message: 'The two movements cannot be taken for one.',
    hint: '`details.reason` says why: one of them was `removed`, is `merged` already, or is `matched` to a document (unmatch it first), or `amount_differs`.',
  },
  nothing_pending: {
    ...conflict,
    message: 'Nothing is left to pay on the document.',
    hint: '`details.reason` says why: it is `paid` already, or `not_owed`, as a boleta, a nota de crédito and what was rejected, annulled, ceded or credited in full.',
  },
  expense_of_movement: {
    ...conflict,
    message: 'The expense follows a movement of the bank.',
    hint: 'Only what was written down by hand is corrected or deleted. `existing_id` is the movement: it changes with its bank, and goes with its cartola.',
  },
  statement_in_use: {
    ...conflict,
    message: 'The cartola cannot be undone now.',
    hint: '`details.reason` says why: it is still `importing`, another cartola of the empresa is being brought in or undone right now (`busy`: try again soon), or movements of it are `matched` to documents by somebody, or by a tipo 46 that was issued for them (`details.movement_ids`). Unmatch those that can be.',
  },
  suggestion_settled: {
    ...conflict,
    message: 'Somebody decided about this suggestion already, or it was withdrawn.',
    hint: '`details.status` says which; `existing_id` names the document that confirming it issued.',
  },
  f29_filing_settled: {
    ...conflict,
    message: 'The filing does not wait for the operator.',
    hint: '`details.status` says where it stands.',
  },
  rcv_entry_closed: {
    ...conflict,
    message: 'The entry takes no decision any more.',
    hint: '`details.reason` says why: `claimed` stays claimed, what was `withdrawn` is no longer in the register, and a `summary` is of a whole month.',
  },
  estado_contable_not_allowed: {
    ...conflict,
    message: 'The register does not let this entry move there.',
    hint: '`details.reason` says why: one that is `not_acknowledged` counts once it is accepted, acknowledged or eight days old.',
  },
  connection_status_conflict: {
    ...conflict,
    message: 'The connection does not take this now.',
    hint: '`details.status` says where it stands: `pending_link` waits for a person, `needs_reconnect` for POST …/reconnect.',
  },
  test_clock_conflict: {
    ...conflict,
    message: 'The test clock is still advancing.',
    hint: 'Wait until GET /test_helpers/clock says `ready`.',
    retry_after_seconds: 1,
  },

  // Well-formed, but against a rule of the domain
  recipient_missing: {
    ...rule,
    message: 'There is nobody to mail the document to.',
    hint: 'Send `to`, or record a contact with POST /empresas/{empresa_id}/counterparties/{counterparty_rut}/contacts.',
  },
  recipient_opted_out: {
    ...rule,
    message: 'The recipient asked not to be mailed.',
    hint: 'Leave the address named in `param` out; whoever wants mail again is opted in on their contact.',
  },
  field_not_writable: {
    ...rule,
    message: 'This field is derived and cannot be written.',
    hint: 'Leave the field named in `param` out.',
  },
  contact_limit_reached: {
    ...rule,
    message: 'A counterparty holds at most 50 contacts.',
    hint: 'Remove a contact before adding another.',
  },
  account_limit_reached: {
    ...rule,
    message: 'The account holds as many of these as it may in this mode.',
    hint: '`details` names the limit, which GET /account shows too; revoke or delete what is not used, or ask for more.',
  },
  unproven_empresa_limit_reached: {
    ...rule,
    message:
      'An account holds only so many live empresas whose RUT nothing has proven yet: 5, unless agreed otherwise.',
    hint: 'Finish the onboarding of one, or have its resolución verified, before adding another.',
  },
  webhook_endpoint_limit_reached: {
    ...rule,
    message: 'An account holds at most 16 webhook endpoints in each mode.',
    hint: 'Delete an endpoint, or let one receive more event types.',
  },
  doc_type_not_supported_on_channel: {
    ...rule,
    message: 'A declared tipo cannot be built on this emission channel.',
    hint: 'Never raised today: boletas leave through our own engine, and tipo 46 on sfg is tipo_not_available_for_channel.',
  },
  empresa_incomplete: {
    ...rule,
    message: 'The empresa lacks a field that its documents must carry.',
    hint: '`details.field` says which; record it with PATCH /empresas/{empresa_id}.',
  },
  tipo_not_declared: {
    ...rule,
    message: 'The empresa does not declare this tipo_dte.',
    hint: 'Add it to doc_types with PATCH /empresas/{empresa_id}.',
  },
  tipo_not_available_for_channel: {
    ...rule,
    message: 'This tipo is not available on the emission channel of the empresa.',
    hint: 'Leave the tipo out, or move the empresa to the mercado channel.',
  },
  document_not_cedible: {
    ...rule,
    message: 'The document cannot be ceded now.',
    hint: '`details.reasons` says all that stands in the way; POST /documents/{document_id}/cesion tells it beforehand.',
  },
  payment_exceeds_pending: {
    ...rule,
    message: 'The payment is larger than what is left to pay.',
    hint: '`details.pending_amount` is what is left, once notas de crédito and payments are counted. Send that much, or leave `amount` out.',
  },
  credit_exceeds_original: {
    ...rule,
    message: 'The nota de crédito credits more than is left of its original.',
    hint: '`details.left` holds what is left with IVA, without it and in all, once every nota in force is counted.',
  },
  exchange_token_refused: {
    ...rule,
    message: 'The provider does not take this exchange token.',
    hint: 'It expires after a few minutes and works once; let the person link the bank again.',
  },
  received_file_refused: {
    ...rule,
    message: 'The file was not taken in.',
    hint: '`details.reason` says why; it was quarantined as a mail would have been.',
  },
  quarantined_file_not_releasable: {
    ...rule,
    message: 'No document of the file can be released.',
    hint: '`details.reason` says why: what is no document, is of another company, is beyond the schema of the SII or differs from one that is here stays set aside.',
  },
  f29_proposal_incomplete: {
    ...rule,
    message: 'The proposal is not fit to be filed.',
    hint: '`details.warnings` says what stands in the way, and what mends it.',
  },
  caf_of_another_rut: {
    ...rule,
    message: 'The CAF was given to another taxpayer.',
    hint: 'Upload it to the empresa whose RUT it carries; `details.rut` names it.',
  },
  caf_of_another_ambiente: {
    ...rule,
    message: 'The CAF is of another environment of the SII than the one that the empresa emits in.',
    hint: 'Upload one of `details.wanted`: folios of certification stamp nothing that counts.',
  },
  caf_not_signed_by_sii: {
    ...rule,
    message: 'The SII did not sign this CAF, or it was changed afterwards.',
    hint: 'Download it from the SII again and send the file untouched.',
  },
  caf_key_mismatch: {
    ...rule,
    message: 'The private key in the file is not the one that the CAF authorises.',
    hint: 'Download the CAF from the SII again: this file was put together from two.',
  },
  certificate_password_wrong: {
    ...rule,
    message: 'The password does not open the file.',
    hint: 'It is the one that was chosen when the .pfx was exported, not that of the SII.',
  },
  certificate_expired: {
    ...rule,
    message: 'The certificate has expired.',
    hint: 'Its holder renews it with the CA that issued it; upload the new one.',
  },
  certificate_not_yet_valid: {
    ...rule,
    message: 'The certificate is not valid yet.',
    hint: '`details.not_before` says from when on it is.',
  },
  caf_expired: {
    ...rule,
    message: 'The CAF can no longer be used: six months have passed since the SII authorised it.',
    hint: 'Ask for new folios with POST /folios/requests, and annul the unused ones in the SII.',
  },
  empresa_not_emitting: {
    ...rule,
    message: 'The empresa cannot emit this yet.',
    hint: '`details.step` names the step that blocks, and `details.next` who must act.',
  },
  sfg_guia_zero_amount: {
    ...rule,
    message: 'The free channel does not take a guía with a zero-amount line.',
    hint: 'Give every line an amount, or use the mercado channel.',
  },
  onboarding_step_not_found: {
    ...missing,
    message: 'The onboarding of the empresa has no such step.',
    hint: '`details.steps` lists those that it has.',
  },
  step_not_open: {
    ...conflict,
    message: 'The step is not open.',
    hint: '`details.status` tells where it stands; GET the onboarding for the one that is open.',
  },
  step_not_attestable: {
    ...conflict,
    message: 'The step shows by itself whether it is done.',
    hint: 'Ask for a recheck instead.',
  },
  step_not_awaiting_approval: {
    ...conflict,
    message: 'The step is not waiting for an approval.',
    hint: 'GET the onboarding: `pending_action.approval` names the one that is.',
  },
  certification_under_way: {
    ...conflict,
    message: 'The SII has files of the set in use.',
    hint: 'GET the certification: another set is taken once the SII has answered, or refused it.',
  },
  step_not_operators: {
    ...conflict,
    message: 'No person of the operator executes the step.',
    hint: 'GET /onboarding/switches tells who does, and PATCH turns it.',
  },
  certification_file_not_found: {
    ...missing,
    message: 'The certification has no such file, or it is not signed yet.',
    hint: 'GET /onboarding/certifications lists them; those without bytes are still to be signed.',
  },
  step_changed: {
    ...conflict,
    message: 'The step moved or changed hands since it was shown.',
    hint: 'GET /onboarding/certifications for how it stands, and decide again.',
  },
  step_not_automatic: {
    ...conflict,
    message: 'No job executes the step.',
    hint: 'GET /onboarding/switches tells what is able to, and PATCH turns it.',
  },
  step_taken: {
    ...conflict,
    message: 'Another person has the step in hand.',
    hint: '`details.taken_by` names them; take it with `instead_of` to go on in their place.',
  },
  approval_role_required: {
    ...forbidden,
    message: 'The step asks for the act of another role.',
    hint: '`details.role` names it.',
  },
  muestras_approval_required: {
    ...rule,
    message: 'The titular has not approved the printed samples.',
    hint: 'Ask the titular to review and approve them; nothing is filed before.',
  },
  test_clock_backwards: {
    ...rule,
    message: 'A test clock only moves forward.',
    hint: 'Send a later time, at most 13 months ahead, or `reset: true` to return to real time.',
  },

  // After the answer
  ...FAILURES,

  // Too fast, or our side
  rate_limited: {
    type: 'rate_limit_error',
    status: 429,
    message: 'Too many requests.',
    hint: 'Wait `retry_after_seconds`; the RateLimit headers tell how much is left.',
    retry_after_seconds: 1,
  },
  sii_unreachable: {
    type: 'sii_error',
    status: 502,
    message: 'The SII did not answer.',
    hint: 'Nothing was changed; repeat the request with the same Idempotency-Key.',
    retry_after_seconds: 60,
  },
  sii_propagation: {
    type: 'sii_error',
    status: 502,
    message: 'The SII has not made its own decision visible yet.',
    hint: 'It usually takes minutes; we look again by ourselves.',
    retry_after_seconds: 600,
  },
  requirement_unmet: {
    ...rule,
    message: 'Something the SII asks for first is missing.',
    hint: '`details.key` names the requirement.',
    retry_after_seconds: 60,
  },
  bank_unreachable: {
    type: 'api_error',
    status: 503,
    message: 'The provider of bank data did not answer.',
    hint: 'Nothing was changed; repeat after `retry_after_seconds`. Where it stays, ask the operator whether one is configured.',
    retry_after_seconds: 60,
  },
  contribuyentes_unavailable: {
    type: 'api_error',
    status: 503,
    message: 'The registry of contribuyentes is not loaded.',
    hint: 'Whoever operates the service loads it (`npm run load-nomina`); until then every lookup is refused. Ask the person for name, giro and address meanwhile, and look again another day.',
    retry_after_seconds: 86_400,
  },
  service_unavailable: {
    type: 'api_error',
    status: 503,
    message: 'The service cannot reach its database.',
    hint: 'Nothing was issued; repeat with the same Idempotency-Key after `retry_after_seconds`.',
    retry_after_seconds: 2,
  },
  internal_error: {
    type: 'api_error',
    status: 500,
    message: 'Something failed on our side.',
    hint: 'Nothing was issued; repeat with the same Idempotency-Key. Tell us the request_id if it stays.',
    retry_after_seconds: 5,
  },
} as const satisfies Record<string, ErrorEntry>

export type ErrorCode = keyof typeof ERRORS
export const ERROR_CODES = Object.keys(ERRORS) as ErrorCode[]

export function errorEntry(code: ErrorCode): ErrorEntry {
  return ERRORS[code]
}

export function isRetriable(code: ErrorCode): boolean {
  return errorEntry(code).retry_after_seconds !== undefined
}
