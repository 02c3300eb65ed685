/** Answers of the SII, written as it writes them. */

export const TOKEN = 'XAuSbYXiNh9Ik'

const escapeXml = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')

export const respuesta = (header: string, body = '') =>
  '<?xml version="1.0" encoding="UTF-8"?><SII:RESPUESTA xmlns:SII="http://www.sii.cl/XMLSchema">' +
  `<SII:RESP_BODY>${body}</SII:RESP_BODY><SII:RESP_HDR>${header}</SII:RESP_HDR></SII:RESPUESTA>`

export const soap = (operation: string, returned: string) =>
  '<?xml version="1.0" encoding="UTF-8"?>' +
  '<soapenv:Envelope xmlns:soapenv="http://schemas.xmlsoap.org/soap/envelope/"><soapenv:Body>' +
  `<${operation}Response><${operation}Return>${escapeXml(returned)}</${operation}Return></${operation}Response>` +
  '</soapenv:Body></soapenv:Envelope>'

export const seed = (number = '168441616904') =>
  soap('getSeed', respuesta('<ESTADO>00</ESTADO>', `<SEMILLA>${number}</SEMILLA>`))

export const token = (value = TOKEN) =>
  soap('getToken', respuesta('<ESTADO>00</ESTADO><GLOSA>Token Creado</GLOSA>', `<TOKEN>${value}</TOKEN>`))

export const ERROR_PAGE = '<HTML> <HEAD> <TITLE>Error 501</TITLE> </HEAD> <BODY></BODY></HTML>'

export const BOLETA_TOKEN = '9XR0jJVRcqeW'

export const boletaSeed = () => respuesta('<ESTADO>00</ESTADO>', '<SEMILLA>168441617038</SEMILLA>')

export const boletaToken = (value = BOLETA_TOKEN) =>
  respuesta('<ESTADO>00</ESTADO><GLOSA>Token Creado</GLOSA>', `<TOKEN>${value}</TOKEN>`)
