import type { PlainRequest } from './routes.ts'

/**
 * A form of ours comes from a page of ours. Older browsers name its origin at most, and none for a page that sends no
 * referrer; there what the form must know besides (a Lax cookie, the slug of the page) answers for it.
 */
export function isCrossSite({ header }: Pick<PlainRequest, 'header'>, public_url: string): boolean {
  const site = header('sec-fetch-site')
  if (site !== undefined) return !['same-origin', 'none'].includes(site)
  return ![public_url, 'null', undefined].includes(header('origin'))
}
