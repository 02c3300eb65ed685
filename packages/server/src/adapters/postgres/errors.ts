import { StartRefused } from '../../kernel/start-refused.ts'

/** No PostgreSQL can run here on its own. The message is for the person at the terminal: it asks for DATABASE_URL. */
export class EmbeddedPostgresUnavailable extends StartRefused {
  override readonly name = 'EmbeddedPostgresUnavailable'

  constructor(why: string) {
    super(`${why}\nSet DATABASE_URL to a PostgreSQL server (15 or newer) and start again.`)
  }
}

/** Another live process owns this data folder. */
export class DataDirInUse extends StartRefused {
  override readonly name = 'DataDirInUse'
  readonly pid: number

  constructor(dataDir: string, pid: number) {
    super(
      `The data folder ${dataDir} is already in use by process ${pid}.\n` +
        'Stop that process first, or set DATA_DIR to another folder for a second copy.',
    )
    this.pid = pid
  }
}
