import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** Whether the same sale may go through later: no network, a limit, a fault of the service or of the SII. */
const isTemporary = ({ retriable, status }) =>
  retriable === true || status === undefined || status === 429 || status >= 500

/** Sales that wait to be issued, a file each, in the order of their names. One that was refused is set aside with the reason. */
export async function openQueue(folder) {
  const refused = join(folder, 'refused')
  await mkdir(refused, { recursive: true })
  const waiting = async () => (await readdir(folder)).filter((name) => name.endsWith('.json')).sort()
  return {
    waiting,

    // #region push
    /** On disk before anything is sent, and never half of it: what was sold is not lost with the power. */
    async push(sale) {
      const file = join(folder, `${sale.external_id}.json`)
      await writeFile(`${file}.part`, JSON.stringify(sale), { flush: true })
      await rename(`${file}.part`, file)
    },
    // #endregion

    // #region drain
    /** Sends what waits, oldest first. Gives what stopped it, or null where nothing is left. */
    async drain(issue) {
      for (const name of await waiting()) {
        const file = join(folder, name)
        const sale = JSON.parse(await readFile(file, 'utf8'))
        try {
          await issue(sale)
        } catch (error) {
          if (isTemporary(error)) return error
          const { code, message, hint } = error
          await writeFile(join(refused, name), JSON.stringify({ sale, code, message, hint }, null, 2))
        }
        await rm(file)
      }
      return null
    },
    // #endregion
  }
}
