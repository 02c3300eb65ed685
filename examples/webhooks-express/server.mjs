import { SignatureError, verify } from '@timbre/sdk'
import express from 'express'

const { PORT = '4242', WEBHOOK_SECRET } = process.env
const handled = new Set() // in your database, in the transaction of what you do

const app = express()

// #region receive
// The bytes as they came: a body that express.json() parsed and somebody wrote again has another signature.
app.post('/webhooks', express.raw({ type: '*/*', limit: '5mb' }), async (request, response) => {
  try {
    const event = await verify(request.body, request.headers, WEBHOOK_SECRET)
    if (!handled.has(event.id)) console.log(event.type, event.data.object.id ?? '')
    handled.add(event.id)
    response.sendStatus(204)
  } catch (error) {
    if (!(error instanceof SignatureError)) throw error // a 500: the delivery comes again
    response.status(400).send(error.message)
  }
})
// #endregion

const server = app.listen(Number(PORT), '127.0.0.1', () => console.log(`listening on ${server.address().port}`))
