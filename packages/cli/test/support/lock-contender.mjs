// A process that asks for the checkpoint named on each line of its stdin, says `held` or `busy`, and gives it back on `release`.
import { createInterface } from 'node:readline'
import { lockCheckpoint } from '../../dist/listen/lock.js'

let release = () => undefined
for await (const line of createInterface({ input: process.stdin })) {
  if (line === 'release') {
    release()
    release = () => undefined
    console.log('released')
    continue
  }
  try {
    release = await lockCheckpoint(line)
    console.log('held')
  } catch (error) {
    console.log(error.exit)
  }
}
