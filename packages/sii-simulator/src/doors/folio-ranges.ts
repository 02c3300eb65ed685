import { annulFolios, annulledIn, rangesOf } from '../caf/register.ts'
import { type Answer, type Door, html } from '../door.ts'
import { annulPage, companyPage, downloadPage, historyPage, rangesPage, reobtainPage } from '../portal/folio-pages.ts'
import { messagePage, refusalPage } from '../portal/page.ts'
import type { Caf } from '../state/types.ts'
import { may } from '../taxpayers.ts'
import type { CgiStep } from './cgi.ts'
import { cafFile, fileFields, rangeOf } from './folio-file.ts'
import { cgi, inSeries, refuse, type SeriesStep } from './folio-step.ts'

/** Folios that were given out before: to re-obtain their file, to annul them, to look them up. */
export const RANGE_DOORS: readonly Door[] = [
  ...listing('rf_reobtencion1_folios', 'rf_reobtencion2_folios', 'rf_reobtencion3_folios', 'Reobtención de folios'),
  cgi('rf_reobtencion3_folios', 'POST', (step) =>
    inRange(step, ({ ctx, fields, action }, caf) =>
      html(reobtainPage(fields, rangeOf(ctx, caf), annulledIn(ctx, caf), action)),
    ),
  ),
  cgi('rf_genera_folio', 'POST', (step) =>
    inRange(step, ({ fields, action }, caf) =>
      html(downloadPage('rf_genera_archivo', { ...fields, ...fileFields(caf) }, action)),
    ),
  ),
  cgi('rf_genera_archivo', 'POST', (step) => inRange(step, (_, caf) => cafFile(caf))),
  ...listing('af_anular1', 'af_anular2', 'af_anular3', 'Anulación de folios'),
  cgi('af_anular3', 'POST', (step) =>
    inRange(step, ({ ctx, fields, action }, caf) => html(annulPage(fields, rangeOf(ctx, caf), action))),
  ),
  cgi('af_anular', 'POST', (step) => inRange(step, annul)),
  cgi('of_consulta_folio', 'GET', ({ action }) =>
    html(companyPage('Consulta de folios', 'of_consulta2_folio', action)),
  ),
  cgi('of_consulta2_folio', 'POST', (step) =>
    inSeries(step, 'solicitar_folios', ({ ctx, series }) =>
      html(historyPage(rangesOf(ctx, series).map((caf) => rangeOf(ctx, caf)))),
    ),
  ),
]

/** The two pages that open a flow over ranges that were given out before. */
function listing(first: string, second: string, third: string, title: string): Door[] {
  return [
    cgi(first, 'GET', ({ action }) => html(companyPage(title, second, action))),
    cgi(second, 'POST', (step) =>
      inSeries(step, 'solicitar_folios', ({ ctx, series, fields, action }) => {
        const ranges = rangesOf(ctx, series).map((caf) => rangeOf(ctx, caf))
        return html(rangesPage(title, third, fields, ranges, action))
      }),
    ),
  ]
}

/** A flow over a range that is on the books: found by its first folio. */
function inRange(step: CgiStep, act: (step: SeriesStep, caf: Caf) => Answer) {
  return inSeries(step, 'solicitar_folios', (known) => {
    const from = Number(step.form.get('FOLIO_INI'))
    const to = Number(step.form.get('FOLIO_FIN'))
    const caf = rangesOf(known.ctx, known.series).find(({ desde, hasta }) => desde === from && hasta === to)
    if (caf === undefined) return html(messagePage('Folios', 'No se encontraron folios autorizados para el rango'))
    return act(known, caf)
  })
}

function annul({ ctx, session, form, series }: SeriesStep, caf: Caf): Answer {
  if (!may(ctx, session.rut, 'anular_folios', series.emisor)) return refuse('permission')
  const from = Number(form.get('FOLIO_INI_A'))
  const to = Number(form.get('FOLIO_FIN_A'))
  if ((form.get('MOTIVO') ?? '').trim() === '') return html(refusalPage('Debe ingresar el motivo de la anulación'))
  const reason = annulFolios(ctx, caf, from, to, session.rut)
  if (reason !== null) return html(messagePage('Anulación de folios', reason))
  return html(messagePage('Anulación de folios', `El SII ha autorizado la anulación de los folios ${from} al ${to}`))
}
