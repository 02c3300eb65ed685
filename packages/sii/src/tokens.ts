import type { Ambiente } from './hosts.ts'

/** The two doors of the SII that give tokens; neither takes those of the other. */
export type TokenChannel = 'dte' | 'boleta'

export interface TokenKey {
  readonly fingerprint: string
  readonly channel: TokenChannel
  readonly ambiente: Ambiente
}

export interface Token {
  readonly token: string
  readonly expires_at: Date
}

/** Where tokens are kept. Processes share one, so that a thousand documents need one token. */
export interface TokenStore {
  /** What is held for the key, expired or not; the caller judges by its own clock. */
  get(key: TokenKey): Promise<Token | null>
  /**
   * Replaces `refused` (null where none was held). One caller at a time makes a token for a key; the others wait for
   * it. When another token than `refused` is held by then, that one is given and none is made.
   */
  renew(key: TokenKey, refused: string | null, make: () => Promise<Token>): Promise<Token>
}

/** Tokens of one process. */
export function memoryTokens(): TokenStore {
  const held = new Map<string, Token>()
  const making = new Map<string, Promise<Token>>()
  const nameOf = ({ fingerprint, channel, ambiente }: TokenKey) => `${ambiente}/${channel}/${fingerprint}`
  return {
    get: async (key) => held.get(nameOf(key)) ?? null,
    renew: async (key, refused, make) => {
      const name = nameOf(key)
      const known = held.get(name)
      if (known !== undefined && known.token !== refused) return known
      const under_way = making.get(name)
      if (under_way !== undefined) return under_way
      const made = make()
        .then((token) => {
          held.set(name, token)
          return token
        })
        .finally(() => making.delete(name))
      making.set(name, made)
      return made
    },
  }
}
