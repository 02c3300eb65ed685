import { drift } from '../failure.ts'
import { fold } from '../portal/fold.ts'
import { encodeForm } from '../portal/form-body.ts'
import { glosaOf } from '../portal/judge.ts'
import { secretForms } from '../portal/log-in.ts'
import type { Form } from '../portal/page.ts'
import { parseJson } from '../storable.ts'
import { type SfgDoor, sfgRefusal } from './door.ts'
import { type PlainDte, readPlainDte } from './plain.ts'

export interface Signed {
  readonly plain: PlainDte
  readonly xml: string
  /** The page that asked for the signature; its other fields travel on. */
  readonly form: Form
  /** What the portal's script adds to it. */
  readonly fields: readonly (readonly [string, string])[]
  readonly secrets: readonly string[]
}

const NODES = [
  ['nodo', 'dte:DTE'],
  ['nodoId', 'dte:Documento'],
  ['nameSpace', 'http://www.sii.cl/SiiDte'],
] as const

/** Has the SII sign with the certificate that the person stored there. It signs and does not emit. */
export async function signCentrally(
  door: SfgDoor,
  { password }: { readonly password: string },
  { form, xml }: { readonly form: Form; readonly xml: string },
): Promise<Signed> {
  const [rut = '', dv = ''] = door.session.rut.split('-')
  const name = await door.step('getCertDigital.cgi', `rut=${rut}&dv=${dv}`, null, ({ text }) => ({
    value: readCertificateName(text),
  }))
  const secrets = [...secretForms(password), encodeForm([['s', password]], 'utf-8').slice(2)]
  const request = [['nombre', name], ['dato', xml], ['rut', rut], ['dv', dv], ['clave', password], ...NODES] as const
  // The portal's script sends this one in UTF-8, unlike its forms: another alphabet would spoil the stamp.
  const signed = await door.step(
    'postFirmaDigital.cgi',
    '',
    request,
    ({ text, page }) => {
      if (!/<(?:\w+:)?Signature[\s>]/.test(text)) throw notSigned(glosaOf(page) ?? text.slice(0, 200))
      return { value: { xml: text.trim(), plain: readPlainDte(text) } }
    },
    { charset: 'utf-8', secrets },
  )
  const fields = [['txtPlainText', xml], ['txtSignText', signed.xml], ['nombre', name], ...NODES] as const
  return { ...signed, form, fields, secrets }
}

/** How a sentence about the password may put it (UNVERIFIED.sfg_signing). */
const CREDENTIAL = /clave|contrasena|password|\bpin\b|certificado/

const notSigned = (words: string) =>
  sfgRefusal(CREDENTIAL.test(fold(words)) ? 'signature_refused' : 'not_signed', words)

/** `[{"nombre":"1"}]`; empty where the person stored none. */
function readCertificateName(text: string): string {
  const list = parse(text)
  if (!Array.isArray(list)) throw drift('list of getCertDigital.cgi')
  const [first] = list as { nombre?: unknown }[]
  if (first === undefined) throw sfgRefusal('no_central_certificate', 'getCertDigital.cgi: []')
  if (typeof first.nombre !== 'string' && typeof first.nombre !== 'number') throw drift('nombre of getCertDigital.cgi')
  return String(first.nombre)
}

function parse(text: string): unknown {
  try {
    return parseJson(text)
  } catch {
    throw drift('JSON of getCertDigital.cgi')
  }
}
