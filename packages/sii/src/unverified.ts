/**
 * What no public source confirms about the SII's doors, in one place. Where one of these turns out to be wrong, the call
 * fails with a drift alarm or a refusal; nothing here is worked around in silence.
 */
export const UNVERIFIED = {
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
  sfg_form_fields: 'The fields for exempt amounts (EFXP_MNT_EXE) and for a guía beyond those of a factura.',
  sfg_lists:
    'The order of the columns in the lists of the SFG: other party, name, document, folio, date, amount, state.',
  sfg_item_name: 'Item names of 25 characters in the form of one client, 80 elsewhere: the shorter one is kept.',
} as const satisfies Readonly<Record<string, string>>
