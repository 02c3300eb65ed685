/**
 * What the provider said before the transaction opened. A refusal is raised inside it: whoever repeats an
 * Idempotency-Key gets the answer of the first time, whatever the provider would say today.
 */
export type Asked<T> = { readonly told: T } | { readonly refusal: unknown }

export async function ask<T>(question: () => Promise<T>): Promise<Asked<T>> {
  try {
    return { told: await question() }
  } catch (refusal) {
    return { refusal }
  }
}

export function toldBy<T>(asked: Asked<T>): T {
  if ('refusal' in asked) throw asked.refusal
  return asked.told
}
