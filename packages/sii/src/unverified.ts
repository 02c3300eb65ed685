/**
 * What no public source confirms about the SII's doors, in one place. Where one of these turns out to be wrong, the call
 * fails with a drift alarm or a refusal; nothing here is worked around in silence.
 */
export const UNVERIFIED = {
  legacy_renegotiation:
    'Whether maullin and palena still need it. It is off; the server is verified with it as without it.',
  token_life: 'The SII gives tokens for about 60 minutes. They are used for 50, and renewed once when refused.',
  claims_without_session:
    'How the accept/claim service refuses a token: a fault that speaks of it, a 401 or an error page is taken for that.',
  claims_reception_date:
    'What consultarFechaRecepcionSii says of a document that never came: nothing, or words to that effect.',
  signed_document_answer:
    'The answer of QueryEstDteAv, read as public clients read it: RECIBIDO, ESTADO, GLOSA and TRACKID in the body.',
  resend_answer: 'The answer of reenvioCorreo: zero is taken for done, anything else for a refusal.',
  cesion_details: 'The names in the body of getEstCesion and getEstCesionRelac: they come back as they are.',
  boleta_and_aec_twice:
    'What a second upload of the same boletas or of the same AEC does. Only the DTE upload is known to name the first.',
  boleta_receipt:
    'Which estado other than REC the receipt of boletas may carry: a known refusal refuses, any other raises the alarm.',
  boleta_not_found:
    'Whether a 404 of the boleta API means that the SII does not have a boleta. Only FAU is taken for that; a 404 is asked again.',
  envelope_not_found:
    'What the SII says of a track id that it does not know: -11 of QueryEstUp and a 404 of the boleta API are taken for that, and its documents are asked for before anything is sent again.',
  books_status:
    'How QueryEstUp tells of a summary of folios: EPR without counters is taken for accepted. Of a book, LSO, LOK, LRH and LNC were seen; LRS, LRF and LRC are spelled as the states of an envelope would be.',
  result_mail_estado:
    'The words for the state of a document in the result e-mail; the level of its findings tells too.',
  f29_write:
    'The methods that file an F29 have names and no public contract. They are not called: a person files the declaration.',
  f29_facades:
    'Which of the three facades serves getPeriodosF29 and getDeclaracionVigente, and the shape of their answers, which come back as they are.',
  rcv_claims_answer: 'The data of ingresarAceptacionReclamoDocs is returned as it came; only its codRespuesta is read.',
  rcv_boletas_days: 'The fields of obtieneListaBoletasMes: its rows come back as they are.',
  rcv_export_sales: 'accionRecaptcha of the export of sales.',
  folio_reobtain_forms: 'The pages to obtain folios again hold one form for each range, with FOLIO_INI and FOLIO_FIN.',
  exchange_mailbox: 'The wording of the page that names the exchange mailbox (ce_consulta_e).',
  sfg_sent_page:
    'What mipeSendXML.cgi answers when it has emitted. The list of issued documents decides, not this page.',
  sfg_signing:
    'What postFirmaDigital.cgi says to a wrong password. Words about a password or a certificate are taken for that; others may be its own trouble.',
  sfg_proposed_folio:
    'Whether a folio that was signed and never sent is given to the next document: it is known again by its receptor and amount, too.',
  sfg_list_delay:
    'How soon the list of issued documents shows one. Until a while has passed, one that it does not show is not taken for unsent.',
  sfg_form_fields: 'The fields for exempt amounts (EFXP_MNT_EXE) and for a guía beyond those of a factura.',
  sfg_lists:
    'The order of the columns in the lists of the SFG: other party, name, document, folio, date, amount, state.',
  sfg_item_name: 'Item names of 25 characters in the form of one client, 80 elsewhere: the shorter one is kept.',
  certification_conditions:
    'The program behind the conditions page of a postulation: the one form of each page is followed until one leads to pe_confirma.',
  certification_sfg_warning:
    'The words with which the postulation warns that the free system is lost, and on which of its pages: any that speak of both end it, unless the loss was accepted.',
  certification_confirmed:
    'How pe_confirma says that it postulated: a page in other words raises the alarm after the act.',
  certification_boleta_boxes:
    'Which of ESBOL, BOLELE, BOLELEC, BOLEXE and BOLEXEN are boxes: those that the page has are ticked.',
  certification_set_code: 'What CODIGO of pe_generar1 is for: it goes as the page has it.',
  certification_table:
    'The columns and field names of pe_avance2: a row is known by its state, its two fields by one that is named after a date.',
  certification_declared:
    'What pe_avance3 answers. The table of pe_avance2, read again, decides which sets were taken.',
  certification_go_on:
    'Whether pe_avance2 has a form to pe_avance4: without one it is asked with the company alone. Only the known sentences count.',
  certification_steps:
    'The names of the steps within the sentences, and where pe_avance2 and pe_avance6 show the current one.',
  certification_compliance:
    'How pe_avance9 says that compliance was declared: a page that does not say so in one of a few ways raises the alarm after the act.',
  certification_statements: 'The names of the eight boxes of pe_avance9: another number of boxes raises the alarm.',
  certification_exchange:
    'What the exchange application calls the parts of uploadFile1 to uploadFile3, and its confirmation. The SII is not asked: a person uploads the answers.',
  certification_samples:
    'The printed samples are handed in in a browser application (pdfdteInternet) whose calls are in no source. The SII is not asked: a person uploads them.',
  certification_boletas:
    'Boletas are certified in a browser application (certBolElectDteInternet) whose calls are in no source. The SII is not asked: a person does it.',
} as const satisfies Readonly<Record<string, string>>
