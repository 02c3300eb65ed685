import { readPdf, readPrintable, readXml } from '../../domain/issuing/artifact/read.ts'
import { type OpenedDocument, openDocumentLink, openProposalLink } from '../../domain/issuing/public-link/open.ts'
import { readShared } from '../../domain/tax/f29/share.ts'
import { watermarkOf } from '../../domain/watermark.ts'
import { f29Page } from '../../pages/f29.ts'
import { publicDocumentPage } from '../../pages/public-document.ts'
import type { Ports } from '../../ports/ports.ts'
import { fileAnswer } from '../answers.ts'
import type { PlainRequest, PlainRoute } from '../routes.ts'
import { type SharedLinkParts, sharedLinkRoute } from './shared-link.ts'

export interface DocumentRoutesParts extends SharedLinkParts {
  readonly ports: Ports
}

/** A browser prefers the page; a program that accepts only the file gets it at the same address. */
function acceptsOnlyPdf({ header }: PlainRequest): boolean {
  const accept = header('accept') ?? ''
  return accept.includes('application/pdf') && !accept.includes('text/html')
}

/** The issued document behind a link that was mailed or pasted into a chat. The slug in the path is the only credential. */
export function documentRoutes(parts: DocumentRoutesParts): PlainRoute[] {
  const { sql, ports } = parts
  const route = sharedLinkRoute(parts, openDocumentLink)
  const reading = (link: OpenedDocument) => ({ sql, ports, empresa: link.scope })
  const pdfOf = async (link: OpenedDocument, { query }: PlainRequest) => {
    const { document_id, cedible } = link
    const pdf = await readPdf(reading(link), { document_id, cedible })
    return fileAnswer(pdf, query.descargar === undefined ? 'inline' : 'attachment')
  }
  return [
    {
      path: '/d/{slug}',
      answer: route(async (link, request) => {
        if (acceptsOnlyPdf(request)) return pdfOf(link, request)
        const { params } = request
        const document = await readPrintable(reading(link), link)
        const signed = document.xml_digest !== null
        const watermark = watermarkOf(ports, document.mode)
        return publicDocumentPage({ document, signed, cedible: link.cedible, path: `/d/${params.slug}`, watermark })
      }),
    },
    { path: '/d/{slug}/pdf', answer: route(pdfOf) },
    {
      path: '/d/{slug}/xml',
      answer: route(async (link) => fileAnswer(await readXml(reading(link), link), 'attachment')),
    },
  ]
}

/** The F29 proposal behind the link that an accountant was sent. The slug in the path is the only credential. */
export function f29Routes(parts: DocumentRoutesParts): PlainRoute[] {
  const route = sharedLinkRoute(parts, openProposalLink)
  return [
    {
      path: '/f/{slug}',
      answer: route(async ({ scope, period, now }) =>
        f29Page(await readShared(parts.sql, scope, { period, now }), watermarkOf(parts.ports, scope.mode)),
      ),
    },
  ]
}
