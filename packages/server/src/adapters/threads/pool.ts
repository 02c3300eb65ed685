import { createRequire } from 'node:module'
import { pathToFileURL } from 'node:url'
import { Worker } from 'node:worker_threads'
import { Turns } from '../../kernel/turns.ts'
import type { OrderResult } from './thread-loop.ts'

interface ThreadPoolOptions {
  /** The module of the thread: beside this one, without its ending, or wherever it is, ending in `.js`. */
  readonly program: string | URL
  /** What it makes, in the words of an error. */
  readonly what: string
  readonly max_threads: number
  /** How many orders may wait. */
  readonly max_waiting: number
  /**
   * How many orders of one owner may wait. Where this is bounded, one of them is worked on at a time, so that nobody takes
   * every thread; elsewhere owners take turns, and one alone may have all threads.
   */
  readonly max_waiting_of_one?: number
  readonly idle_ms: number
  /** An order that takes this long never ends. */
  readonly timeout_ms: number
  /** What a thread may hold before it is ended. */
  readonly memory_mb: number
  /** The error of a caller who comes when too many wait, or after the pool was closed. */
  readonly busy: () => Error
}

interface ThreadPool<Order, Value> {
  readonly alive: number
  /** Owners take turns. An order without one waits for a thread alone. */
  run(order: Order, owner?: string): Promise<Value>
  close(): Promise<void>
}

interface Waiting<Order, Value> {
  readonly order: Order
  readonly owner: string | undefined
  readonly resolve: (value: Value) => void
  readonly reject: (error: Error) => void
}

interface Thread<Order, Value> {
  readonly worker: Worker
  current: Waiting<Order, Value> | null
  timer: NodeJS.Timeout | undefined
}

// A thread does not inherit the TypeScript loader: where we run from source, it registers one before anything else.
const FROM_SOURCE = `const { loader, program } = require('node:worker_threads').workerData
import(loader).then(({ register }) => { register(); return import(program) })`

function startThread({ program: name, memory_mb }: ThreadPoolOptions): Worker {
  // Its environment is empty: it needs no setting of ours and no secret.
  const options = { env: {}, resourceLimits: { maxOldGenerationSizeMb: memory_mb } }
  const program = typeof name === 'string' ? new URL(`./${name}.js`, import.meta.url) : name
  if (!import.meta.url.endsWith('.ts')) return new Worker(program, { ...options, execArgv: [] })
  const tsx = pathToFileURL(createRequire(import.meta.url).resolve('tsx/package.json'))
  const workerData = {
    loader: new URL('./dist/esm/api/index.mjs', tsx).href,
    program: program.href.replace(/js$/, 'ts'),
  }
  return new Worker(FROM_SOURCE, { ...options, eval: true, workerData, execArgv: ['--conditions=source'] })
}

/**
 * Pure computing of milliseconds, during which nothing else would be answered, on threads of its own. What they need is
 * loaded there alone. They start with the first order and end when idle.
 */
export function openThreadPool<Order, Value>(options: ThreadPoolOptions): ThreadPool<Order, Value> {
  const { what, max_threads, max_waiting, max_waiting_of_one = max_waiting, idle_ms, timeout_ms, busy } = options
  const threads = new Set<Thread<Order, Value>>()
  const queue: Waiting<Order, Value>[] = []
  const turns = new Turns()
  const one_each = options.max_waiting_of_one !== undefined
  let closed = false

  /** Ends a thread. The order it was working on fails, and no other. */
  function discard(thread: Thread<Order, Value>, why: Error): void {
    if (!threads.delete(thread)) return
    clearTimeout(thread.timer)
    thread.current?.reject(why)
    void thread.worker.terminate()
    dispatch()
  }

  function start(): Thread<Order, Value> {
    const thread: Thread<Order, Value> = { worker: startThread(options), current: null, timer: undefined }
    threads.add(thread)
    thread.worker.unref()
    thread.worker.on('message', (result: OrderResult<Value>) => finish(thread, result))
    thread.worker.on('error', (error: Error) => discard(thread, error))
    thread.worker.on('exit', (code) => discard(thread, new Error(`a thread that made ${what} ended with code ${code}`)))
    return thread
  }

  function finish(thread: Thread<Order, Value>, result: OrderResult<Value>): void {
    const { current } = thread
    thread.current = null
    clearTimeout(thread.timer)
    if ('value' in result) current?.resolve(result.value)
    else current?.reject(new Error(`${what} could not be made: ${result.failure}`))
    thread.timer = setTimeout(() => discard(thread, new Error('idle')), idle_ms).unref()
    dispatch()
  }

  function dispatch(): void {
    while (!closed) {
      const at_work = new Set(one_each ? [...threads].flatMap(({ current }) => current?.owner ?? []) : [])
      const place = turns.next(queue, at_work)
      if (place < 0) return
      const idle =
        [...threads].find(({ current }) => current === null) ?? (threads.size < max_threads ? start() : undefined)
      const [next] = idle ? queue.splice(place, 1) : []
      if (!idle || !next) return
      clearTimeout(idle.timer)
      turns.took(next)
      idle.current = next
      idle.timer = setTimeout(() => discard(idle, new Error(`${what} took too long`)), timeout_ms).unref()
      idle.worker.postMessage(next.order)
    }
  }

  return {
    get alive() {
      return threads.size
    },
    async run(order, owner) {
      const of_one = owner === undefined ? 0 : queue.filter((one) => one.owner === owner).length
      if (closed || queue.length >= max_waiting || of_one >= max_waiting_of_one) throw busy()
      return new Promise((resolve, reject) => {
        queue.push({ order, owner, resolve, reject })
        dispatch()
      })
    },
    async close() {
      closed = true
      for (const { reject } of queue.splice(0)) reject(busy())
      await Promise.all(
        [...threads].map((thread) => {
          discard(thread, busy())
          return thread.worker.terminate()
        }),
      )
    },
  }
}
