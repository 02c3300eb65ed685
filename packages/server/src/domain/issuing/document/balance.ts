/** Where the payment of a document stands, as it is shown. */
export interface Balance {
  readonly due_date: string | null
  readonly paid: boolean
  readonly paid_at: string | null
  readonly pending_amount: number
}

/** A row as far as its payment goes. */
interface Owed {
  readonly status: string
  readonly due_date: string | null
  readonly owed_amount: number
  readonly credited_amount: number
  readonly paid_amount: number
  readonly paid_at: Date | null
  readonly cesion_status: string | null
  readonly cesion?: { readonly amount: number | null } | null
}

// What the SII refused, what could not be sent and what a nota annulled asks for nothing.
const VOID: readonly string[] = ['rejected', 'failed', 'annulled']

/** What is left to be paid. The cesionario is owed what was ceded (Ley 19.983, art. 7), once the SII registered it. */
export function pendingOf(row: Owed): number {
  if (VOID.includes(row.status)) return 0
  const ceded = row.cesion_status === 'confirmed' ? (row.cesion?.amount ?? row.owed_amount) : 0
  return Math.max(0, row.owed_amount - row.credited_amount - row.paid_amount - ceded)
}

export function balanceOf(row: Owed): Balance {
  return {
    due_date: row.due_date,
    paid: row.paid_at !== null,
    paid_at: row.paid_at?.toISOString() ?? null,
    pending_amount: pendingOf(row),
  }
}
