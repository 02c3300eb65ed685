import { join } from 'node:path'
import type { Api, Page } from '../api/api.ts'
import { stateFolder } from '../config/env.ts'
import { CliError } from '../exit.ts'
import { type Checkpoint, loadCheckpoint, newSecret, saveCheckpoint } from './checkpoint.ts'
import { NONE_SEEN } from './replays.ts'

interface Asked {
  readonly file: string | undefined
  readonly from: string | undefined
}

export interface Place {
  readonly file: string
  readonly checkpoint: Checkpoint
  /** Whether an earlier run left off here. */
  readonly resumed: boolean
}

/** Where the checkpoint of this account and mode lies. */
export async function placeOf(api: Api, file: string | undefined): Promise<{ file: string; account: string }> {
  const { id: account } = await api.call<{ id: string }>('GET', '/account')
  return { account, file: file ?? join(stateFolder(), 'listen', `${account}-${api.mode}.json`) }
}

/** Under its lock: where to begin, written down before anything is sent, so that a disk that is full is told now. */
export async function openPlace(
  api: Api,
  { account, file }: { account: string; file: string },
  { from }: Asked,
): Promise<Place> {
  const known = loadCheckpoint(file)
  if (known && (known.account !== account || known.mode !== api.mode)) {
    const remedy =
      'Name another with --checkpoint: this one would skip events of one account or repeat those of the other.'
    throw new CliError('usage', `${file} is the checkpoint of account ${known.account} in ${known.mode} mode.`, remedy)
  }
  const after = from === undefined && known ? known.after : await startOf(api, from ?? 'now')
  const done_at = from === undefined && known ? known.done_at : new Date().toISOString()
  const checkpoint: Checkpoint = {
    version: 1,
    account,
    mode: api.mode,
    after,
    done_at,
    deliveries: known?.deliveries ?? NONE_SEEN,
    secret: known?.secret ?? newSecret(),
  }
  saveCheckpoint(file, checkpoint)
  return { file, checkpoint, resumed: known !== null && from === undefined }
}

/** The event to begin after; null for the beginning of the ledger. */
async function startOf(api: Api, from: string): Promise<string | null> {
  if (from === 'start') return null
  if (/^evt_\w+$/.test(from)) return from
  if (from !== 'now')
    throw new CliError('usage', `--from cannot be "${from}".`, 'It is now, start or the id of an event.')
  const { data } = await api.call<Page<{ id: string }>>('GET', '/events', { query: { limit: 1 } })
  return data[0]?.id ?? null
}
