/**
 * Files that can be made again from what the database holds. A key is a path of ours: `account/empresa/…`, letters,
 * digits, dots, dashes and underscores between slashes.
 */
export interface Artifacts {
  /** Keeps it if it can. What cannot be kept is made again when it is next asked for. */
  put(key: string, bytes: Uint8Array): Promise<void>
  /** Null when it is not there, or not whole any more. */
  get(key: string): Promise<Uint8Array | null>
  /** Everything below a folder goes. */
  drop(folder: string): Promise<void>
}
