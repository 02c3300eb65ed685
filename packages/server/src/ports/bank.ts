import type { EmpresaScope } from '../kernel/scope.ts'

export type HolderType = 'individual' | 'business'

/** Why the provider could not do what it was asked. `rejected`: the bank wants the person again. */
export type BankReason = 'unreachable' | 'unreadable' | 'refused' | 'rejected' | 'gone' | 'refresh_failed'

/** A call of the provider of bank data that failed. Its message holds no secret: it may be logged. */
export class BankFailure extends Error {
  readonly reason: BankReason
  constructor(reason: BankReason, message: string) {
    super(message)
    this.name = 'BankFailure'
    this.reason = reason
  }
}

/** Somebody sets out to link a bank. */
export interface LinkQuestion {
  readonly empresa: EmpresaScope
  readonly connection_id: string
  readonly at: Date
}

/** What the page where a person links the bank works with. */
export interface LinkBeginning {
  readonly widget_token: string
  readonly public_key: string
  readonly expires_at: Date
}

export interface BankAccount {
  readonly id: string
  readonly name: string
  /** As the bank writes it. Whoever shows it masks it. */
  readonly number: string
  readonly type: string
  readonly currency: string
  /** In the smallest unit of the currency. */
  readonly balance: { readonly available: number | null; readonly current: number | null }
  readonly refreshed_at: Date | null
}

/** A bank once a person linked it. */
export interface BankLink {
  readonly link_id: string
  /** Opens the account for reading: it rests sealed and is told to nobody. */
  readonly link_token: string
  readonly institution: { readonly id: string; readonly name: string }
  readonly holder_rut: string | null
  readonly accounts: readonly BankAccount[]
}

export interface LinkedQuestion extends LinkQuestion {
  readonly link_token: string
}

export interface BankMovement {
  readonly id: string
  /** YYYY-MM-DD, when the bank counted it. */
  readonly post_date: string
  /** In the smallest unit of the currency, positive when money came in. */
  readonly amount: number
  readonly currency: string
  readonly description: string
  readonly counterparty_rut: string | null
  readonly counterparty_name: string | null
}

export interface MovementsQuestion extends LinkedQuestion {
  readonly account: Pick<BankAccount, 'id' | 'currency'>
  /** The first day that counts, and the first one that no longer does. */
  readonly since: string
  readonly until: string
}

/** Asking the bank anew: under way, done already, asked too soon before, or not part of the contract with the provider. */
export type RefreshStart = 'started' | 'done' | 'too_soon' | 'unavailable'

/** News that the provider sends by itself. */
export type BankNotice = { readonly id: string; readonly told_at: string | null } & NoticeAbout &
  (
    | { readonly kind: 'refreshed' | 'rejected' | 'refresh_failed' | 'other' }
    | { readonly kind: 'modified'; readonly since: string | null }
    | { readonly kind: 'removed'; readonly movement_ids: readonly string[] }
  )

/** Whom a notice is about, by its id at the provider. */
interface NoticeAbout {
  readonly link_id: string | null
  readonly account_id: string | null
}

/** A notice as it arrived: whose it is follows from the signature over its very bytes. */
export interface SignedNotice {
  readonly signature: string
  readonly body: Uint8Array
  readonly at: Date
}

/** Where a person links: in the widget of the provider, or by choosing a bank of the sandbox. */
export type LinkPage =
  | {
      readonly kind: 'widget'
      /** Whose window it is: the person is told. */
      readonly whose: string
      readonly script: string
      readonly origins: readonly string[]
    }
  | {
      readonly kind: 'choice'
      readonly banks: readonly { readonly exchange_token: string; readonly name: string; readonly says: string }[]
    }

/** A provider of bank accounts and their movements. Everything but `readNotice` may fail with a BankFailure. */
export interface Bank {
  readonly provider: string
  readonly page: LinkPage
  begin(question: LinkQuestion & { readonly holder_type: HolderType }): Promise<LinkBeginning>
  /** Refused when the token of the widget is not one, or was used. */
  exchange(question: LinkQuestion & { readonly exchange_token: string }): Promise<BankLink>
  refresh(question: LinkedQuestion): Promise<RefreshStart>
  /** Whether the bank is still being asked. */
  isRefreshing(question: LinkedQuestion): Promise<boolean>
  accounts(question: LinkedQuestion): Promise<readonly BankAccount[]>
  movements(question: MovementsQuestion): AsyncIterable<readonly BankMovement[]>
  /** The provider forgets the link. One that it does not know is forgotten already. */
  forget(question: LinkedQuestion): Promise<void>
  /** Null for what the provider did not sign, or signed too long ago. */
  readNotice(notice: SignedNotice): BankNotice | null
  close(): Promise<void>
}
