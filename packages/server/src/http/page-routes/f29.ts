import { openProposalLink } from '../../domain/issuing/public-link/open.ts'
import { readShared } from '../../domain/tax/f29/share.ts'
import { f29Page } from '../../pages/f29.ts'
import type { PlainRoute } from '../server.ts'
import { type SharedLinkParts, sharedBy } from './shared-link.ts'

/** What the link that an accountant got leads to. The slug in the path is the only credential. */
export function f29Pages(parts: SharedLinkParts): PlainRoute[] {
  const shown = sharedBy(parts, openProposalLink)
  return [
    {
      path: '/f/{slug}',
      answer: shown(async ({ scope, period }) => f29Page(await readShared(parts.sql, scope, period))),
    },
  ]
}
