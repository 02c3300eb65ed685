import type { Answer } from '../kernel/answer.ts'
import type { Operation } from '../kernel/operation.ts'
import { changelogFeed, changelogPage, readChangelog } from '../pages/changelog.ts'
import { errorPage, errorsPage } from '../pages/errors.ts'
import { eventsPage } from '../pages/events.ts'
import { landingPage } from '../pages/landing.ts'
import { limitsPage } from '../pages/limits.ts'
import { referencePage } from '../pages/reference.ts'
import type { Addresses } from '../ports/ports.ts'
import type { PlainRoute } from './http-server.ts'

/** Written when it is first asked for: nothing a page shows changes while the process lives. */
function once(make: () => Answer | Promise<Answer>): () => Promise<Answer> {
  let made: Promise<Answer> | null = null
  return () => {
    made ??= Promise.resolve(make())
    return made
  }
}

/** The documentation of this very version, for people. */
export function docsRoutes(operations: readonly Operation[], addresses: Addresses): PlainRoute[] {
  const log = readChangelog()
  return [
    { path: '/', answer: () => landingPage(addresses) },
    { path: '/docs', answer: once(() => referencePage(operations, addresses)) },
    { path: '/docs/errors', answer: once(errorsPage) },
    { path: '/docs/errors/{code}', answer: ({ params }) => errorPage(params.code ?? '', operations, addresses) },
    { path: '/docs/events', answer: once(eventsPage) },
    { path: '/docs/limits', answer: once(() => limitsPage(operations)) },
    { path: '/changelog', answer: once(async () => changelogPage(await log)) },
    { path: '/changelog.rss', answer: once(async () => changelogFeed(await log, addresses)) },
  ]
}
