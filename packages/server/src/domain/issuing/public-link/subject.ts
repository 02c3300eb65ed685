/** What a link opens. Whoever makes one proves first that the caller reaches it. */
export type LinkSubject = { readonly document_id: string } | { readonly f29_period: string }

/** Where the page of a subject is, under the base of public links. */
export function pathOf(subject: LinkSubject, slug: string): string {
  return 'document_id' in subject ? `/d/${slug}` : `/f/${slug}`
}
