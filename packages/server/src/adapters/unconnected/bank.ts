import { type Bank, BankFailure } from '../../ports/bank.ts'

async function refuse(): Promise<never> {
  throw new BankFailure('unreachable', 'This service has no provider of bank data.')
}

/** Stands where the provider goes while none is configured: every question is refused, nothing is invented. */
export function unconnectedBank(): Bank {
  return {
    provider: 'none',
    page: { kind: 'choice', banks: [] },
    begin: refuse,
    exchange: refuse,
    refresh: refuse,
    isRefreshing: refuse,
    accounts: refuse,
    // biome-ignore lint/correctness/useYield: there is nothing to give
    async *movements() {
      await refuse()
    },
    forget: refuse,
    readNotice: () => null,
    close: async () => undefined,
  }
}
