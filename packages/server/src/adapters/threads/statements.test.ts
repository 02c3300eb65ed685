import { readdirSync, readFileSync } from 'node:fs'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { xlsxOf } from '../../../test/support/cartola-file.ts'
import { STATEMENTS } from '../../catalog/limits.ts'
import { inspectFile } from '../../domain/banking/statement/parse/inspect.ts'
import { readMovements } from '../../domain/banking/statement/parse/read-movements.ts'
import { Problem } from '../../kernel/problem.ts'
import { resultOf, type StatementThreads, threadStatements } from './statements.ts'

const PROGRAM = new URL('../../../dist/statement-thread.js', import.meta.url)
const OPTIONS = { filename: undefined, bank_account: undefined, positive_is: undefined, today: '2026-11-16' }
const HEADER = 'Fecha;Descripción;Monto\n'
const cartola = (rows: number) => Buffer.from(HEADER + '15/11/2026;Pago de cliente;1.000\n'.repeat(rows))

describe('the threads that read cartolas', () => {
  const opened: { close(): Promise<void> }[] = []
  const open = (options: StatementThreads) => {
    const statements = threadStatements(PROGRAM, options)
    opened.push(statements)
    return statements
  }
  const shared = threadStatements(PROGRAM)
  afterAll(() => shared.close())
  afterEach(async () => {
    await Promise.all(opened.splice(0).map((one) => one.close()))
  })

  it('give what the calling thread would give, and refuse what it would refuse', async () => {
    expect(await shared.inspect('acc_1', cartola(3), OPTIONS)).toEqual(await inspectFile(cartola(3), OPTIONS))
    const broken = Buffer.from(`${HEADER}31/02/2026;Pago;1.000\n`)
    const here = await resultOf(inspectFile(broken, OPTIONS))
    expect(here).toMatchObject({ refused: { code: 'invalid_field', facts: { param: 'file.rows[2].fecha' } } })
    await expect(shared.inspect('acc_1', broken, OPTIONS)).rejects.toMatchObject('refused' in here ? here.refused : {})
  })

  it('refuse a file that takes longer than its deadline, and read the next one', async () => {
    const statements = open({ deadline_ms: 1 })
    const refusal = { code: 'invalid_field', facts: { param: 'file' }, status: 400 }
    await expect(statements.inspect('acc_1', cartola(200_000), OPTIONS)).rejects.toMatchObject(refusal)
    await expect(statements.inspect('acc_1', cartola(1), OPTIONS)).rejects.toMatchObject(refusal)
  })

  it('refuse a file that takes more memory than a cartola does', async () => {
    const statements = open({ memory_mb: 8 })
    const rows = Array.from({ length: 40_000 }, (_, i) => ['15/11/2026', `Pago de cliente ${i}`, 1_000 + i])
    const file = xlsxOf([{ name: 'Cartola', rows: [['Fecha', 'Descripción', 'Monto'], ...rows] }])
    await expect(statements.inspect('acc_1', file, OPTIONS)).rejects.toMatchObject({
      code: 'invalid_field',
      facts: { param: 'file', message: expect.stringContaining('more time or memory') },
    })
  })

  it('read one cartola of an account at a time: the other thread is for another account', async () => {
    const statements = open({})
    const many = Array.from({ length: 4 }, () => statements.inspect('acc_many', cartola(1), OPTIONS))
    expect(statements.alive).toBe(1)
    const other = statements.inspect('acc_other', cartola(1), OPTIONS)
    expect(statements.alive).toBe(2)
    expect((await Promise.all([...many, other])).map(({ rows }) => rows)).toEqual([1, 1, 1, 1, 1])
  })

  it('let an account wait with a few, and take those of another all the same', async () => {
    const statements = open({})
    const many = Array.from({ length: 20 }, () => statements.inspect('acc_many', cartola(1), OPTIONS))
    const settled = Promise.allSettled(many)
    await expect(statements.inspect('acc_other', cartola(1), OPTIONS)).resolves.toMatchObject({ rows: 1 })
    const refused = (await settled).filter(({ status }) => status === 'rejected')
    expect(refused).toHaveLength(20 - 1 - STATEMENTS.waiting_per_account)
  })

  it('read the movements of an import beside those who wait for an answer, and hand them over as bytes', async () => {
    const statements = open({})
    const callers = Array.from({ length: 3 }, () => statements.inspect('acc_1', cartola(1), OPTIONS))
    const reading = statements.read('acc_1', cartola(4_001), OPTIONS)
    expect(statements.alive).toBe(2)
    const found = await reading
    const here = await readMovements(cartola(4_001), OPTIONS)
    const linesOf = ({ json }: { readonly json: Uint8Array }): Record<string, unknown>[] =>
      JSON.parse(Buffer.from(json).toString())
    const withoutIds = (batches: typeof found) => batches.flatMap(linesOf).map(({ id: _, ...line }) => line)
    expect(found.map(({ rows }) => rows)).toEqual(here.map(({ rows }) => rows))
    expect(found.length).toBeGreaterThan(1)
    expect(withoutIds(found)).toEqual(withoutIds(here))
    expect(new Set(withoutIds(found).map(({ line_key }) => line_key)).size).toBe(4_001)
    await Promise.all(callers)
  })

  it.runIf(process.platform === 'linux')(
    'stand back behind who is answered in milliseconds, and no other thread does',
    async () => {
      /** Null of a thread that ended meanwhile. */
      const niceOf = (task: string) => {
        try {
          return Number(readFileSync(`/proc/self/task/${task}/stat`, 'utf8').split(') ')[1]?.split(' ')[16])
        } catch {
          return null
        }
      }
      const behind = () => {
        // The first thread has the number of the process; the numbers of later ones may be smaller, as they are used again.
        const own = Number(niceOf(String(process.pid)))
        return readdirSync('/proc/self/task').filter((task) => niceOf(task) === Math.min(own + 3, 19)).length
      }
      // Threads of the tests before this one take a moment to end, and so do ours when nobody asks them for long.
      const ours = async () => {
        await shared.inspect('acc_1', cartola(1), OPTIONS)
        return { behind: behind() - shared.alive, at_work: shared.alive > 0 }
      }
      await expect.poll(ours).toEqual({ behind: 0, at_work: true })
    },
  )

  it('fail an import whose thread breaks, instead of refusing a file that was taken', async () => {
    const broken = open({ deadline_ms: 1 }).read('acc_1', cartola(200_000), OPTIONS)
    await expect(broken).rejects.toThrow('a cartola could not be read')
    await expect(broken).rejects.not.toBeInstanceOf(Problem)
  })

  it('503 service_unavailable once too many wait, and at the end of the process', async () => {
    const statements = threadStatements(PROGRAM)
    const waiting = Array.from({ length: 40 }, () => statements.inspect('acc_1', cartola(1), OPTIONS))
    const settled = Promise.allSettled(waiting)
    await statements.close()
    const refused = (await settled).map((one) => (one.status === 'rejected' ? one.reason.code : one.status))
    expect(refused.filter((code) => code === 'service_unavailable').length).toBeGreaterThan(6)
  })
})
