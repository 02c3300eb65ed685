// A service that mails documents through a real SMTP server, and what arrived there.

import PostalMime, { type Email } from 'postal-mime'
import { smtpMail } from '../../src/adapters/smtp/mail.ts'
import { type Issuer, openIssuer } from './issuer.ts'
import { type Received, type Smtp, startSmtp } from './smtp-server.ts'
import { openWorld, type Sent, type World, type WorldOptions } from './world.ts'

export interface SentJob {
  readonly status: string
  readonly attempts: number
  readonly result: { document_id: string; recipients: { to: string; sent: boolean; reason: string | null }[] } | null
  readonly error: { code: string } | null
}

interface EmailEvent {
  readonly type: string
  readonly object: object
  readonly detail: { to: string; job_id: string; reason?: string }
}

export const RECEPTOR_RUT = '77123456-9'

/** A service that mails through a real SMTP server on loopback. */
export class Post {
  readonly world: World
  readonly smtp: Smtp

  constructor(world: World, smtp: Smtp) {
    this.world = world
    this.smtp = smtp
  }

  /** An issuer that may send: a live one that pays nothing unless told otherwise. */
  async issuer(options: { mode?: 'test' | 'live'; empresa?: object; account?: string } = {}): Promise<Issuer> {
    const { mode = 'live', empresa = {} } = options
    const account = options.account ?? (await this.world.account({ plan: 'house' }))
    const scopes = ['documents:read', 'documents:write', 'empresas:write', 'webhooks:read'] as const
    return openIssuer(this.world, { mode, account, scopes, empresa })
  }

  send(issuer: Issuer, id: string, body?: object): Promise<Sent> {
    return issuer.post(`/v1/documents/${id}/send`, body)
  }

  /** A sending as its job tells it once nobody is at it, be it over or waiting for another try. */
  async rested(issuer: Issuer, job_id: string): Promise<SentJob> {
    let job!: SentJob
    await this.world.until(async () => {
      const { body } = await this.world.get(`/v1/jobs/${job_id}`, { key: issuer.key })
      job = body
      return body.finished_at !== null || (body.status === 'queued' && Boolean(body.error))
    })
    return job
  }

  async sendToTheEnd(issuer: Issuer, id: string, body?: object): Promise<SentJob> {
    const sent = await this.send(issuer, id, body)
    if (sent.status !== 202) throw new Error(sent.text)
    return this.rested(issuer, sent.body.id)
  }

  /** Has a waiting sending tried again now, by default not for the last time. */
  async tryAgain(issuer: Issuer, job_id: string, options: { last?: boolean } = {}): Promise<SentJob> {
    const { sql } = this.world.db
    if (options.last) await sql`update job set attempts = max_attempts - 1 where id = ${job_id}`
    await sql`update job set run_at = now(), parked = false, error = null where id = ${job_id} and status = 'queued'`
    this.world.app.worker.wake()
    return this.rested(issuer, job_id)
  }

  lettersTo(address: string): Received[] {
    return this.smtp.received.filter(({ envelope }) => envelope.to.includes(address))
  }

  /** What was told of a document, oldest first. */
  async told(issuer: Issuer, id: string): Promise<EmailEvent[]> {
    const { body } = await this.world.get(`/v1/events?empresa_rut=${issuer.rut}&limit=100`, { key: issuer.key })
    const events: { type: string; data: { object: { id: string }; detail: EmailEvent['detail'] } }[] = body.data
    return events
      .filter(({ type, data }) => /^document\.email/.test(type) && data.object.id === id)
      .map(({ type, data }) => ({ type, ...data }))
      .reverse()
  }

  addContact(issuer: Issuer, body: object): Promise<Sent> {
    const path = `/v1/empresas/${issuer.empresa_id}/counterparties/${RECEPTOR_RUT}/contacts`
    return this.world.post(path, { key: issuer.key, body })
  }

  async close(): Promise<void> {
    await this.world.close()
    await this.smtp.close()
  }
}

export async function openPost(options: WorldOptions = {}): Promise<Post> {
  const smtp = await startSmtp()
  const mail = smtpMail({ url: `smtp://127.0.0.1:${smtp.port}`, from: 'Timbre <no-responder@timbre.cl>' })
  return new Post(await openWorld({ mail, ...options }), smtp)
}

export function readLetter(letter: Received | undefined): Promise<Email> {
  return PostalMime.parse(letter?.raw ?? Buffer.alloc(0))
}
