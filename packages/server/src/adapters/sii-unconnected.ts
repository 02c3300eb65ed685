import { type Sii, SiiUnreachable } from '../ports/sii.ts'

/** Stands where the live client goes while this version has none: every question is refused, nothing is invented. */
export function unconnectedSii(): Sii {
  return {
    async requestCaf() {
      throw new SiiUnreachable('this version has no live client for the SII')
    },
  }
}
