import { availableParallelism } from 'node:os'
import { type MeasuredLogo, type Printer, PrinterBusy, type PrintOrder } from '../../ports/printer.ts'
import { openThreadPool } from './pool.ts'

/** What the threads are asked for: a page, or what a picture measures. */
export type PrinterOrder = { readonly page: PrintOrder } | { readonly logo: Uint8Array }

export interface PrinterOptions {
  /** One core stays with the event loop; more than four threads would cost more memory than pages are worth. */
  readonly threads?: number
  /** How many pages may wait: about a second of work for each thread. */
  readonly waiting?: number
  readonly idle_ms?: number
  /** The longest page takes under a second; one that takes this long never ends. */
  readonly timeout_ms?: number
  /** What a thread may hold before it is ended: a page needs a tenth of it. */
  readonly memory_mb?: number
}

/** Pages are drawn on threads; the engine and its fonts are loaded there alone. */
export function threadPrinter(options: PrinterOptions = {}): Printer & { readonly alive: number } {
  const max_threads = options.threads ?? Math.min(4, Math.max(1, availableParallelism() - 1))
  const threads = openThreadPool<PrinterOrder, Uint8Array | MeasuredLogo>({
    program: 'printer-thread',
    what: 'a page',
    max_threads,
    max_waiting: options.waiting ?? max_threads * 64,
    idle_ms: options.idle_ms ?? 30_000,
    timeout_ms: options.timeout_ms ?? 30_000,
    memory_mb: options.memory_mb ?? 256,
    busy: () => new PrinterBusy(),
  })
  return {
    get alive() {
      return threads.alive
    },
    print: (page, owner) => threads.run({ page }, owner) as Promise<Uint8Array>,
    measureLogo: (logo, owner) => threads.run({ logo }, owner) as Promise<MeasuredLogo>,
    close: () => threads.close(),
  }
}
