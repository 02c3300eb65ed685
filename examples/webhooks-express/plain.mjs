import { createHmac, timingSafeEqual } from 'node:crypto'
import { createServer } from 'node:http'

/** Whether this body was sent by whoever knows the secret, within five minutes. Whatever the header holds, it only says yes or no. */
export function isGenuine(body, header, secret, now = Date.now() / 1000) {
  const parts = String(header ?? '')
    .split(',')
    .map((part) => part.trim().split('='))
  const valuesOf = (name) => parts.filter(([key]) => key === name).map(([, value = '']) => value)
  const [time = ''] = valuesOf('t')
  if (!/^\d{1,12}$/.test(time) || Math.abs(now - Number(time)) >= 300) return false
  const mine = createHmac('sha256', secret).update(`${time}.`).update(body).digest()
  return valuesOf('v1').some((signature) => {
    const theirs = Buffer.from(signature, 'hex') // what is no hex decodes to fewer bytes
    return theirs.length === mine.length && timingSafeEqual(theirs, mine)
  })
}

/** Stores what happened, by its id: a delivery may come twice. */
const seen = new Map()

async function answer(request, secret) {
  const chunks = []
  for await (const chunk of request) chunks.push(chunk)
  const body = Buffer.concat(chunks)
  if (!isGenuine(body, request.headers['svc-signature'], secret)) return 400
  const event = JSON.parse(body)
  if (!seen.has(event.id)) console.log(event.type, event.data.object.id ?? '')
  seen.set(event.id, event)
  return 204
}

const server = createServer(async (request, response) => {
  // A fault of ours is a 500: the delivery comes again.
  const status = await answer(request, process.env.WEBHOOK_SECRET).catch(() => 500)
  response.writeHead(status).end()
})
server.listen(process.env.PORT ?? 4000, '127.0.0.1', () => console.log(`listening on ${server.address().port}`))
