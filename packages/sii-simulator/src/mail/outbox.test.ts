import { createServer } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { useWorld } from '../../test/support/world.ts'
import { deliverMails, queueMail } from './outbox.ts'

describe('e-mails', () => {
  const world = useWorld()
  let received = ''
  /** The least of an SMTP server: it says yes, and refuses one address. */
  const server = createServer((socket) => {
    let inData = false
    socket.write('220 hello\r\n')
    socket.on('data', (part) => {
      const text = part.toString('latin1')
      received += text
      if (inData) {
        if (text.endsWith('\r\n.\r\n')) {
          inData = false
          socket.write('250 kept\r\n')
        }
      } else if (/^DATA/i.test(text)) {
        inData = true
        socket.write('354 go on\r\n')
      } else socket.write(/^RCPT.*nobody/i.test(text) ? '550 no such person\r\n' : '250 ok\r\n')
    })
  })
  beforeAll(async () => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as { port: number }
    world.simulator.options.smtp = `smtp://127.0.0.1:${port}`
  })
  afterAll(() => server.close())

  it('hands each over once, and keeps it with what became of it', async () => {
    const attachment = { name: 'r.xml', xml: '<Ñ/>' }
    queueMail(world.simulator, { to: 'sii@empresa.cl', subject: 'Resultado', text: 'Adjunto', attachment })
    queueMail(world.simulator, { to: 'nobody@empresa.cl', subject: 'Otro', text: '', attachment: null })
    queueMail(world.simulator, { to: null, subject: 'A nadie', text: '', attachment: null })
    await deliverMails(world.simulator)
    const [sent, refused, unaddressed] = world.simulator.state.mails.values()
    expect(sent).toMatchObject({ error: null, sent_at: expect.any(Number) })
    expect(refused).toMatchObject({ error: expect.stringContaining('no such person'), sent_at: null })
    expect(unaddressed).toMatchObject({ error: null, sent_at: null })
    expect(received).toContain('filename=r.xml')
    received = ''
    await deliverMails(world.simulator)
    expect(received).toBe('')
  })
})
