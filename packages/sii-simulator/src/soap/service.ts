import type { Answer, Door, DoorRequest } from '../door.ts'
import { html, xml } from '../door.ts'
import type { SiiHost } from '../hosts.ts'
import { escapeMarkup } from '../markup.ts'
import type { Simulator } from '../simulator.ts'
import { writeWsdl } from './wsdl.ts'
import { childOf, childrenOf, withXml } from './xml.ts'

/** A SOAP 1.1 service of the DTE kind: rpc, every part and every answer a text. */
export type SoapService = {
  /** Name of its door in scripts. */
  door: string
  /** Name in its WSDL: `CrSeed`. */
  name: string
  hosts: readonly SiiHost[]
  path: string
  operations: readonly SoapOperation[]
  /** Target namespace; the address of the service itself unless told. */
  namespace?: string
}

export type SoapOperation = {
  name: string
  parts: readonly string[]
  /** The return value, before it is escaped. Arguments come by position: the SII does not look at their names. */
  answer(ctx: Simulator, args: readonly string[], request: DoorRequest): string | Promise<string>
}

/** What Axis offers on every service; the texts are invented. */
const VERSION_OPERATIONS: readonly SoapOperation[] = [
  { name: 'getState', parts: [], answer: () => 'OK' },
  { name: 'getVersion', parts: [], answer: () => '1.0.0' },
  { name: 'getVersionMayor', parts: [], answer: () => '1' },
  { name: 'getVersionMenor', parts: [], answer: () => '0' },
  { name: 'getVersionPatch', parts: [], answer: () => '0' },
]

export function soapDoors(service: SoapService): Door[] {
  const whole = { ...service, operations: [...service.operations, ...VERSION_OPERATIONS] }
  const address = { name: service.door, hosts: service.hosts, path: service.path }
  return [
    { ...address, method: 'POST', handle: (ctx, request) => answerCall(ctx, whole, request) },
    {
      ...address,
      method: 'GET',
      handle: (_ctx, request) =>
        /^wsdl$/i.test(request.raw_query)
          ? xml(writeWsdl(whole, request.host, request.origin(request.host)))
          : html(`<HTML><BODY><H1>${service.name}</H1><P>Hi there, this is a Web service!</P></BODY></HTML>`),
    },
  ]
}

async function answerCall(ctx: Simulator, service: SoapService, request: DoorRequest): Promise<Answer> {
  const call = readCall(request.body)
  if (!call) return fault('soapenv:Server.userException', 'org.xml.sax.SAXException: Bad envelope')
  const operation = service.operations.find(({ name }) => name === call.operation)
  if (!operation) return fault('soapenv:Client', `No such operation '${call.operation}'`)
  if (call.args.length < operation.parts.length) {
    return fault('soapenv:Client', `No such operation '${call.operation}' with ${call.args.length} arguments`)
  }
  const value = await operation.answer(ctx, call.args, request)
  return xml(soapAnswer(call.operation, value))
}

export type SoapCall = { operation: string; args: string[]; named: Record<string, string> }

/** Operation and arguments, by position and by name; null where it is no SOAP envelope. */
export function readCall(body: Uint8Array): SoapCall | null {
  return withXml(body, (root) => {
    const soapBody = root.name === 'Envelope' ? childOf(root, 'Body') : null
    const operation = soapBody && childrenOf(soapBody)[0]
    if (!operation) return null
    const parts = childrenOf(operation)
    return {
      operation: operation.name,
      args: parts.map((part) => part.content),
      named: Object.fromEntries(parts.map((part) => [part.name, part.content])),
    }
  })
}

const ENVELOPE =
  '<soapenv:Envelope xmlns:soapenv="http://schemas.xmlsoap.org/soap/envelope/" xmlns:xsd="http://www.w3.org/2001/XMLSchema" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">'
const DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>'

/** The answer of an rpc operation whose return value is a text. */
export function soapAnswer(operation: string, value: string): string {
  const returned = `<${operation}Return xsi:type="xsd:string">${escapeMarkup(value)}</${operation}Return>`
  const response = `<${operation}Response soapenv:encodingStyle="http://schemas.xmlsoap.org/soap/encoding/">${returned}</${operation}Response>`
  return `${DECLARATION}${ENVELOPE}<soapenv:Body>${response}</soapenv:Body></soapenv:Envelope>`
}

export function fault(code: string, message: string): Answer {
  const body = `<soapenv:Fault><faultcode>${code}</faultcode><faultstring>${escapeMarkup(message)}</faultstring><detail/></soapenv:Fault>`
  return { ...xml(`${DECLARATION}${ENVELOPE}<soapenv:Body>${body}</soapenv:Body></soapenv:Envelope>`), status: 500 }
}
