import { CERTIFICATE_ROUTES } from './certificates.ts'
import { CERTIFICATION_ROUTES } from './certifications.ts'
import { CLOCK_ROUTES } from './clock.ts'
import { FILING_ROUTES } from './filings.ts'
import { FOLIO_ROUTES } from './folios.ts'
import { PAGE_ROUTES } from './page.ts'
import type { ControlRoute } from './route.ts'
import { SCRIPT_ROUTES } from './scripts.ts'
import { STATE_ROUTES } from './state.ts'
import { TAXPAYER_ROUTES } from './taxpayers.ts'

/** The simulator's own addresses. A new file of them is named here. */
export const CONTROL_ROUTES: readonly ControlRoute[] = [
  ...STATE_ROUTES,
  ...CLOCK_ROUTES,
  ...SCRIPT_ROUTES,
  ...TAXPAYER_ROUTES,
  ...CERTIFICATE_ROUTES,
  ...FILING_ROUTES,
  ...FOLIO_ROUTES,
  ...CERTIFICATION_ROUTES,
  ...PAGE_ROUTES,
]
