import { mkdir, realpath } from 'node:fs/promises'
import { prepareCluster } from './cluster.ts'
import { EmbeddedPostgresUnavailable } from './errors.ts'
import { type FolderLock, lockFolder } from './folder-lock.ts'
import { chooseListener } from './listener.ts'
import { capLog, watchLogSize } from './log-file.ts'
import { prepareServiceRole } from './service-role.ts'
import { SERVICE, SUPERUSER, serverSettings } from './settings.ts'
import { supervise } from './supervisor.ts'

export { DataDirInUse, EmbeddedPostgresUnavailable } from './errors.ts'

export interface EmbeddedPostgres {
  /** For the driver: a unix socket inside DATA_DIR, or a loopback port on Windows. The role there owns its database, no more. */
  url: string
  /** The same for the superuser: for tests that arrange or break something. */
  superuser_url: string
  /** Of the server, such as 17.10. */
  version: string
  /** True when a server orphaned by kill -9 was found healthy and taken over. */
  adopted: boolean
  /** Cuts every session, waits until all is on disk and the server is gone, and frees the folder. */
  stop(): Promise<void>
}

export interface EmbeddedPostgresOptions {
  dataDir: string
  /** False skips fsync: for tests, whose data need not survive the machine. */
  durable?: boolean
  maxConnections?: number
  /** Told as soon as the folder is ours, before the server runs. */
  onOwned?(): void
  /** Told when the server is being made or has been launched, and nothing is left but to wait for it. */
  onWaiting?(): void
  onLog?(line: string): void
  /** Told each time the server dies under us; it is already being started again. */
  onExit?(reason: string): void
}

/**
 * Runs the PostgreSQL that npm installed over a folder of ours, and keeps it running until `stop`. One process at a time
 * may hold a folder; a server left behind by a killed one is taken over or stopped, never doubled.
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const { durable = true, maxConnections = 100 } = options
  const { onWaiting = () => undefined, onLog = () => undefined, onExit = () => undefined } = options
  const { dataDir, lock } = await claimFolder(options.dataDir)
  options.onOwned?.()
  try {
    const listener = await chooseListener(dataDir)
    const cluster = await prepareCluster(dataDir, listener, {
      settings: serverSettings({ durable, maxConnections }),
      onWaiting,
    })
    await capLog(cluster.logFile)
    const supervisor = await supervise(cluster, { onWaiting, onLog, onExit })
    const unwatchLog = watchLogSize(cluster.logFile, onLog)
    const stop = async () => {
      unwatchLog()
      await supervisor.stop()
      await listener.close()
      await lock.release()
    }
    await prepareServiceRole(listener, SUPERUSER).catch(async (error: unknown) => {
      await supervisor.stop()
      throw error
    })
    let stopped: Promise<void> | undefined
    return {
      url: listener.urlOf(SERVICE),
      superuser_url: listener.urlOf(SUPERUSER),
      version: cluster.binaries.version,
      adopted: supervisor.adopted,
      stop: () => {
        stopped ??= stop()
        return stopped
      },
    }
  } catch (error) {
    await lock.release()
    throw error
  }
}

async function claimFolder(wanted: string): Promise<{ dataDir: string; lock: FolderLock }> {
  try {
    await mkdir(wanted, { recursive: true, mode: 0o711 })
    const dataDir = await realpath(wanted)
    return { dataDir, lock: await lockFolder(dataDir) }
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code !== 'EACCES' && code !== 'EPERM' && code !== 'EROFS') throw error
    throw new EmbeddedPostgresUnavailable(
      `The data folder ${wanted} cannot be written by this user. Set DATA_DIR to a folder of yours, or:`,
    )
  }
}
