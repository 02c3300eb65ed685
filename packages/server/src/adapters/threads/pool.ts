import { createRequire } from 'node:module'
import { pathToFileURL } from 'node:url'
import { Worker } from 'node:worker_threads'
import type { Answered } from './thread-side.ts'

export interface ThreadsOptions {
  /** The module of the thread, beside this one, without its ending. */
  readonly program: string
  /** What it makes, in the words of an error. */
  readonly what: string
  readonly most: number
  /** How many orders may wait. */
  readonly room: number
  readonly idle_ms: number
  /** An order that takes this long never ends. */
  readonly patience_ms: number
  /** What a thread may hold before it is ended. */
  readonly memory_mb: number
  /** What whoever comes when the room is full, or the threads are closed, is told. */
  readonly busy: () => Error
}

export interface Threads<Order, Value> {
  readonly alive: number
  run(order: Order): Promise<Value>
  close(): Promise<void>
}

interface Waiting<Order, Value> {
  readonly order: Order
  readonly resolve: (value: Value) => void
  readonly reject: (error: Error) => void
}

interface Thread<Order, Value> {
  readonly worker: Worker
  at: Waiting<Order, Value> | null
  timer: NodeJS.Timeout | undefined
}

// A thread does not inherit the TypeScript loader: where we run from source, it registers one before anything else.
const FROM_SOURCE = `const { loader, program } = require('node:worker_threads').workerData
import(loader).then(({ register }) => { register(); return import(program) })`

function startThread({ program: name, memory_mb }: ThreadsOptions): Worker {
  // Its environment is empty: it needs no setting of ours and no secret.
  const options = { env: {}, resourceLimits: { maxOldGenerationSizeMb: memory_mb } }
  const program = new URL(`./${name}.js`, import.meta.url)
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
export function openThreads<Order, Value>(options: ThreadsOptions): Threads<Order, Value> {
  const { what, most, room, idle_ms, patience_ms, busy } = options
  const threads = new Set<Thread<Order, Value>>()
  const queue: Waiting<Order, Value>[] = []
  let closed = false

  /** The thread is gone; so is the order it was at, and no other. */
  function lose(thread: Thread<Order, Value>, why: Error): void {
    if (!threads.delete(thread)) return
    clearTimeout(thread.timer)
    thread.at?.reject(why)
    void thread.worker.terminate()
    share()
  }

  function start(): Thread<Order, Value> {
    const thread: Thread<Order, Value> = { worker: startThread(options), at: null, timer: undefined }
    threads.add(thread)
    thread.worker.unref()
    thread.worker.on('message', (answered: Answered<Value>) => finish(thread, answered))
    thread.worker.on('error', (error: Error) => lose(thread, error))
    thread.worker.on('exit', (code) => lose(thread, new Error(`a thread that made ${what} ended with code ${code}`)))
    return thread
  }

  function finish(thread: Thread<Order, Value>, answered: Answered<Value>): void {
    const { at } = thread
    thread.at = null
    clearTimeout(thread.timer)
    if ('value' in answered) at?.resolve(answered.value)
    else at?.reject(new Error(`${what} could not be made: ${answered.failure}`))
    thread.timer = setTimeout(() => lose(thread, new Error('idle')), idle_ms).unref()
    share()
  }

  function share(): void {
    while (queue.length > 0 && !closed) {
      const idle = [...threads].find(({ at }) => at === null) ?? (threads.size < most ? start() : undefined)
      const next = idle && queue.shift()
      if (!idle || !next) return
      clearTimeout(idle.timer)
      idle.at = next
      idle.timer = setTimeout(() => lose(idle, new Error(`${what} took too long`)), patience_ms).unref()
      idle.worker.postMessage(next.order)
    }
  }

  return {
    get alive() {
      return threads.size
    },
    async run(order) {
      if (closed || queue.length >= room) throw busy()
      return new Promise((resolve, reject) => {
        queue.push({ order, resolve, reject })
        share()
      })
    },
    async close() {
      closed = true
      for (const { reject } of queue.splice(0)) reject(busy())
      await Promise.all(
        [...threads].map((thread) => {
          lose(thread, busy())
          return thread.worker.terminate()
        }),
      )
    },
  }
}
