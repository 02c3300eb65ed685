import { CEILINGS } from '../../../catalog/limits.ts'
import { listSamples, readSample } from '../../../domain/issuing/certification/shown-samples.ts'
import { readOnboarding } from '../../../domain/platform/onboarding/read.ts'
import { LinkGone } from '../../../domain/platform/onboarding-link/act.ts'
import { PAGES_PATH } from '../../../domain/platform/onboarding-link/mint.ts'
import {
  type OpenedLink,
  openOnboardingLink,
  type PageFacts,
  readPage,
} from '../../../domain/platform/onboarding-link/open.ts'
import type { Answer } from '../../../kernel/answer.ts'
import { nowOf } from '../../../kernel/clock.ts'
import { OwnerGone } from '../../../kernel/owner.ts'
import { Problem } from '../../../kernel/problem.ts'
import { certificateTrouble } from '../../../pages/onboarding/copy.ts'
import { donePage, endedPage, subscriptionPage, tooLatePage } from '../../../pages/onboarding/ends.ts'
import { type OnboardingView, troubleOf } from '../../../pages/onboarding/frame.ts'
import { onboardingPage } from '../../../pages/onboarding/pages.ts'
import { SAMPLES_PATH } from '../../../pages/onboarding/samples.ts'
import { fileAnswer } from '../../answers.ts'
import type { PlainRequest, PlainRoute } from '../../routes.ts'
import { sharedLinkRoute } from '../shared-link.ts'
import { handle } from './acts.ts'
import { materialOf, type OnboardingRoutesParts, pathOf, reading, type Sent, Wrong } from './sent.ts'

/** The step whose page shows printed samples. */
const SAMPLED = 'muestras_impresas'

/** What a page shows, with what was prepared to be approved on it. */
async function viewOf(
  parts: OnboardingRoutesParts,
  link: OpenedLink,
  facts: PageFacts,
  request: PlainRequest,
): Promise<OnboardingView> {
  const material = await materialOf(parts, link)
  const samples = material && link.page === SAMPLED ? await listSamples(parts.sql, link.scope) : []
  return { link, facts, path: pathOf(request), now: nowOf(link.clock), material, samples }
}

async function refusal(sent: Sent, error: unknown): Promise<Answer> {
  const { parts, link, facts, request } = sent
  const { name = '', rut = '', reason = '' } = request.form
  const view = { ...(await viewOf(parts, link, facts, request)), typed: { name, rut, reason } }
  if (error instanceof Wrong) return onboardingPage({ ...view, trouble: troubleOf(error.field) })
  if (error instanceof LinkGone || error instanceof OwnerGone) return tooLatePage()
  if (!(error instanceof Problem)) throw error
  const { code } = error
  const { details } = error.facts
  if (/certificate/.test(code)) {
    const field = details?.reason === 'wrong_password' ? 'certificate_password' : 'certificate'
    return onboardingPage({ ...view, trouble: { field, text: certificateTrouble(details?.reason) } })
  }
  if (code === 'subscription_required') return subscriptionPage(String(details?.checkout_url))
  if (code === 'mandato_terms_outdated') return onboardingPage({ ...view, trouble: troubleOf('changed') })
  if (error.status < 500) return tooLatePage()
  throw error
}

async function submit(parts: OnboardingRoutesParts, link: OpenedLink, request: PlainRequest): Promise<Answer> {
  const facts = link.ended ? null : await readPage(reading(parts, link), link.page)
  if (!facts?.waits) return endedPage(link.ended ?? 'moved')
  const sent = { parts, link, facts, request }
  try {
    const handled = await handle(sent)
    if (typeof handled !== 'string') return handled
    const after = await readPage(reading(parts, link), link.page)
    // The page of the credential may have another thing to ask for.
    if (after?.waits && (handled === 'certificate' || handled === 'credential'))
      return onboardingPage(await viewOf(parts, link, after, request))
    return donePage(handled, await readOnboarding(reading(parts, link)))
  } catch (error) {
    return await refusal(sent, error)
  }
}

async function show(parts: OnboardingRoutesParts, link: OpenedLink, request: PlainRequest): Promise<Answer> {
  const facts = link.ended ? null : await readPage(reading(parts, link), link.page)
  if (!facts?.waits) return endedPage(link.ended ?? 'moved')
  return onboardingPage(await viewOf(parts, link, facts, request))
}

/** The file of a sample, for whoever has the link of the page that shows it, while that page asks for something. */
async function showSample(parts: OnboardingRoutesParts, link: OpenedLink, { params }: PlainRequest): Promise<Answer> {
  const facts = link.ended ? null : await readPage(reading(parts, link), link.page)
  if (!facts?.waits) return endedPage(link.ended ?? 'moved')
  const sample = link.page === SAMPLED ? await readSample(parts.sql, link.scope, params.file_id ?? '') : null
  if (!sample) return endedPage('moved')
  const file = fileAnswer(sample, 'inline')
  // A policy that forbids more than this keeps browsers from drawing the PDF.
  return { ...file, headers: { ...file.headers, 'Content-Security-Policy': "frame-ancestors 'none'; base-uri 'none'" } }
}

/** Pages where a person does a step of an onboarding. The slug is the only credential; opening one changes nothing. */
export function onboardingRoutes(parts: OnboardingRoutesParts): PlainRoute[] {
  const route = sharedLinkRoute(parts, openOnboardingLink)
  const path = `${PAGES_PATH}/{slug}`
  return [
    { path, answer: route((link, request) => show(parts, link, request)) },
    {
      path: `${path}/${SAMPLES_PATH}/{file_id}`,
      answer: route((link, request) => showSample(parts, link, request)),
    },
    {
      path,
      method: 'POST',
      takes_file: true,
      body_bytes: CEILINGS.certificate_body_bytes,
      answer: route((link, request) => submit(parts, link, request)),
    },
  ]
}
