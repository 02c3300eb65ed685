import type { Api, Page } from '../api/api.ts'
import { requireSandbox } from '../api/connect.ts'
import { closest } from '../closest.ts'
import type { Context } from '../command.ts'
import { CliError } from '../exit.ts'
import { type LedgerEvent, subjectOf } from '../listen/event.ts'
import { plain } from '../output.ts'
import { openScene } from '../trigger/scene.ts'
import { TRIGGERS } from '../trigger/table.ts'
import { isPossible, type Trigger } from '../trigger/trigger.ts'

export async function run(ctx: Context): Promise<void> {
  const { args, options, out, signal } = ctx
  const [type] = args
  if (options.flag('list') || type === undefined) return list(ctx)
  const trigger = findTrigger(type)
  if (!isPossible(trigger)) throw new CliError('usage', `The sandbox cannot produce ${type}. ${trigger.why}`)
  const api = await ctx.api()
  requireSandbox(api, '`timbre trigger`')
  const since = (await api.call<Page<LedgerEvent>>('GET', '/events', { query: { limit: 1 } })).data[0]?.id
  const progress = out.progress(trigger.how)
  progress.update(0, 0)
  const scene = openScene(api, signal)
  try {
    await trigger.run(scene)
    const found = await scene.until(
      () => eventsSince(api, since, type),
      (events) => events.length > 0,
    )
    progress.end()
    const event = found[0]
    if (!event)
      throw new CliError(
        'failure',
        `${trigger.how} No ${type} came of it within two minutes.`,
        '`timbre events tail` shows what did.',
      )
    out.result(event, `${out.paint('green', type)}  ${plain(`${event.id}  ${subjectOf(event)}`)}\n${trigger.how}`)
  } finally {
    progress.end()
  }
}

function findTrigger(type: string): Trigger {
  const known: Readonly<Record<string, Trigger>> = TRIGGERS
  const found = Object.hasOwn(known, type) ? known[type] : undefined
  if (found) return found
  const near = closest(type, Object.keys(TRIGGERS))
  throw new CliError(
    'usage',
    `There is no event "${type}".`,
    near ? `Did you mean ${near}?` : 'See `timbre trigger --list`.',
  )
}

async function eventsSince(api: Api, after: string | undefined, type: string): Promise<readonly LedgerEvent[]> {
  const { data } = await api.call<Page<LedgerEvent>>('GET', '/events', { query: { limit: 1, type, after } })
  return data
}

function list({ out }: Context): void {
  const rows = Object.entries(TRIGGERS).map(([type, trigger]) =>
    isPossible(trigger) ? { type, possible: true, how: trigger.how } : { type, possible: false, why: trigger.why },
  )
  const text = rows.map(({ type, possible, how, why }) => {
    const mark = possible ? out.paint('green', '✓') : out.paint('yellow', '✗')
    return `${mark} ${type.padEnd(38)} ${how ?? out.paint('dim', why ?? '')}`
  })
  out.result(rows, text.join('\n'))
}
