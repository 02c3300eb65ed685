const rule = { type: 'unprocessable_error', status: 422 } as const
const ours = { type: 'api_error', status: 500 } as const
const away = { type: 'api_error', status: 503 } as const
const sii = { type: 'sii_error', status: 502 } as const

/**
 * Codes of what fails after its call was answered: the `error` of a job, the `failure` of a resource. They are part of
 * the dictionary like the others; `status` is what a call would have answered.
 */
export const FAILURES = {
  folios_exhausted: {
    ...rule,
    message: 'No folio is left for the tipo.',
    hint: 'Ask for more with POST /folios/requests, then retry the document.',
  },
  folios_refused: {
    ...sii,
    message: 'The SII gave no folios.',
    hint: 'The message says why and what to do, `details.reason` for a program; correct that and ask again.',
  },
  folios_not_annulled: {
    ...sii,
    message: 'The SII did not annul the folios.',
    hint: 'The message says why and what to do, `details.reason` for a program; correct that and ask again.',
  },
  sii_lost_envelope: {
    ...sii,
    message: 'The SII took a document and lost it, as often as it was sent.',
    hint: 'It stays sent and is still asked about: it ends where the SII says, should it find it. Ask the SII about its track id, and us for another try.',
  },
  sii_data_differ: {
    ...sii,
    message: 'The SII has a document under the folio and says that its data are not those it was asked about.',
    hint: 'It stays sent and is still asked about. Compare it with what sii.cl shows under its folio, and tell us; POST /documents/{document_id}/retry asks anew.',
  },
  build_refused: {
    ...rule,
    message: 'The file for the SII or the counterparty cannot be built.',
    hint: 'The message names what is missing; correct it and retry.',
  },
  certificate_without_rut: {
    ...rule,
    message: 'The certificate that signs names no RUT.',
    hint: 'Ask the operator for a certificate that was issued to a person.',
  },
  recipients_refused: {
    ...rule,
    message: 'Nobody took the letter.',
    hint: 'Correct the addresses that the message names and send the document again.',
  },
  no_address: {
    ...rule,
    message: 'There is no address to answer to.',
    hint: 'The document came without one; answer its emisor yourself.',
  },
  mail_refused: {
    ...rule,
    message: 'The mail server refused the letter.',
    hint: 'Check the address; the message says what the server said.',
  },
  rcv_unreadable: {
    ...sii,
    message: 'The SII answered with something else than its register.',
    hint: 'What was read before stays; ask for another reading later.',
  },
  rcv_too_large: {
    ...sii,
    message: 'The register of the period has more entries of one side than are read here.',
    hint: 'What was read before stays. Write to us: no taxpayer had as many yet.',
  },
  statement_unreadable: {
    ...rule,
    message: 'The cartola cannot be read.',
    hint: 'The message says where; upload the file as the bank gives it.',
  },
  operator_failed: {
    ...rule,
    message: 'The operator could not file the declaration.',
    hint: 'The message says why; correct that and file it again.',
  },
  bank_unreadable: {
    ...away,
    message: 'The provider of bank data answered with something that cannot be read.',
    hint: 'Synchronize again later; tell us if it stays.',
  },
  bank_refused: {
    ...away,
    message: 'The provider of bank data refused the question.',
    hint: 'Synchronize again later; tell us if it stays.',
  },
  bank_rejected: {
    ...rule,
    message: 'The bank asks for the person again.',
    hint: 'Have the person link the bank again with POST /connections/{connection_id}/reconnect.',
  },
  bank_link_gone: {
    ...rule,
    message: 'The provider no longer has the link.',
    hint: 'Delete the connection and make another one.',
  },
  bank_refresh_failed: {
    ...away,
    message: 'The bank could not be read anew.',
    hint: 'What was read before stays; synchronize again later.',
  },
  scripted_failure: {
    ...rule,
    message: 'A test asked for this failure.',
    hint: 'It happens in the sandbox alone, after POST /test_helpers/documents/{document_id}/estado.',
  },
  worker_lost: {
    ...ours,
    message: 'The worker of the job went away every time it ran.',
    hint: 'Tell us the id of the job; asking for the same again makes another one.',
  },
  unknown_job: {
    ...ours,
    message: 'This version of the service does not know the job.',
    hint: 'Tell us the id of the job; asking for the same again makes another one.',
  },
} as const
