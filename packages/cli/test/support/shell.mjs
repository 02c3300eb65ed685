// A process that runs one command after the other, as a person types them. Each has its own environment, input and
// output; they share what a start costs, which is nearly all that a command costs.
import { PassThrough, Readable, Writable } from 'node:stream'
import { main } from '../../dist/main.js'

/** A stream in place of one of the process, and what was written to it. */
function replaceOutput(name) {
  const chunks = []
  const stream = new Writable({
    write(chunk, _encoding, done) {
      chunks.push(chunk)
      done()
    },
  })
  Object.defineProperty(process, name, { configurable: true, value: stream })
  return () => Buffer.concat(chunks).toString('utf8')
}

process.on('message', async ({ args, env, input }) => {
  process.env = env
  const stdin = input === '' ? new PassThrough().end() : Readable.from([Buffer.from(input)])
  Object.defineProperty(process, 'stdin', { configurable: true, value: stdin })
  const stdout = replaceOutput('stdout')
  const stderr = replaceOutput('stderr')
  const code = await main(args)
  process.send({ code, stdout: stdout(), stderr: stderr() })
})
