import { randomUUID } from 'node:crypto'
import { addDays, santiagoDate } from '@timbre/dte/values'
import { BANK } from '../../catalog/bank.ts'
import { secondsFrom } from '../../kernel/clock.ts'
import { type Fragment, part, type Sql } from '../../kernel/db.ts'
import { ownedBy } from '../../kernel/tenant.ts'
import {
  type Bank,
  type BankAccount,
  BankFailure,
  type BankMovement,
  type LinkedQuestion,
  type LinkQuestion,
  type MovementsQuestion,
  type RefreshStart,
} from '../../ports/bank.ts'
import { paymentsOf } from './documents.ts'
import { SANDBOX_BANKS, SANDBOX_EXCHANGE_PREFIX, type SandboxBank } from './magic-values.ts'
import { dice, movementsOn, type SandboxMovement, toldOn, withSecondThoughts } from './stream.ts'

const PER_PAGE = 300
const ACCOUNTS = [
  { key: 'corriente', name: 'Cuenta Corriente', type: 'checking_account' },
  { key: 'vista', name: 'Cuenta Vista', type: 'sight_account' },
] as const

function bankById(id: string): SandboxBank {
  const bank = SANDBOX_BANKS.find((one) => one.id === id)
  if (!bank) throw new BankFailure('refused', 'the sandbox has no such bank')
  return bank
}

/** The same accounts whenever an empresa links the same bank. */
function accountsOf({ empresa, at }: LinkQuestion, bank: SandboxBank): BankAccount[] {
  return ACCOUNTS.map(({ key, name, type }, i) => ({
    id: `acc_${empresa.empresa_id}_${bank.id}_${key}`,
    name,
    number: `00${i + 1}${10_000_000 + dice(89_999_999, empresa.empresa_id, bank.id, key)}`,
    type,
    currency: 'CLP',
    balance: { available: 2_450_000 - i * 1_900_000, current: 2_450_000 - i * 1_900_000 },
    refreshed_at: at,
  }))
}

function own({ empresa, link_token }: LinkedQuestion): Fragment {
  return part`${ownedBy(empresa)}
    and link_token = ${link_token}`
}

async function bankOf(sql: Sql, question: LinkedQuestion): Promise<SandboxBank> {
  const [link] = await sql<{ institution_id: string }>`
    select institution_id from sandbox_bank_link where ${own(question)}`
  if (!link) throw new BankFailure('gone', 'the sandbox has no such link')
  return bankById(link.institution_id)
}

async function refresh(sql: Sql, question: LinkedQuestion): Promise<RefreshStart> {
  const { magic } = await bankOf(sql, question)
  const [counted] = await sql<{ refreshes: number }>`
    update sandbox_bank_link set refreshes = refreshes + 1 where ${own(question)} returning refreshes`
  // The first sync, right after linking, asks for no refresh: the first refresh belongs to the second sync.
  if (magic === 'rejects_second_sync') throw new BankFailure('rejected', 'the sandbox asks for the person again')
  if (magic === 'fails_first_refresh' && counted?.refreshes === 1)
    throw new BankFailure('refresh_failed', 'the sandbox fails a first refresh')
  return 'done'
}

async function* movementsOf(sql: Sql, question: MovementsQuestion): AsyncGenerator<readonly BankMovement[]> {
  const bank = await bankOf(sql, question)
  const { empresa, since, until, at, account } = question
  const today = santiagoDate(at)
  const moody = bank.magic === 'edits_and_removes'
  const all: SandboxMovement[] = await paymentsOf(sql, empresa, { since, until })
  for (let day = since; day < until && day <= today; day = addDays(day, 1)) {
    const counted = movementsOn(`${empresa.empresa_id}|${bank.id}`, day, moody)
    all.push(...(moody ? counted.map(withSecondThoughts) : counted))
  }
  const told = all
    .filter((one) => account.id.endsWith(`_${one.account}`) && one.post_date >= since && one.post_date < until)
    .sort((a, b) => (a.post_date < b.post_date ? 1 : -1))
    .map((one) => toldOn(one, today))
    .filter((one) => one !== null)
  for (let i = 0; i < told.length; i += PER_PAGE) yield told.slice(i, i + PER_PAGE)
}

/** The bank of test mode: in process, no traffic, and by the clock of its owner. A month ahead there is a month more. */
export function sandboxBank({ sql }: { readonly sql: Sql }): Bank {
  return {
    provider: 'sandbox',
    page: {
      kind: 'choice',
      banks: SANDBOX_BANKS.map(({ id, name, says }) => ({ exchange_token: SANDBOX_EXCHANGE_PREFIX + id, name, says })),
    },
    begin: async ({ at }) => ({
      widget_token: `sandbox_widget_${randomUUID()}`,
      public_key: 'pk_sandbox',
      expires_at: secondsFrom(at, BANK.link_seconds),
    }),
    async exchange(question) {
      const { exchange_token, empresa } = question
      if (!exchange_token.startsWith(SANDBOX_EXCHANGE_PREFIX))
        throw new BankFailure('refused', 'not an exchange token of the sandbox')
      const bank = bankById(exchange_token.slice(SANDBOX_EXCHANGE_PREFIX.length))
      const link_token = `sandbox_link_${randomUUID()}`
      await sql`
        insert into sandbox_bank_link (account_id, empresa_id, mode, link_token, institution_id)
        values (${empresa.account_id}, ${empresa.empresa_id}, ${empresa.mode}, ${link_token}, ${bank.id})`
      return {
        link_id: `link_${link_token.slice(-36)}`,
        link_token,
        institution: { id: bank.id, name: bank.name },
        holder_rut: empresa.rut,
        accounts: accountsOf(question, bank),
      }
    },
    refresh: (question) => refresh(sql, question),
    isRefreshing: async () => false,
    accounts: async (question) => accountsOf(question, await bankOf(sql, question)),
    movements: (question) => movementsOf(sql, question),
    async forget(question) {
      await sql`delete from sandbox_bank_link where ${own(question)}`
    },
    readNotice: () => null,
    close: async () => undefined,
  }
}
