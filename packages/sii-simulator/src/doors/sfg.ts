import { stampOf } from '../caf/register.ts'
import { santiago } from '../clock.ts'
import { type Answer, type Door, html, json, text } from '../door.ts'
import { changeSession, type SfgState } from '../portal/session.ts'
import { joinRut } from '../rut.ts'
import {
  centralCertificate,
  centralPassword,
  companiesFor,
  enterDocument,
  proposeFolio,
  sfgCompany,
} from '../sfg/desk.ts'
import { signDte, writeDte } from '../sfg/document.ts'
import { FormRefusal, readDraft, SFG_TIPOS, type SfgDraft } from '../sfg/draft.ts'
import { codeOf } from '../sfg/lists.ts'
import { chooserPage, draftPage, launcherPage, previewFields, previewPage, sentPage, signPage } from '../sfg/pages.ts'
import { inChosenCompany, refuseForm, type SfgCompanyStep, type SfgStep, sfgCgi } from './sfg-step.ts'

/** The free portal: a document is filled in, previewed, signed by the SII and sent, page by page. */
export const SFG_DOORS: readonly Door[] = [
  sfgCgi('mipeSelEmpresa.cgi', 'GET', chooser),
  sfgCgi('mipeSelEmpresa.cgi', 'POST', choose),
  sfgCgi('mipeLaunchPage.cgi', 'GET', ({ request }) => html(launcherPage(request.raw_query))),
  sfgCgi('mipeGenFacEx.cgi', 'ANY', (step) => inChosenCompany(step, blankForm)),
  sfgCgi('mipeDisplayPreView.cgi', 'POST', (step) => inChosenCompany(step, preview)),
  sfgCgi('mipeGenXMLFirma.cgi', 'POST', (step) => inChosenCompany(step, askForSignature)),
  sfgCgi('getCertDigital.cgi', 'GET', certificates),
  sfgCgi('postFirmaDigital.cgi', 'POST', sign),
  sfgCgi('mipeSendXML.cgi', 'POST', (step) => inChosenCompany(step, send)),
]

function chooser({ ctx, request, session, action }: SfgStep): Answer {
  const target = request.query.get('DESDE_DONDE_URL') ?? ''
  const companies = companiesFor(ctx, session.rut)
  const [only] = companies
  if (companies.length === 1 && only !== undefined) {
    changeSession(ctx, session, { company: only.rut, draft: null })
    return html(launcherPage(target))
  }
  return html(chooserPage(companies.map(sfgCompany), target, action('mipeSelEmpresa.cgi')))
}

function choose({ ctx, session, form }: SfgStep): Answer {
  const rut = form.get('RUT_EMP') ?? ''
  if (!companiesFor(ctx, session.rut).some((company) => company.rut === rut))
    return refuseForm('Usted no se encuentra autorizado en la empresa seleccionada')
  changeSession(ctx, session, { company: rut, draft: null })
  return html(launcherPage(form.get('DESDE_DONDE_URL') ?? ''))
}

function blankForm({ ctx, request, session, form, company, action }: SfgCompanyStep): Answer {
  const tipo = Number(request.query.get('PTDC_CODIGO') ?? form.get('PTDC_CODIGO'))
  if (!SFG_TIPOS.includes(tipo)) return refuseForm('Tipo de documento no disponible')
  changeSession(ctx, session, { draft: { tipo, form: null, folio: null, plain: null, signed: null } })
  const today = santiago(ctx.clock.now()).date
  return html(draftPage(tipo, sfgCompany(company), today, action('mipeDisplayPreView.cgi')))
}

function preview({ ctx, session, form, action }: SfgCompanyStep): Answer {
  const started = session.draft
  if (started === null) return refuseForm('Debe volver a ingresar el documento')
  const fields = Object.fromEntries(form)
  const read = readOrRefuse(ctx, started, fields)
  if (!('draft' in read)) return read
  const shown = previewFields(fields)
  changeSession(ctx, session, { draft: { ...started, form: shown, folio: null, plain: null, signed: null } })
  return html(previewPage(started.tipo, shown, action('mipeGenXMLFirma.cgi')))
}

function readOrRefuse(
  ctx: SfgStep['ctx'],
  { tipo }: SfgState,
  fields: Record<string, string>,
): { draft: SfgDraft } | Answer {
  try {
    return { draft: readDraft(tipo, fields, santiago(ctx.clock.now()).date) }
  } catch (refusal) {
    if (refusal instanceof FormRefusal) return refuseForm(refusal.message)
    throw refusal
  }
}

/** Writes the document with a folio that is proposed. What comes must be what the preview showed. */
async function askForSignature({ ctx, session, form, company, action }: SfgCompanyStep): Promise<Answer> {
  const started = session.draft
  const shown = started?.form
  if (!started || !shown) return refuseForm('Debe volver a ingresar el documento')
  const changed = Object.entries(shown).some(([name, value]) => (form.get(name) ?? '') !== value)
  if (changed) return refuseForm('Los datos del documento no corresponden a la vista previa')
  const read = readOrRefuse(ctx, started, shown)
  if (!('draft' in read)) return read
  const { folio, caf } = await proposeFolio(ctx, { ambiente: 'produccion', emisor: company.rut, tipo: started.tipo })
  const { date, time } = santiago(ctx.clock.now())
  const stamp = stampOf(caf)
  const plain = writeDte(read.draft, {
    emisor: company.rut,
    emisor_name: company.name,
    folio,
    caf: stamp.caf,
    range_key: stamp.key,
    at: `${date}T${time}`,
  })
  changeSession(ctx, session, { draft: { ...started, folio, plain, signed: null } })
  return html(signPage(plain, folio, { PTDC_CODIGO: started.tipo }, action('mipeSendXML.cgi')))
}

function certificates({ ctx, request, session }: SfgStep): Answer {
  const rut = joinRut(request.query.get('rut'), request.query.get('dv'))
  const has = rut === session.rut && centralPassword(ctx, session.rut, session.company) !== null
  return json(has ? [{ nombre: '1' }] : [])
}

/** The SII signs with the certificate that it keeps. What it says to a wrong password is ours. */
async function sign({ ctx, session, form }: SfgStep): Promise<Answer> {
  const started = session.draft
  const password = centralPassword(ctx, session.rut, session.company)
  if (joinRut(form.get('rut'), form.get('dv')) !== session.rut || form.get('nombre') !== '1' || password === null)
    return text('ERROR: Certificado no encontrado')
  if (form.get('clave') !== password) return text('ERROR: La clave del certificado no es correcta')
  if (form.get('nodo') !== 'dte:DTE' || form.get('nodoId') !== 'dte:Documento')
    return text('ERROR: Nodo a firmar no encontrado')
  if (!started?.plain || sameText(form.get('dato')) !== sameText(started.plain))
    return text('ERROR: El documento no corresponde')
  const { key, certificate } = await centralCertificate(ctx, session.rut)
  const signed = signDte(started.plain, key, certificate)
  changeSession(ctx, session, { draft: { ...started, signed } })
  return { type: 'text/xml', body: Buffer.from(signed, 'latin1') }
}

/** This emits. The signed text comes in whichever field the page's script put it. */
function send({ ctx, session, form, company }: SfgCompanyStep): Answer {
  const started = session.draft
  const signed = started?.signed
  if (!started || !signed || started.folio === null || !started.form) return refuseForm('Firma no reconocida')
  const came = [...form.values()].find((value) => value.includes('<Signature'))
  if (sameText(came ?? '') !== sameText(signed)) return refuseForm('Firma no reconocida')
  const read = readOrRefuse(ctx, started, started.form)
  if (!('draft' in read)) return read
  const document = enterDocument(ctx, company, read.draft, started.folio, signed)
  changeSession(ctx, session, { draft: null })
  return html(sentPage(document.tipo, document.folio, codeOf(document)))
}

/** Browsers send line breaks as two characters, and a textarea drops those around its text. */
function sameText(value: string | null): string {
  return (value ?? '').replaceAll('\r\n', '\n').trim()
}
