/** Numbers from 0 to 1 that a seed decides: a run that failed can be had again with FAULT_SEED. */
export type Chance = () => number

export function openChance(seed: number): Chance {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32
  }
}

export const between = (chance: Chance, from: number, to: number): number => from + chance() * (to - from)
