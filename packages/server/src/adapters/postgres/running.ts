import { chooseDoor } from './door.ts'
import { knock } from './knock.ts'

/**
 * Where the server of a folder listens that another process of ours keeps, or null where that cannot be known: on
 * Windows it is a port only that process knows.
 */
export async function runningServerUrl(dataDir: string): Promise<string | null> {
  if (process.platform === 'win32') return null
  const { url, address } = await chooseDoor(dataDir)
  return (await knock(address, 5_000)) ? url : null
}
