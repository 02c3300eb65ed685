import { pollUntil } from '../api/api.ts'
import { requireSandbox } from '../api/connect.ts'
import type { Context } from '../command.ts'
import { CliError } from '../exit.ts'
import { plain } from '../output.ts'

interface Clock {
  readonly now: string
  readonly frozen: boolean
  readonly status: 'ready' | 'advancing'
}

const DURATION = /^P(?!$)(?:\d+Y)?(?:\d+M)?(?:\d+W)?(?:\d+D)?(?:T(?=\d)(?:\d+H)?(?:\d+M)?(?:\d+S)?)?$/

export async function run(ctx: Context): Promise<void> {
  const { args, options, out, signal } = ctx
  const [duration = ''] = args
  if (duration !== 'reset' && !DURATION.test(duration)) {
    throw new CliError('usage', `"${duration}" is no duration.`, 'Write it as ISO 8601: P8D, P1M, PT1H; or reset.')
  }
  const api = await ctx.api()
  requireSandbox(api, 'The test clock')
  const whose = options.flag('account') || !api.empresa ? {} : { empresa_rut: api.empresa }
  const body = duration === 'reset' ? { ...whose, reset: true } : { ...whose, advance: duration }
  const progress = out.progress('Moving the clock')
  progress.update(0, 1)
  const moved = await api.call<Clock>('POST', '/test_helpers/clock', { body, empresa: null })
  const clock = moved.status === 'ready' ? moved : await settled()
  progress.end()
  out.result(
    clock,
    `It is ${plain(clock.now)}${clock.frozen ? ', and the clock stands still until it is moved or reset' : ''}.`,
  )

  function settled(): Promise<Clock> {
    return pollUntil(
      () => api.call<Clock>('GET', '/test_helpers/clock', { query: whose, empresa: null }),
      ({ status }) => status === 'ready',
      { signal, everyMs: 500 },
    )
  }
}
