import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { describe, expect, it, onTestFinished } from 'vitest'

const PROGRAM = `
import { openLog } from ${JSON.stringify(new URL('../../dist/kernel/log.js', import.meta.url).href)}
const log = openLog('info')
process.on('SIGTERM', () => { for (let i = 0; i < 100; i++) log.info('last words'); process.exit(0) })
setInterval(() => log.info('x'.repeat(2_000)), 5)
process.stderr.write('begun')`

describe('a process whose log nobody reads any more', () => {
  it('goes on, and ends when it is told to', async () => {
    const args = ['--input-type=module', '-e', PROGRAM]
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] })
    onTestFinished(() => void child.kill('SIGKILL'))
    await once(child.stderr, 'data')
    await once(child.stdout, 'data')
    child.stdout.destroy()
    // Long enough for many lines that find no reader.
    await new Promise((resolve) => setTimeout(resolve, 300))
    expect(child.exitCode).toBeNull()
    child.kill('SIGTERM')
    expect(await once(child, 'exit')).toEqual([0, null])
  })
})
