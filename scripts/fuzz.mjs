// Sends hostile requests, files and mails to every operation and every door: `npm run fuzz -- --seed 7 --seconds 300`.
// It prints its seed; given back, the same requests are sent. `--requests N` counts requests instead of seconds.
import { parseArgs } from 'node:util'

const { values } = parseArgs({
  options: { seed: { type: 'string' }, seconds: { type: 'string' }, requests: { type: 'string' } },
})
for (const [name, value] of Object.entries(values)) {
  if (!/^\d+$/.test(value)) throw new Error(`--${name} takes a whole number, not ${value}`)
}
process.env.FUZZ_SEED = values.seed ?? String(Math.floor(Math.random() * 2 ** 31))
if (values.requests) process.env.FUZZ_REQUESTS = values.requests
else process.env.FUZZ_SECONDS = values.seconds ?? '60'
process.argv.splice(2, process.argv.length, 'packages/server/test/fuzz')
await import('./test.mjs')
