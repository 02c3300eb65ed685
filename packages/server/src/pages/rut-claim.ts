import { printedRut } from '@timbre/dte/values'
import type { RutClaim } from '../domain/platform/rut-claim/open.ts'
import { takeOverTerms } from '../domain/platform/rut-claim/terms.ts'
import type { Answer } from '../kernel/answer.ts'
import { messagePage } from './account.ts'
import { certificateFile } from './file-field.ts'
import { type Html, html } from './html.ts'
import { pageAnswer } from './layout.ts'

// Read by a taxpayer whose RUT somebody else holds: Chilean Spanish, a phone first, one act.

export interface ClaimView {
  readonly claim: RutClaim
  readonly path: string
  readonly operator_email: string
}

/** Why nothing was taken over, by what is the matter with the certificate or with the RUT. */
export type ClaimRefusal =
  | 'missing'
  | 'wrong_password'
  | 'expired'
  | 'not_yet_valid'
  | 'unreadable'
  | 'not_accredited'
  | 'not_taxpayer'
  | 'sii_unreachable'
  | 'proven'
  | 'own'
  | 'full'

const SENTENCES: Readonly<Record<ClaimRefusal, (view: ClaimView) => string>> = {
  missing: () => 'Falta el archivo, su contraseña o marcar que estás de acuerdo.',
  wrong_password: () => 'La contraseña no abre este archivo. Revisa las mayúsculas y vuelve a elegir el archivo.',
  expired: () => 'Este certificado está vencido. Necesitas uno vigente: lo renueva la entidad que te lo dio.',
  not_yet_valid: () => 'Este certificado todavía no empieza a regir. Vuelve a intentarlo desde ese día.',
  unreadable: () =>
    'No pudimos leer el archivo. Debe ser el .pfx o .p12 de tu firma electrónica, con su clave privada y el RUT de su titular.',
  not_accredited: () =>
    'Ninguna entidad acreditada que conozcamos emitió este certificado. Si lo compraste a una, expórtalo otra vez incluyendo toda ' +
    'la cadena de certificación.',
  not_taxpayer: ({ claim, operator_email }) =>
    `El certificado es auténtico, pero no es el del RUT ${printedRut(claim.rut)}, y el SII no nos dice que su titular lo ` +
    `represente. Si lo representas, escríbenos a ${operator_email} con los antecedentes. Si quien tiene el RUT no lo prueba, queda ` +
    'libre catorce días después de que lo creó.',
  sii_unreachable: () =>
    'El certificado es auténtico, pero no es el del RUT. Quisimos preguntarle al SII si su titular lo representa y ahora no responde. ' +
    'Vuelve a intentarlo en un rato: este enlace sigue sirviendo.',
  proven: ({ operator_email }) =>
    'La cuenta que tiene este RUT ya probó que lo administra, con una prueba tan fuerte como la tuya. Si cambias de proveedor, pide ' +
    `al anterior que archive la empresa y abre de nuevo un enlace como este. Si no te responde, escríbenos a ${operator_email}.`,
  own: () => 'Este RUT ya está en la cuenta que lo pidió: no hay nada que hacer.',
  full: () => 'La cuenta que lo pidió no puede tener más empresas. Quien la administra debe escribirnos antes.',
}

const STATUS: Readonly<Partial<Record<ClaimRefusal, number>>> = { proven: 409, own: 409, sii_unreachable: 503 }

/** The field that a refusal is about, where it is about one: it is told beside it too. */
const FIELDS: Readonly<Partial<Record<ClaimRefusal, 'file' | 'password'>>> = {
  wrong_password: 'password',
  expired: 'file',
  not_yet_valid: 'file',
  unreadable: 'file',
  not_accredited: 'file',
}

const shell = (body: Html, status = 200) =>
  pageAnswer(
    { title: 'Recupera tu RUT', lang: 'es-CL', narrow: true, body: html`<h1>Recupera tu RUT</h1>${body}` },
    status,
  )

const about = ({ claim }: ClaimView) => html`<dl class="facts">
<dt>RUT</dt><dd>${printedRut(claim.rut)}</dd>
<dt>Empresa</dt><dd>${claim.input.legal_name}</dd>
<dt>Cuenta que lo pide</dt><dd>${claim.account_name} (${claim.account_email})</dd>
</dl>`

/** Where no root of an accredited CA is loaded, no certificate proves anything. */
export function nothingProvablePage(view: ClaimView): Answer {
  return shell(
    html`<div class="note" role="alert"><p>Este servicio todavía no tiene cargados los certificados de las entidades acreditadas,
así que por ahora aquí no se puede probar nada.</p></div>
${about(view)}
<p>Escríbenos a <a href="mailto:${view.operator_email}">${view.operator_email}</a> y lo vemos contigo.</p>`,
    503,
  )
}

/** The form. What was typed is never shown again, and neither is the name of the file. */
export function claimPage(view: ClaimView, refusal?: ClaimRefusal): Answer {
  const { claim, path } = view
  const terms = takeOverTerms(claim)
  const field = refusal && FIELDS[refusal]
  const marks = (name: string) => field === name && html` aria-invalid="true" aria-describedby="problema"`
  const wrong = (name: string) =>
    field === name && refusal && html`<p class="wrong" id="problema">${SENTENCES[refusal](view)}</p>`
  return shell(
    html`${refusal && html`<div class="note" role="alert"><p>${SENTENCES[refusal](view)}</p></div>`}
<p class="lead">Otra cuenta ya creó una empresa con este RUT. Si es tuyo, pruébalo con su certificado digital y pasa a la cuenta
que lo pide, de inmediato.</p>
${about(view)}
<h2>Qué va a pasar</h2>
<ul>${terms.told.map((line) => html`<li>${line}</li>`)}</ul>
<form method="post" action="${path}" enctype="multipart/form-data" autocomplete="off">
<label>Certificado digital (.pfx o .p12)
${certificateFile(marks('file'))}</label>${wrong('file')}
<label>Contraseña del certificado <input type="password" name="password" autocomplete="off" maxlength="200"${marks('password')}></label>${wrong('password')}
<label class="tick"><input type="checkbox" name="agreed" value="yes" required> <span>${terms.agreed}</span></label>
<button>Probar que es mío</button>
</form>
<p class="soft small">Sirve el certificado del propio RUT, el de quien firmó su mandato en nuestra página, o el de una persona a la que el SII deja
actuar por ese RUT: si hace falta, se lo preguntamos en el momento. Si nada de eso alcanza, escríbenos a <a href="mailto:${view.operator_email}">${view.operator_email}</a>.</p>`,
    refusal ? (STATUS[refusal] ?? 422) : 200,
  )
}

export function takenOverPage({ claim }: ClaimView): Answer {
  return messagePage(
    'Listo, el RUT es tuyo',
    `La empresa ${claim.input.legal_name}, RUT ${printedRut(claim.rut)}, quedó en la cuenta ${claim.account_name}, con tu certificado ` +
      'en custodia. Le avisamos por correo, y desde su cuenta siguen los pasos para emitir. Ya puedes cerrar esta página.',
  )
}

/** For who opens the address again, or presses twice: they hold it, so they may know what came of it. */
export function usedClaimPage({ claim }: ClaimView): Answer {
  return messagePage(
    'Este enlace ya se usó',
    `Con él, el RUT ${printedRut(claim.rut)} pasó a la cuenta ${claim.account_name} (${claim.account_email}). No hay nada más que hacer aquí.`,
    { status: 410 },
  )
}
