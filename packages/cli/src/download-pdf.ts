import type { Api, ApiRequest } from './api/api.ts'
import { CliError } from './exit.ts'

interface Pdf {
  readonly bytes: Uint8Array
  readonly filename: string
}

/** Its name is one of a PDF whatever the server says: it is written here, over a file that may be there. */
export async function downloadPdf(api: Api, id: string, query: NonNullable<ApiRequest['query']>): Promise<Pdf> {
  const answer = await api.download(`/documents/${encodeURIComponent(id)}/pdf`, { query })
  const { bytes, contentType, filename } = answer
  if (!/^application\/pdf\b/.test(contentType)) {
    const remedy = 'TIMBRE_URL is the address of something else, or a proxy stands in between.'
    throw new CliError('unreachable', `${api.url} answers ${contentType} in place of a PDF.`, remedy)
  }
  const named = filename !== null && /^[\w-][\w.-]{0,100}\.pdf$/i.test(filename)
  return { bytes, filename: named ? filename : `${id.replace(/[^\w-]/g, '') || 'document'}.pdf` }
}
