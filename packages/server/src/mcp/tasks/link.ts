/** A link to the PDF of a document, which the client reads when somebody wants to see it. */
export function pdfLink(
  noun: 'documents' | 'received_documents',
  id: string,
  named: { said: string; empresa?: string | undefined },
) {
  const query = named.empresa === undefined ? '' : `?empresa=${encodeURIComponent(named.empresa)}`
  return {
    type: 'resource_link',
    uri: `timbre://${noun}/${id}/pdf${query}`,
    name: `${id}.pdf`,
    description: named.said,
    mimeType: 'application/pdf',
  }
}
