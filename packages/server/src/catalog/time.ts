import { DAY_MS } from '@timbre/dte/values'

export const HOUR_SECONDS = 3_600
export const DAY_SECONDS = DAY_MS / 1000
