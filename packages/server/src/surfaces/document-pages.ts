import { readIssued, readPdf, readXml } from '../modules/artifact/read.ts'
import { type OpenedLink, openLink } from '../modules/public-link/open.ts'
import { publicDocumentPage } from '../pages/public-document.ts'
import type { Ports } from '../ports/ports.ts'
import type { PlainRoute } from './http-server.ts'
import { fileAnswer, type SharedLinkParts, sharedBy } from './shared-link.ts'

export interface DocumentPagesParts extends SharedLinkParts {
  readonly ports: Ports
}

/** What the link of a letter or a chat leads to. The slug in the path is the only credential. */
export function documentPages(parts: DocumentPagesParts): PlainRoute[] {
  const { sql, ports } = parts
  const shown = sharedBy(parts, openLink)
  const reading = (link: OpenedLink) => ({ sql, ports, empresa: link.scope })
  return [
    {
      path: '/d/{slug}',
      answer: shown(async (link, { params }) => {
        const document = await readIssued(reading(link), link)
        const signed = document.xml_digest !== null
        return publicDocumentPage({ document, signed, cedible: link.cedible, path: `/d/${params.slug}` })
      }),
    },
    {
      path: '/d/{slug}/pdf',
      answer: shown(async (link, { query }) => {
        const { document_id, cedible } = link
        const pdf = await readPdf(reading(link), { document_id, cedible })
        return fileAnswer(pdf, query.descargar === undefined ? 'inline' : 'attachment')
      }),
    },
    {
      path: '/d/{slug}/xml',
      answer: shown(async (link) => fileAnswer(await readXml(reading(link), link), 'attachment')),
    },
  ]
}
