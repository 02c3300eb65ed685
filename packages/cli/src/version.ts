import { readFileSync } from 'node:fs'

/** Of the package: its manifest lies beside `dist` and beside `bundle` alike. */
export const VERSION: string = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')).version
