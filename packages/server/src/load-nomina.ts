import { isCivilDate } from '@timbre/dte/values'
import { NominaRefused } from './domain/issuing/contribuyente/layout.ts'
import { type FileReport, loadNomina } from './domain/issuing/contribuyente/load-nomina.ts'
import { troubleOf, withOwnDatabase } from './own-database.ts'

const USAGE = `Loads the published nómina of contribuyentes of the SII.

  npm run load-nomina -- PUB_NOMBRES_PJ.zip PUB_NOM_ACTECOS.zip PUB_NOM_DIRECCIONES.zip
  npm run load-nomina -- ce_empresas_dwnld.csv --published-at=2026-11-16

The second is the list of electronic taxpayers, with the exchange mailboxes that documents are sent to; the SII gives it to
whoever has a session (Consulta de contribuyentes autorizados). The other files are at https://www.sii.cl/estadisticas/nominas/ and may be given as .zip or unpacked .txt. Those not given stay
as they were loaded before. --published-at=YYYY-MM-DD says when they were published; a .zip says so itself.
It loads into DATABASE_URL, or into the embedded database under DATA_DIR, whether the service is running or not.`

function readArguments(args: readonly string[]): { paths: string[]; published_on?: string } {
  const options = args.filter((arg) => arg.startsWith('--'))
  const paths = args.filter((arg) => !arg.startsWith('--'))
  const dates = options.map((option) => /^--published-at=(.*)$/.exec(option)?.[1])
  const [published_on] = dates
  if (paths.length === 0 || dates.includes(undefined)) throw new NominaRefused(USAGE)
  if (published_on === undefined) return { paths }
  if (!isCivilDate(published_on)) throw new NominaRefused('--published-at must be a date such as 2026-08-23.')
  return { paths, published_on }
}

function describe(report: FileReport): string[] {
  const { file, rows, refused, first_refused } = report
  const left_out = refused === 0 ? '' : `, ${refused.toLocaleString('en-US')} left out`
  const lines = first_refused.map(({ line, why }) => `  line ${line}: ${why}`)
  if (refused > first_refused.length) lines.push(`  and ${refused - first_refused.length} more`)
  return [`${file}: ${rows.toLocaleString('en-US')} rows loaded${left_out}`, ...lines]
}

async function main(args: readonly string[]): Promise<void> {
  const { paths, published_on } = readArguments(args)
  const say = (line: string) => console.log(line)
  await withOwnDatabase(say, async (db) => {
    const reports = await loadNomina(db, paths, { onProgress: say, ...(published_on && { published_on }) })
    for (const line of reports.flatMap(describe)) say(line)
    say('The nómina is in use from now on.')
  })
}

// exit() also stops a database that was started here; the load is rolled back and the old data serves on.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130))

await main(process.argv.slice(2)).catch((error: unknown) => {
  console.error(troubleOf(error, NominaRefused))
  process.exitCode = 1
})
