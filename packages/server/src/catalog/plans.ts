/** The plans of accounts. The price is flat, per empresa; what a plan decides is whether there is one at all. */
const PLANS = {
  house: { pays: false },
  starter: { pays: true },
} as const

export type Plan = keyof typeof PLANS
export const PLAN_NAMES = Object.keys(PLANS) as Plan[]

/** What an empresa pays, in pesos before IVA. */
export const PRICE = { pesos: 19_990, per: 'month' } as const

/** A plan this version does not know pays: silence must not give the service away. */
export function planPays(plan: string): boolean {
  return Object.hasOwn(PLANS, plan) ? PLANS[plan as keyof typeof PLANS].pays : true
}
