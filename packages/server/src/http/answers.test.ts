import pg from 'pg'
import pino from 'pino'
import { describe, expect, it } from 'vitest'
import { ShareExhausted } from '../kernel/connection-shares.ts'
import { toProblem } from './answers.ts'

const silent = pino({ level: 'silent' })
const failure = (code: string) => Object.assign(new pg.DatabaseError('canceled', 8, 'error'), { code })
const said = (code: string) => toProblem(failure(code), silent, 'req_1')

describe('a failure of the database, as it is told', () => {
  it('503 says of a statement that took too long that it may ask for too much, and not that others were in the way', () => {
    const told = said('57014')
    expect(told).toMatchObject({ code: 'service_unavailable', status: 503 })
    expect(told.message).toContain('did not finish within 30 seconds, and nothing was changed')
    expect(told.message).toContain('ask for less')
  })

  it('503 says of a conflict that others kept changing the same thing', () => {
    for (const code of ['40P01', '40001', '55P03']) {
      expect(said(code)).toMatchObject({ code: 'service_unavailable', status: 503 })
      expect(said(code).message).toContain('Other calls kept changing')
    }
  })

  it('429 with a wait says of an account whose connections are all at work that it sends too much at a time', () => {
    const told = toProblem(new ShareExhausted(), silent, 'req_1')
    expect(told).toMatchObject({ code: 'rate_limited', status: 429, retry_after_seconds: expect.any(Number) })
    expect(told.message).toContain('Send fewer calls at a time')
  })

  it('500 for any other', () => {
    expect(said('42P01')).toMatchObject({ code: 'internal_error', status: 500 })
  })
})
