import { readPdf, readPrintable, readXml } from '../../domain/issuing/artifact/read.ts'
import { type OpenedDocument, openDocumentLink } from '../../domain/issuing/public-link/open.ts'
import { publicDocumentPage } from '../../pages/public-document.ts'
import type { Ports } from '../../ports/ports.ts'
import type { PlainRequest, PlainRoute } from '../server.ts'
import { fileAnswer, type SharedLinkParts, sharedBy } from './shared-link.ts'

export interface DocumentPagesParts extends SharedLinkParts {
  readonly ports: Ports
}

/** A browser asks for a page before anything else; a program that names the file gets it at the very address. */
function asksForPdf({ header }: PlainRequest): boolean {
  const accept = header('accept') ?? ''
  return accept.includes('application/pdf') && !accept.includes('text/html')
}

/** What the link of a letter or a chat leads to. The slug in the path is the only credential. */
export function documentPages(parts: DocumentPagesParts): PlainRoute[] {
  const { sql, ports } = parts
  const shown = sharedBy(parts, openDocumentLink)
  const reading = (link: OpenedDocument) => ({ sql, ports, empresa: link.scope })
  const pdfOf = async (link: OpenedDocument, { query }: PlainRequest) => {
    const { document_id, cedible } = link
    const pdf = await readPdf(reading(link), { document_id, cedible })
    return fileAnswer(pdf, query.descargar === undefined ? 'inline' : 'attachment')
  }
  return [
    {
      path: '/d/{slug}',
      answer: shown(async (link, request) => {
        if (asksForPdf(request)) return pdfOf(link, request)
        const { params } = request
        const document = await readPrintable(reading(link), link)
        const signed = document.xml_digest !== null
        return publicDocumentPage({ document, signed, cedible: link.cedible, path: `/d/${params.slug}` })
      }),
    },
    { path: '/d/{slug}/pdf', answer: shown(pdfOf) },
    {
      path: '/d/{slug}/xml',
      answer: shown(async (link) => fileAnswer(await readXml(reading(link), link), 'attachment')),
    },
  ]
}
