import { type Answer, type Door, html } from '../door.ts'
import { messagePage } from '../portal/page.ts'
import { emitted, received, textOf } from '../register/documents.ts'
import { BACKUP_CAP, listed, narrowed, readFilter } from '../sfg/lists.ts'
import { listPage } from '../sfg/pages.ts'
import type { SiiDocument } from '../state/types.ts'
import { BOLETAS } from '../tipos.ts'
import { inChosenCompany, type SfgCompanyStep, sfgCgi } from './sfg-step.ts'

/** The free portal's lists and the backup of the documents' own XML, sent and received. */
export const SFG_LIST_DOORS: readonly Door[] = [
  sfgCgi('mipeAdminDocsEmi.cgi', 'GET', (step) => inChosenCompany(step, (known) => list(known, true))),
  sfgCgi('mipeAdminDocsRcp.cgi', 'GET', (step) => inChosenCompany(step, (known) => list(known, false))),
  sfgCgi('mipeDownLoad.cgi', 'GET', (step) => inChosenCompany(step, backup)),
  sfgCgi('mipeDisplayPDF.cgi', 'GET', () =>
    html(messagePage('Visualización de documento', 'El simulador no imprime documentos')),
  ),
]

/** Boletas are no part of this portal. */
function documentsOf({ ctx, request, company }: SfgCompanyStep, sent: boolean): SiiDocument[] {
  const all = sent ? emitted(ctx, company.rut, 'produccion') : received(ctx, company.rut, 'produccion')
  const facturas = all.filter(({ tipo }) => !BOLETAS.includes(tipo))
  return narrowed(facturas, readFilter(request.query), sent)
}

function list(step: SfgCompanyStep, sent: boolean): Answer {
  const rows = documentsOf(step, sent).map((document) => listed(document, sent))
  const page = Math.max(1, Number(step.request.query.get('NUM_PAG')) || 1)
  const [title, manage] = sent
    ? ['Documentos emitidos', 'mipeGesDocEmi.cgi']
    : ['Documentos recibidos', 'mipeGesDocRcp.cgi']
  return html(listPage(title, manage, rows, page))
}

/** At most twenty, and no word about the others. How the real file wraps them is not known. */
function backup(step: SfgCompanyStep): Answer {
  const { query } = step.request
  if (query.get('DOWNLOAD') !== 'XML') return html(messagePage('Respaldo', 'Formato no disponible'))
  const texts = documentsOf(step, query.get('ORIGEN') !== 'RCP')
    .slice(0, BACKUP_CAP)
    .map((document) => textOf(step.ctx, document))
  const body = [
    '<?xml version="1.0" encoding="ISO-8859-1"?>',
    '<SetDTE xmlns="http://www.sii.cl/SiiDte">',
    ...texts,
    '</SetDTE>',
    '',
  ]
  return {
    type: 'application/octet-stream',
    headers: { 'Content-Disposition': 'attachment; filename="DTE_DOWN.xml"' },
    body: Buffer.from(body.join('\n'), 'latin1'),
  }
}
