import { splitRut } from './document.ts'
import type { Caller } from './identity.ts'
import { UPLOAD_AGENT, UPLOAD_LIMITS, writeMultipart } from './multipart.ts'
import type { Access } from './soap-service.ts'
import type { TokenChannel } from './tokens.ts'
import type { Read, SiiAnswer, SiiCall } from './wire.ts'

/** A door of the SII that takes a file in a form. */
export interface UploadDoor<T> extends Pick<SiiCall, 'service' | 'operation' | 'path' | 'headers'> {
  readonly channel: TokenChannel
  readonly read: (answer: SiiAnswer) => Read<T>
}

/** What a door of uploads is given beside the form's fields. */
interface NamedFile {
  readonly file_name: string
  readonly bytes: Uint8Array
}

/** Sends a file with the fields of its form. The same bytes go again where a token is renewed. */
export function uploadTo<T>(
  { wire, tokens }: Access,
  caller: Caller,
  { channel, read, headers, ...door }: UploadDoor<T>,
  fields: readonly (readonly [name: string, value: string])[],
  { file_name: name, bytes }: NamedFile,
): Promise<T> {
  const { body, content_type } = writeMultipart(fields, { field: 'archivo', name, bytes })
  const form = { ...headers, 'content-type': content_type, 'user-agent': UPLOAD_AGENT }
  return tokens.withToken(caller, channel, (token) =>
    wire.call(
      {
        ...door,
        ambiente: caller.ambiente,
        method: 'POST',
        headers: { ...form, cookie: `TOKEN=${token}` },
        body,
        secrets: [token],
        limits: UPLOAD_LIMITS,
      },
      read,
    ),
  )
}

/** The company whose documents are in the file. */
export function companyFields(company_rut: string): [string, string][] {
  const [number, check_digit] = splitRut(company_rut)
  return [
    ['rutCompany', number],
    ['dvCompany', check_digit],
  ]
}

/** The person who sends it, then the company. */
export function senderFields({ identity }: Caller, company_rut: string): [string, string][] {
  const [number, check_digit] = splitRut(identity.rut)
  return [['rutSender', number], ['dvSender', check_digit], ...companyFields(company_rut)]
}
