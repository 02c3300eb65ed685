import { join } from 'node:path'

export const SUPERUSER = 'timbre'

export function clusterFolder(dataDir: string): string {
  return join(dataDir, 'postgres')
}
