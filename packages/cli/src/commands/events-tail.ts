import { createClient, events as eventsOf } from '@timbre/sdk/core'
import type { Page } from '../api/api.ts'
import { optionsOf } from '../api/connect.ts'
import type { Context } from '../command.ts'
import { requireKey } from '../config/settings.ts'
import { requireCount } from '../count.ts'
import { isWanted, type LedgerEvent, patternsOf, subjectOf } from '../listen/event.ts'
import { type Output, plain } from '../output.ts'

function show(out: Output, event: LedgerEvent): void {
  const time = out.paint('dim', event.created_at)
  out.line(event, `${time}  ${out.paint('bold', event.type.padEnd(30))} ${event.id}  ${plain(subjectOf(event))}`)
}

/** Nothing is kept and nothing is sent: this only looks. */
export async function run(ctx: Context): Promise<void> {
  const { options, out, signal } = ctx
  const patterns = patternsOf(options.list('events'))
  const api = await ctx.api()
  const limit = requireCount(options, 'last', 10)
  const { data } = await api.call<Page<LedgerEvent>>('GET', '/events', { query: { limit: Math.max(limit, 1) } })
  for (const event of [...data].slice(0, limit).reverse()) if (isWanted(patterns, event.type)) show(out, event)
  if (options.flag('once')) return
  const settings = ctx.settings()
  const client = createClient(optionsOf({ url: settings.url, key: requireKey(settings) }), { events: eventsOf })
  const ledger = client.events.follow({
    signal,
    after: data[0]?.id ?? 'beginning',
    interval: 1_000,
    onOutage: ({ message }) => out.note(out.paint('yellow', `${message} Trying again.`)),
  })
  for await (const event of ledger as AsyncIterable<LedgerEvent>) if (isWanted(patterns, event.type)) show(out, event)
}
