import { authoriseRange, newRangeKeys, nextFolio, rangesOf, rationOf } from '../caf/register.ts'
import { santiago } from '../clock.ts'
import { type Answer, type Door, html, text } from '../door.ts'
import { companyPage, downloadPage, firstFolioPage, generatePage, offerPage } from '../portal/folio-pages.ts'
import { loginBounce, messagePage, refusalPage } from '../portal/page.ts'
import { changeSession } from '../portal/session.ts'
import { BOLETAS, LAST_FOLIO } from '../tipos.ts'
import type { CompanyStep } from './cgi.ts'
import { cafFile, fileFields, personOf } from './folio-file.ts'
import { cgi, inCompany, inSeries, refuse, type SeriesStep, tiposOf } from './folio-step.ts'

/** The five steps by which folios are asked for (no web service exists). */
export const FOLIO_DOORS: readonly Door[] = [
  cgi('of_solicita_folios', 'GET', ({ ctx, session, action }) => {
    changeSession(ctx, session, { folios_opened: true })
    return html(companyPage('Solicitud de Timbraje Electrónico', 'of_solicita_folios_dcto', action))
  }),
  cgi('of_solicita_folios_dcto', 'POST', (step) => inCompany(step, 'solicitar_folios', offer)),
  cgi('of_confirma_folio', 'POST', (step) => inSeries(step, 'solicitar_folios', confirm)),
  cgi('of_genera_folio', 'POST', (step) => inSeries(step, 'solicitar_folios', generate)),
  cgi('of_genera_archivo', 'POST', (step) => inSeries(step, 'solicitar_folios', download)),
]

function offer({ ctx, request, session, form, action, company, fields }: CompanyStep): Answer {
  if (!session.folios_opened) return html(loginBounce(`https://${request.host}${request.path}`))
  const tipos = tiposOf(company, request.ambiente)
  const asked = form.get('COD_DOCTO') ?? ''
  if (asked === '') return html(offerPage({ company: fields, tipos, chosen: null }, action))
  const tipo = Number(asked)
  if (!tipos.includes(tipo)) return refuse('option')
  const ration = rationOf(ctx, { ambiente: request.ambiente, emisor: company.rut, tipo })
  if (ration.refused) return refuse('rationing')
  const chosen = { tipo, max: ration.max_per_request, available: ration.unused }
  return html(offerPage({ company: fields, tipos, chosen }, action))
}

function confirm(step: SeriesStep): Answer {
  const { ctx, request, session, form, action, fields, series } = step
  if (!session.folios_opened) return html(loginBounce(`https://${request.host}${request.path}`))
  const quantity = quantityOf(step)
  if (typeof quantity !== 'number') return quantity
  const from = nextFolio(ctx, series)
  // Boletas ask to confirm the first folio apart.
  if (BOLETAS.includes(series.tipo) && (form.get('FOLIO_INICIAL') ?? '') === '') {
    const blank = { AFECTO_IVA: '', ANOTACION: '', FACTOR: '' }
    const asked = { COD_DOCTO: series.tipo, CANT_DOCTOS: quantity, FOLIO_INICIAL: from }
    return html(firstFolioPage({ ...fields, ...asked, ...blank }, action))
  }
  const { date, time } = santiago(ctx.clock.now())
  const [year = '', month = '', day = ''] = date.split('-')
  const [hour = '', minute = ''] = time.split(':')
  const offered = {
    NOMUSU: personOf(ctx, session.rut),
    ...fields,
    COD_DOCTO: series.tipo,
    CANT_DOCTOS: quantity,
    FOLIO_INI: from,
    FOLIO_FIN: from + quantity - 1,
    DIA: day,
    MES: month,
    ANO: year,
    HORA: hour,
    MINUTO: minute,
    AFECTO_IVA: '',
    ANOTACION: '',
    FACTOR: '',
  }
  return html(generatePage(offered, action))
}

/** The act that issues folios. What the browser adds by itself and the page does not show must be there. */
async function generate(step: SeriesStep): Promise<Answer> {
  const { ctx, session, form, action, fields, series } = step
  if (form.get('CON_CREDITO') !== '0' || form.get('CON_AJUSTE') !== '0') return html('')
  const keys = await newRangeKeys(ctx)
  const today = santiago(ctx.clock.now()).date
  if (today !== `${form.get('ANO')}-${form.get('MES')}-${form.get('DIA')}`)
    return html(refusalPage('FECHA NO CORRESPONDE'))
  const from = Number(form.get('FOLIO_INI'))
  const to = Number(form.get('FOLIO_FIN'))
  const given = rangesOf(ctx, series).find(({ desde, hasta }) => desde <= to && from <= hasta)
  if (given !== undefined)
    return html(refusalPage(`Para el documento ya fue autorizado el rango desde ${given.desde} hasta ${given.hasta}`))
  const quantity = quantityOf(step)
  if (typeof quantity !== 'number') return quantity
  if (from !== nextFolio(ctx, series) || to !== from + quantity - 1 || to > LAST_FOLIO)
    return html(refusalPage('El rango de folios no corresponde al ofrecido'))
  const caf = authoriseRange(ctx, series, { from, to }, session.rut, keys)
  return html(downloadPage('of_genera_archivo', { ...fields, ...fileFields(caf) }, action))
}

function download({ ctx, request, form, series }: SeriesStep): Answer {
  if (!request.headers.referer) return text('Error 500--Internal Server Error', 500)
  const from = Number(form.get('FOLIO_INI'))
  const caf = rangesOf(ctx, series).find(({ desde }) => desde === from)
  if (caf === undefined) return html(messagePage('Error', 'DTE-OFGA: no fue posible generar el archivo'))
  return cafFile(caf)
}

function quantityOf({ ctx, form, series }: SeriesStep): number | Answer {
  const quantity = Number(form.get('CANT_DOCTOS'))
  if (!Number.isSafeInteger(quantity) || quantity < 1)
    return html(refusalPage('Debe ingresar la cantidad de documentos a timbrar'))
  const ration = rationOf(ctx, series)
  if (ration.refused) return refuse('rationing')
  if (quantity > ration.max_per_request)
    return html(refusalPage('La cantidad de documentos a timbrar debe ser menor o igual al máximo autorizado'))
  return quantity
}
