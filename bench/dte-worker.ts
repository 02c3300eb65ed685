import { parentPort, workerData } from 'node:worker_threads'
import { makeSubject } from './dte-subject.ts'

/** Emits, or only signs, for so many milliseconds each time it is asked, and answers how many it did. */
const subject = makeSubject(33, workerData.bits)
const warm = makeSubject(33, 1024)
for (let index = 1; index <= 1500; index++) warm.emit(index)

parentPort?.on('message', ({ kind, ms }: { kind: 'emit' | 'bare'; ms: number }) => {
  const end = performance.now() + ms
  let done = 0
  while (performance.now() < end) {
    if (kind === 'emit') subject.emit(done + 1)
    else subject.bare()
    done++
  }
  parentPort?.postMessage(done)
})
parentPort?.postMessage('ready')
