import type { SiiHost } from '../hosts.ts'

type Described = {
  name: string
  path: string
  namespace?: string
  operations: readonly { name: string; parts: readonly string[] }[]
}

/** A WSDL 1.1 of our own writing: the names, parts and namespaces are those that the SII's clients are built from. */
export function writeWsdl(service: Described, host: SiiHost, origin: string): string {
  const namespace = service.namespace ?? `https://${host}${service.path}`
  const { name, operations } = service
  const messages = operations.flatMap((operation) => [
    message(`${operation.name}Request`, operation.parts),
    message(`${operation.name}Response`, [`${operation.name}Return`]),
  ])
  const body = `<wsdlsoap:body encodingStyle="http://schemas.xmlsoap.org/soap/encoding/" namespace="${namespace}" use="literal"/>`
  const offered = operations.map((operation) => {
    const order = operation.parts.length > 0 ? ` parameterOrder="${operation.parts.join(' ')}"` : ''
    const end = (way: string, kind: string) => `<wsdl:${way} message="impl:${kind}" name="${kind}"/>`
    const ends = end('input', `${operation.name}Request`) + end('output', `${operation.name}Response`)
    return `<wsdl:operation name="${operation.name}"${order}>${ends}</wsdl:operation>`
  })
  const bound = operations.map(
    (operation) =>
      `<wsdl:operation name="${operation.name}"><wsdlsoap:operation soapAction=""/>` +
      `<wsdl:input name="${operation.name}Request">${body}</wsdl:input>` +
      `<wsdl:output name="${operation.name}Response">${body}</wsdl:output></wsdl:operation>`,
  )
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<wsdl:definitions targetNamespace="${namespace}" xmlns:impl="${namespace}" xmlns:wsdl="http://schemas.xmlsoap.org/wsdl/" xmlns:wsdlsoap="http://schemas.xmlsoap.org/wsdl/soap/" xmlns:xsd="http://www.w3.org/2001/XMLSchema">`,
    ...messages,
    `<wsdl:portType name="${name}">${offered.join('')}</wsdl:portType>`,
    `<wsdl:binding name="${name}SoapBinding" type="impl:${name}"><wsdlsoap:binding style="rpc" transport="http://schemas.xmlsoap.org/soap/http"/>${bound.join('')}</wsdl:binding>`,
    `<wsdl:service name="${name}Service"><wsdl:port binding="impl:${name}SoapBinding" name="${name}"><wsdlsoap:address location="${origin}${service.path}"/></wsdl:port></wsdl:service>`,
    '</wsdl:definitions>',
  ].join('\n')
}

function message(name: string, parts: readonly string[]): string {
  const inside = parts.map((part) => `<wsdl:part name="${part}" type="xsd:string"/>`).join('')
  return `<wsdl:message name="${name}">${inside}</wsdl:message>`
}
