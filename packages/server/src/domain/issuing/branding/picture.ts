import { LogoError, readLogo } from '@timbre/dte/logo'

/** What a picture is, read from its own bytes and never from a name. */
export interface Picture {
  readonly media_type: 'image/png' | 'image/jpeg'
  readonly width: number
  readonly height: number
}

/**
 * Reads a picture the way the printer will, so that none is taken that later spoils an invoice. A sentence says why
 * one cannot be printed.
 */
export function inspectPicture(bytes: Uint8Array): Picture | string {
  try {
    const { width, height } = readLogo(bytes)
    return { media_type: bytes[0] === 0xff ? 'image/jpeg' : 'image/png', width, height }
  } catch (error) {
    if (error instanceof LogoError) return error.message
    throw error
  }
}
