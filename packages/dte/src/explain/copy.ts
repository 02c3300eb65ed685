/**
 * What the SII's answers mean, said to the person who has to act. The key is stable and public; the sentence and the
 * hint are in Chilean Spanish and may be reworded. `field` is the caller's own field in the API.
 */
export interface Meaning {
  readonly field: string | null
  /** Who has to act: the document must change, the empresa's record must, we must, the SII must, or nobody. */
  readonly act: 'document' | 'empresa' | 'service' | 'sii' | 'none'
  /** Whether the same document may go through later without any change. */
  readonly retriable: boolean
  readonly message: string
  readonly hint: string
}

const NOTHING_TO_DO = 'No tienes que hacer nada: te avisaremos apenas haya novedades.'
const OURS =
  'El problema es nuestro, no de tus datos. Reintentaremos; si se repite, escríbenos con el id del documento.'
const OURS_TO_MEND =
  'El problema es nuestro, no de tus datos. Escríbenos con el id del documento y lo resolvemos contigo.'
const READ_SII_WORDS = 'Lee el texto del SII, que dejamos tal cual en `sii`. Corrige lo que nombra y vuelve a emitir.'

// biome-ignore format: one meaning per line keeps the table readable
export const MEANINGS = {
  // What went well, or is under way
  sii_received: { field: null, act: 'none', retriable: false, message: 'El SII recibió el envío y lo está revisando.', hint: NOTHING_TO_DO },
  sii_in_progress: { field: null, act: 'none', retriable: false, message: 'El SII todavía está revisando el envío.', hint: NOTHING_TO_DO },
  sii_processed: { field: null, act: 'none', retriable: false, message: 'El SII terminó de revisar el envío. Que lo haya procesado no significa que lo aceptara: eso lo dice el resultado de cada documento.', hint: 'Mira el estado del documento.' },
  sii_accepted: { field: null, act: 'none', retriable: false, message: 'El SII aceptó el documento.', hint: 'No tienes que hacer nada.' },
  sii_observed: { field: null, act: 'none', retriable: false, message: 'El SII aceptó el documento, pero dejó una observación (reparo). El documento es válido.', hint: 'Revisa el detalle para no repetir la observación en el próximo. Si el dato errado importa a tu cliente, corrígelo con una nota.' },
  sii_authenticated: { field: null, act: 'none', retriable: false, message: 'El SII reconoció nuestra sesión.', hint: 'No tienes que hacer nada.' },

  // The document's identity
  folio_already_used: { field: 'folio', act: 'document', retriable: false, message: 'Ese folio ya lo tiene el SII con otros datos, así que no se puede usar de nuevo.', hint: 'Emite el documento otra vez: tomará el siguiente folio libre. Si usas dos sistemas con los mismos folios, separa sus rangos.' },
  document_already_received: { field: 'folio', act: 'none', retriable: false, message: 'El SII ya tenía este mismo documento: se envió más de una vez.', hint: 'No lo emitas de nuevo: vale el que se envió primero con este folio. Búscalo en sii.cl, en los documentos emitidos.' },
  envelope_already_received: { field: null, act: 'none', retriable: false, message: 'El SII ya tenía este envío; el texto nombra el número de seguimiento del primero.', hint: 'No hace falta reenviar: seguimos el primer envío con su número.' },
  folio_annulled: { field: 'folio', act: 'document', retriable: false, message: 'El folio de este documento fue anulado antes de usarse.', hint: 'Emite el documento otra vez para que tome un folio vigente.' },
  folio_not_authorized: { field: 'folio', act: 'empresa', retriable: false, message: 'El SII no ha autorizado ese folio a la empresa.', hint: 'Revisa los rangos de folios (CAF) cargados y pide uno nuevo para este tipo de documento.' },
  folio_not_received: { field: 'folio', act: 'service', retriable: true, message: 'El SII no tiene este documento.', hint: 'Si se envió hace poco, espera unos minutos. Si no aparece, lo volveremos a enviar.' },
  folio_range_expired: { field: 'folio', act: 'empresa', retriable: false, message: 'El rango de folios venció: en las facturas y notas dura seis meses desde que el SII lo autoriza.', hint: 'Anula en el SII los folios que quedaron de ese rango, pide uno nuevo y vuelve a emitir.' },
  folio_range_wrong_environment: { field: 'folio', act: 'empresa', retriable: false, message: 'Los folios son de otro ambiente: de certificación en producción, o al revés.', hint: 'Carga un rango de folios pedido en el mismo ambiente en que emites.' },
  document_data_mismatch: { field: null, act: 'document', retriable: false, message: 'El SII tiene el documento, pero con otros datos que los consultados.', hint: 'Compara fecha, monto y receptor con los del documento enviado.' },

  // What became of it afterwards
  document_annulled: { field: null, act: 'none', retriable: false, message: 'Una nota posterior anuló este documento.', hint: 'Si no esperabas la anulación, revisa las notas emitidas que lo referencian.' },
  document_text_corrected: { field: null, act: 'none', retriable: false, message: 'Una nota posterior corrigió el texto de este documento.', hint: 'No tienes que hacer nada.' },
  document_amount_corrected: { field: null, act: 'none', retriable: false, message: 'Una nota posterior corrigió los montos de este documento.', hint: 'No tienes que hacer nada. El saldo es el original más o menos la nota.' },

  // The emitter
  acteco_not_registered: { field: 'empresa.acteco', act: 'empresa', retriable: false, message: 'La actividad económica (acteco) que lleva el documento no está registrada en el SII para la empresa.', hint: 'Mira tus actividades vigentes en sii.cl, en «Mi información tributaria», corrige `acteco` en la empresa y vuelve a emitir.' },
  resolucion_mismatch: { field: 'empresa.resolucion', act: 'empresa', retriable: false, message: 'El número o la fecha de la resolución no son los que el SII tiene para la empresa en este ambiente.', hint: 'Corrige `resolucion.numero` y `resolucion.fecha` de la empresa. En certificación el número es 0 y la fecha es la de su propia autorización.' },
  emisor_not_authorized: { field: 'empresa.rut', act: 'empresa', retriable: false, message: 'El SII no tiene a la empresa autorizada para emitir este tipo de documento electrónico.', hint: 'Termina la certificación del tipo de documento, o revisa en sii.cl que la autorización siga vigente.' },
  issued_before_authorization: { field: 'issue_date', act: 'document', retriable: false, message: 'La fecha de emisión es anterior al día en que el SII autorizó a la empresa o al rango de folios.', hint: 'Emite con una fecha igual o posterior a la autorización.' },
  emisor_address_missing: { field: 'empresa.address.comuna', act: 'empresa', retriable: false, message: 'Falta la comuna o la dirección de la empresa en el documento.', hint: 'Completa `address.street` y `address.comuna` de la empresa y vuelve a emitir.' },
  sender_not_authorized: { field: 'empresa.certificate', act: 'empresa', retriable: false, message: 'La persona dueña del certificado no tiene permiso en el SII para enviar documentos de esta empresa.', hint: 'En sii.cl, el representante legal debe agregarla como usuario autorizado de facturación electrónica; después reintenta.' },
  sender_differs_from_envelope: { field: 'empresa.certificate', act: 'service', retriable: false, message: 'El RUT que firma el envío no es el mismo que inició sesión en el SII.', hint: OURS_TO_MEND },

  // Signatures and certificate
  signature_invalid: { field: 'empresa.certificate', act: 'service', retriable: false, message: 'El SII no pudo validar la firma electrónica del documento.', hint: 'Revisa que el certificado esté vigente y sea de un usuario autorizado de la empresa. Si lo está, el problema es nuestro: escríbenos con el id del documento.' },
  certificate_invalid: { field: 'empresa.certificate', act: 'empresa', retriable: false, message: 'El SII no acepta el certificado digital: puede estar vencido, revocado o ser de otra persona.', hint: 'Sube un certificado vigente de un usuario autorizado de la empresa.' },
  timbre_invalid: { field: 'folio', act: 'empresa', retriable: false, message: 'El timbre electrónico no corresponde a los folios que autorizó el SII.', hint: 'Vuelve a descargar el rango de folios desde sii.cl, cárgalo de nuevo y emite otra vez.' },
  timbre_date_out_of_range: { field: 'issue_date', act: 'document', retriable: false, message: 'La fecha del timbre está fuera del plazo que acepta el SII.', hint: 'Emite con la fecha del día y envía el documento sin demora.' },

  // Contents
  schema_invalid: { field: null, act: 'service', retriable: false, message: 'El archivo no cumple el formato del SII.', hint: 'El texto del SII dice en qué dato se detuvo. Si es un dato tuyo, corrígelo; si no, escríbenos con el id del documento.' },
  character_not_allowed: { field: 'items[].description', act: 'document', retriable: false, message: 'Algún texto lleva un carácter que el SII no acepta.', hint: 'Usa letras, números y signos comunes. Quita emojis, comillas tipográficas y símbolos pegados desde otro programa.' },
  wrong_channel: { field: null, act: 'service', retriable: false, message: 'El envío llegó a un servicio del SII que no recibe ese tipo de documento.', hint: OURS_TO_MEND },
  envelope_header_invalid: { field: 'empresa.resolucion', act: 'empresa', retriable: false, message: 'El SII rechazó la carátula del envío: los datos de la empresa, la resolución o quien envía no calzan con su registro.', hint: 'Revisa RUT, número y fecha de resolución de la empresa, y que el certificado sea de un usuario autorizado.' },
  information_invalid: { field: null, act: 'document', retriable: false, message: 'El SII encontró errores en los datos del documento y lo rechazó.', hint: READ_SII_WORDS },
  information_inconsistent: { field: null, act: 'document', retriable: false, message: 'Los datos del documento no son coherentes entre sí y el SII lo rechazó.', hint: READ_SII_WORDS },
  header_invalid: { field: null, act: 'document', retriable: false, message: 'Un dato del encabezado (fecha, emisor, receptor o totales) no pasó la revisión del SII.', hint: READ_SII_WORDS },
  line_invalid: { field: 'items[]', act: 'document', retriable: false, message: 'Una línea del detalle no pasó la revisión del SII.', hint: READ_SII_WORDS },
  line_amount_mismatch: { field: 'items[].unit_price', act: 'document', retriable: false, message: 'El monto de una línea no es precio por cantidad, menos el descuento.', hint: 'Revisa `quantity`, `unit_price` y el descuento de esa línea. El SII redondea a pesos enteros.' },
  line_name_missing: { field: 'items[].description', act: 'document', retriable: false, message: 'Hay una línea sin nombre de producto o servicio.', hint: 'Escribe `description` en todas las líneas.' },
  net_amount_missing: { field: 'items[].unit_price', act: 'document', retriable: false, message: 'El monto neto debe ser mayor que cero en este documento.', hint: 'Revisa los precios. Si toda la venta es exenta, usa una factura exenta (tipo 34).' },
  totals_mismatch: { field: 'items', act: 'service', retriable: false, message: 'Los totales no cuadran con las líneas del documento.', hint: 'Revisa precios y descuentos. Si los totales del documento son los que esperabas, escríbenos: los calculamos nosotros.' },
  receptor_invalid: { field: 'receptor.rut', act: 'document', retriable: false, message: 'El RUT del receptor no es válido o no existe en el SII.', hint: 'Pide a tu cliente su RUT tal como figura en su cédula o en su e-RUT y corrígelo.' },
  date_out_of_range: { field: 'issue_date', act: 'document', retriable: false, message: 'La fecha de emisión o de envío está fuera del plazo que acepta el SII.', hint: 'Emite con la fecha del día. Para un período ya declarado, conversa antes con tu contador.' },

  // References
  reference_required: { field: 'references', act: 'document', retriable: false, message: 'La nota debe nombrar el documento que anula o corrige, y debe ser de un tipo que admita notas.', hint: 'Agrega en `references` el tipo, folio y fecha del original, y el código 1, 2 o 3.' },
  reference_invalid: { field: 'references[]', act: 'document', retriable: false, message: 'Una referencia no pasó la revisión del SII.', hint: 'Revisa tipo, folio, fecha y código de cada referencia.' },
  reference_not_received: { field: 'references[].folio', act: 'document', retriable: true, message: 'El SII todavía no tiene el documento que esta nota referencia, o lo rechazó.', hint: 'Espera a que el original figure aceptado y emite la nota de nuevo. Si el original fue rechazado no necesita nota: emítelo otra vez.' },
  reference_other_receptor: { field: 'receptor.rut', act: 'document', retriable: false, message: 'El receptor de la nota no es el mismo del documento referenciado.', hint: 'Usa en `receptor.rut` el mismo RUT del original.' },
  reference_amount_mismatch: { field: 'references[].code', act: 'document', retriable: false, message: 'Una nota que anula debe repetir el monto del original, y esta lleva otro.', hint: 'Para anular, repite las líneas del original (código 1). Para devolver solo una parte, usa el código 3.' },

  // The road to the SII
  file_size: { field: null, act: 'service', retriable: false, message: 'El tamaño del archivo enviado no es el que acepta el SII.', hint: OURS_TO_MEND },
  file_truncated: { field: null, act: 'service', retriable: true, message: 'El archivo llegó cortado al SII.', hint: 'Lo enviaremos de nuevo. No tienes que hacer nada.' },
  file_lost: { field: null, act: 'service', retriable: true, message: 'El SII perdió el archivo que había recibido.', hint: 'Lo enviaremos de nuevo. No tienes que hacer nada.' },
  envelope_not_found: { field: null, act: 'sii', retriable: true, message: 'El SII nos dio un número para el envío y ahora no lo encuentra con ese número.', hint: 'Preguntaremos por el documento mismo y, si el SII no lo tiene, lo enviaremos de nuevo con el mismo folio. No lo emitas otra vez.' },
  session_expired: { field: null, act: 'service', retriable: true, message: 'Nuestra sesión con el SII había vencido.', hint: 'Abrimos otra y reintentamos. No tienes que hacer nada.' },
  sii_login_rejected: { field: 'empresa.certificate', act: 'service', retriable: false, message: 'El SII no aceptó el inicio de sesión firmado con el certificado.', hint: 'Revisa que el certificado esté vigente. Si lo está, el problema es nuestro: escríbenos.' },
  sii_unavailable: { field: null, act: 'sii', retriable: true, message: 'El SII tuvo un problema interno y no pudo atender.', hint: 'Reintentaremos solos. No tienes que hacer nada.' },
  sii_query_invalid: { field: null, act: 'service', retriable: false, message: 'El SII no entendió nuestra consulta.', hint: OURS },

  // Cesión
  cesion_registered: { field: null, act: 'none', retriable: false, message: 'La cesión quedó anotada en el registro del SII.', hint: 'No tienes que hacer nada.' },
  cesion_document_invalid: { field: 'document_id', act: 'document', retriable: false, message: 'El SII no acepta ceder este documento: no calza con el que tiene registrado o ya no se puede ceder.', hint: 'Revisa que esté aceptado, sin reclamo y sin nota que lo anule, y que quien cede sea su dueño actual.' },
  cesion_invalid: { field: 'cesionario', act: 'document', retriable: false, message: 'Los datos de la cesión no pasaron la revisión del SII.', hint: 'Revisa el cesionario, el monto (no puede superar el total) y la fecha de vencimiento.' },
  cesion_annulled: { field: null, act: 'none', retriable: false, message: 'El envío de la cesión fue anulado.', hint: 'Si la cesión debía seguir, vuelve a pedirla.' },
  cesion_not_found: { field: 'document_id', act: 'document', retriable: false, message: 'El registro del SII no tiene cesiones de este documento.', hint: 'Revisa tipo, folio y emisor.' },
  not_a_party: { field: 'document_id', act: 'document', retriable: false, message: 'La empresa no tiene relación con ese documento, y el SII solo responde a sus partes.', hint: 'Consulta con la empresa que emitió, recibió o adquirió el documento.' },

  // Accept and claim (Ley 20.956)
  response_registered: { field: null, act: 'none', retriable: false, message: 'La respuesta quedó registrada en el SII.', hint: 'No tienes que hacer nada.' },
  response_already_registered: { field: null, act: 'none', retriable: false, message: 'Esa misma respuesta ya estaba registrada.', hint: 'No tienes que hacer nada.' },
  response_too_late: { field: 'received_document_id', act: 'none', retriable: false, message: 'Ya pasaron los ocho días desde que el SII recibió el documento: se entiende aceptado.', hint: 'Si hay un error, pide a tu proveedor una nota de crédito.' },
  response_conflicts: { field: 'action', act: 'document', retriable: false, message: 'Esa respuesta no es compatible con otra que ya se dio a este documento.', hint: 'Mira los eventos del documento. Tras un reclamo no se puede aceptar, y tras aceptar no se puede reclamar.' },
  response_not_applicable: { field: 'action', act: 'document', retriable: false, message: 'El SII no admite esa respuesta para este documento.', hint: 'Solo las facturas (tipos 33, 34 y 43) se aceptan o reclaman.' },
  response_of_receptor_only: { field: 'received_document_id', act: 'document', retriable: false, message: 'Solo quien recibe el documento puede aceptarlo o reclamarlo, y para el SII la empresa no es su receptor.', hint: 'Responde con la empresa que lo recibió. Si es la tuya, revisa el RUT del receptor en el documento.' },
  response_document_unknown: { field: 'received_document_id', act: 'document', retriable: true, message: 'El SII no encuentra el documento que quieres responder.', hint: 'Revisa emisor, tipo y folio. Si es recién emitido, espera a que el SII lo reciba.' },
  response_none_yet: { field: null, act: 'none', retriable: false, message: 'El documento todavía no tiene respuestas registradas.', hint: 'No tienes que hacer nada.' },
  response_listed: { field: null, act: 'none', retriable: false, message: 'El SII entregó las respuestas del documento.', hint: 'No tienes que hacer nada.' },
  document_cedible: { field: null, act: 'none', retriable: false, message: 'El documento se puede ceder.', hint: 'No tienes que hacer nada.' },
  document_not_cedible: { field: 'document_id', act: 'none', retriable: false, message: 'El documento no se puede ceder: por su tipo, por un reclamo o por una nota que lo anuló.', hint: 'Resuelve el reclamo con tu cliente o emite un documento nuevo.' },
  document_not_yet_cedible: { field: 'document_id', act: 'none', retriable: true, message: 'El documento todavía no se puede ceder: nadie lo ha aceptado ni reclamado y no han pasado ocho días.', hint: 'Pide a tu cliente el acuse de recibo, o espera a que se cumplan los ocho días.' },

  // What we do not know
  sii_rejected: { field: null, act: 'document', retriable: false, message: 'El SII rechazó el documento por una razón que aún no conocemos.', hint: READ_SII_WORDS },
  sii_observed_other: { field: null, act: 'none', retriable: false, message: 'El SII aceptó el documento con una observación que aún no conocemos.', hint: 'El documento es válido. El texto del SII está tal cual en `sii`.' },
  sii_rejected_without_reason: { field: null, act: 'document', retriable: false, message: 'El SII rechazó el documento y en su respuesta no dice por qué. El documento no vale.', hint: 'El motivo de una factura, guía o nota llega por correo a la casilla que la empresa registró en el SII; si es tu casilla de recepción, lo mostraremos aquí. También puedes verlo en sii.cl, en los documentos emitidos. Corrige lo que diga y emite un documento nuevo.' },
  sii_observed_without_reason: { field: null, act: 'none', retriable: false, message: 'El SII aceptó el documento con una observación (reparo) y en su respuesta no dice cuál. El documento es válido.', hint: 'No lo emitas de nuevo. El detalle de una factura, guía o nota llega por correo a la casilla que la empresa registró en el SII; si es tu casilla de recepción, lo mostraremos aquí. También puedes verlo en sii.cl, en los documentos emitidos.' },
  sii_unknown_answer: { field: null, act: 'service', retriable: true, message: 'El SII respondió algo que no conocemos.', hint: 'Seguiremos consultando. El texto del SII está tal cual en `sii`; si no avanza, escríbenos con el id del documento.' },
} as const satisfies Record<string, Meaning>

export type ExplanationCode = keyof typeof MEANINGS
