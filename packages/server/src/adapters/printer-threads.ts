import { createRequire } from 'node:module'
import { availableParallelism } from 'node:os'
import { pathToFileURL } from 'node:url'
import { Worker } from 'node:worker_threads'
import { type Printer, PrinterBusy, type PrintOrder } from '../ports/printer.ts'
import type { Printed } from './printer-thread.ts'

export interface PrinterOptions {
  /** One core stays with the event loop; more than four threads would cost more memory than pages are worth. */
  readonly threads?: number
  /** How many pages may wait: about a second of work for each thread. */
  readonly waiting?: number
  readonly idle_ms?: number
  /** The longest page takes under a second; one that takes this long never ends. */
  readonly patience_ms?: number
  /** What a thread may hold before it is ended: a page needs a tenth of it. */
  readonly memory_mb?: number
}

interface Waiting {
  readonly order: PrintOrder
  readonly resolve: (bytes: Uint8Array) => void
  readonly reject: (error: Error) => void
}

interface Thread {
  readonly worker: Worker
  at: Waiting | null
  timer: NodeJS.Timeout | undefined
}

// A thread does not inherit the TypeScript loader: where we run from source, it registers one before anything else.
const FROM_SOURCE = `const { loader, program } = require('node:worker_threads').workerData
import(loader).then(({ register }) => { register(); return import(program) })`

function startThread(memory_mb: number): Worker {
  // Its environment is empty: it needs no setting of ours and no secret.
  const options = { env: {}, resourceLimits: { maxOldGenerationSizeMb: memory_mb } }
  const program = new URL('./printer-thread.js', import.meta.url)
  if (!import.meta.url.endsWith('.ts')) return new Worker(program, { ...options, execArgv: [] })
  const tsx = pathToFileURL(createRequire(import.meta.url).resolve('tsx/package.json'))
  const workerData = {
    loader: new URL('./dist/esm/api/index.mjs', tsx).href,
    program: program.href.replace(/js$/, 'ts'),
  }
  return new Worker(FROM_SOURCE, { ...options, eval: true, workerData, execArgv: ['--conditions=source'] })
}

/**
 * Pages are drawn on threads, because a page takes milliseconds of pure computing during which nothing else would be
 * answered. The engine and its fonts are loaded there alone. Threads start with the first page and end when idle.
 */
export function threadPrinter(options: PrinterOptions = {}): Printer & { readonly alive: number } {
  const { threads: most = Math.min(4, Math.max(1, availableParallelism() - 1)), idle_ms = 30_000 } = options
  const { waiting: room = most * 64, patience_ms = 30_000, memory_mb = 256 } = options
  const threads = new Set<Thread>()
  const queue: Waiting[] = []
  let closed = false

  /** The thread is gone; so is the page it was at, and no other. */
  function lose(thread: Thread, why: Error): void {
    if (!threads.delete(thread)) return
    clearTimeout(thread.timer)
    thread.at?.reject(why)
    void thread.worker.terminate()
    share()
  }

  function start(): Thread {
    const thread: Thread = { worker: startThread(memory_mb), at: null, timer: undefined }
    threads.add(thread)
    thread.worker.unref()
    thread.worker.on('message', (printed: Printed) => finish(thread, printed))
    thread.worker.on('error', (error: Error) => lose(thread, error))
    thread.worker.on('exit', (code) => lose(thread, new Error(`a printing thread ended with code ${code}`)))
    return thread
  }

  function finish(thread: Thread, printed: Printed): void {
    const { at } = thread
    thread.at = null
    clearTimeout(thread.timer)
    if ('bytes' in printed) at?.resolve(printed.bytes)
    else at?.reject(new Error(`a page could not be printed: ${printed.failure}`))
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
      idle.timer = setTimeout(() => lose(idle, new Error('a page took too long')), patience_ms).unref()
      idle.worker.postMessage(next.order)
    }
  }

  return {
    get alive() {
      return threads.size
    },
    async print(order) {
      if (closed || queue.length >= room) throw new PrinterBusy()
      return new Promise((resolve, reject) => {
        queue.push({ order, resolve, reject })
        share()
      })
    },
    async close() {
      closed = true
      for (const { reject } of queue.splice(0)) reject(new PrinterBusy())
      await Promise.all(
        [...threads].map((thread) => {
          lose(thread, new PrinterBusy())
          return thread.worker.terminate()
        }),
      )
    },
  }
}
