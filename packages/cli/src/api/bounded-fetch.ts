import { UnexpectedAnswerError } from '@timbre/sdk/core'

const MIB = 1024 * 1024
const MOST_JSON_MIB = 32
const MOST_FILE_MIB = 512

/** `fetch` whose answers end: whatever stands at the address, it does not fill the memory of this machine. */
export const boundedFetch: typeof fetch = async (input, init) => {
  const response = await fetch(input, init)
  if (!response.body) return response
  const is_file = response.ok && !/\b(json|html|text)\b/.test(response.headers.get('content-type') ?? 'text')
  const most = is_file ? MOST_FILE_MIB : MOST_JSON_MIB
  let bytes = 0
  const counted = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      bytes += chunk.byteLength
      if (bytes <= most * MIB) controller.enqueue(chunk)
      else controller.error(endless(most, response.status))
    },
  })
  return new Response(response.body.pipeThrough(counted), response)
}

function endless(mib: number, status: number): UnexpectedAnswerError {
  const message = `The answer has more than ${mib} MiB: this is not an answer of Timbre.`
  return new UnexpectedAnswerError({ code: 'unexpected_answer', message, status })
}
