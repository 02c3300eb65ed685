const PARTS = ['rutEmisor', 'dvEmisor', 'tipoDoc', 'folio']

/** Operations and the parts of each; none of the SII's own WSDL is at hand, so types and names inside are ours. */
const OPERATIONS: Readonly<Record<string, readonly string[]>> = {
  ingresarAceptacionReclamoDoc: [...PARTS, 'accionDoc'],
  listarEventosHistDoc: PARTS,
  consultarDocDteCedible: PARTS,
  consultarFechaRecepcionSii: PARTS,
}

export function writeClaimsWsdl(namespace: string, location: string): string {
  const names = Object.keys(OPERATIONS)
  const element = (name: string, type: string, more = '') => `<xs:element name="${name}" type="${type}"${more}/>`
  const sequence = (content: string) => `<xs:complexType><xs:sequence>${content}</xs:sequence></xs:complexType>`
  const requests = Object.entries(OPERATIONS).map(
    ([name, parts]) =>
      `<xs:element name="${name}">${sequence(parts.map((part) => element(part, 'xs:string', ' minOccurs="0"')).join(''))}</xs:element>`,
  )
  const answers = names.map((name) => {
    const type = name === 'consultarFechaRecepcionSii' ? 'xs:string' : 'tns:respuestaTo'
    return `<xs:element name="${name}Response">${sequence(element('return', type, ' minOccurs="0"'))}</xs:element>`
  })
  const texts = (...parts: string[]) => parts.map((part) => element(part, 'xs:string', ' minOccurs="0"')).join('')
  const types =
    `<xs:complexType name="respuestaTo"><xs:sequence>${texts('codResp', 'descResp')}` +
    `${element('listaEventosDoc', 'tns:eventoTo', ' minOccurs="0" maxOccurs="unbounded"')}</xs:sequence></xs:complexType>` +
    `<xs:complexType name="eventoTo"><xs:sequence>${texts('codEvento', 'descEvento', 'rutResponsable', 'dvResponsable', 'fechaEvento')}</xs:sequence></xs:complexType>`
  const messages = names.flatMap((name) =>
    [name, `${name}Response`].map(
      (message) => `<message name="${message}"><part name="parameters" element="tns:${message}"/></message>`,
    ),
  )
  const offered = names.map(
    (name) =>
      `<operation name="${name}"><input message="tns:${name}"/><output message="tns:${name}Response"/></operation>`,
  )
  const bound = names.map(
    (name) =>
      `<operation name="${name}"><soap:operation soapAction=""/><input><soap:body use="literal"/></input><output><soap:body use="literal"/></output></operation>`,
  )
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<definitions xmlns="http://schemas.xmlsoap.org/wsdl/" xmlns:soap="http://schemas.xmlsoap.org/wsdl/soap/" xmlns:tns="${namespace}" xmlns:xs="http://www.w3.org/2001/XMLSchema" targetNamespace="${namespace}" name="RegistroReclamoDteServiceEndpointService">`,
    `<types><xs:schema targetNamespace="${namespace}" elementFormDefault="unqualified">${requests.join('')}${answers.join('')}${types}</xs:schema></types>`,
    ...messages,
    `<portType name="RegistroReclamoDteService">${offered.join('')}</portType>`,
    `<binding name="RegistroReclamoDteServicePortBinding" type="tns:RegistroReclamoDteService"><soap:binding transport="http://schemas.xmlsoap.org/soap/http" style="document"/>${bound.join('')}</binding>`,
    `<service name="RegistroReclamoDteServiceEndpointService"><port name="RegistroReclamoDteServicePort" binding="tns:RegistroReclamoDteServicePortBinding"><soap:address location="${location}"/></port></service>`,
    '</definitions>',
  ].join('\n')
}
