import { readFile } from 'node:fs/promises'
import { loadIndicatorsFile } from './domain/platform/indicator/load.ts'
import { IndicatorsRefused } from './domain/platform/indicator/parse.ts'
import { troubleOf, withOwnDatabase } from './own-database.ts'

const USAGE = `Loads the UTM, the UF, the IPC and the interest of late payments.

  npm run load-indicators -- FILE

FILE is a CSV of ours, with a dot before decimals:

  indicator,period,value
  utm,2026-03,69889                 whole pesos, by month
  uf,2026-03-09,39841.72            pesos, by day
  ipc,2026-03,110.42                the index of the INE, by month, of one base for every month
  interest,2026-07,0.0222222222     percent for each day of delay, by the first month of the half year

A wrong line refuses the whole file and is named. A figure that was loaded before is replaced.
It loads into DATABASE_URL, or into the embedded database under DATA_DIR, whether the service is running or not.`

async function readText(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    throw new IndicatorsRefused(`${path} cannot be read: ${(error as NodeJS.ErrnoException).code}.`)
  }
}

async function main(paths: readonly string[]): Promise<void> {
  const [path] = paths
  if (path === undefined || paths.length > 1 || path.startsWith('--')) throw new IndicatorsRefused(USAGE)
  const text = await readText(path)
  const say = (line: string) => console.log(line)
  const loaded = await withOwnDatabase(say, (db) => loadIndicatorsFile(db, text))
  say(`${loaded.toLocaleString('en-US')} figures loaded. They are in use from the next computation on.`)
}

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130))

await main(process.argv.slice(2)).catch((error: unknown) => {
  console.error(troubleOf(error, IndicatorsRefused))
  process.exitCode = 1
})
