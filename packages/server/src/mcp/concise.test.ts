import { describe, expect, it } from 'vitest'
import { concise, conciseValue } from './concise.ts'

describe('an answer for a mind', () => {
  it('leaves out what is empty and what tells nothing, and keeps zero, false and an empty list', () => {
    const answer = {
      object: 'list',
      data: [],
      has_more: false,
      total: 0,
      note: null,
      tags: [],
      address: { street: null },
    }
    expect(conciseValue(answer)).toEqual({ data: [], has_more: false, total: 0 })
  })

  it('keeps an address that is told once, and the kind of a thing', () => {
    const link = { url: 'https://example.cl/d/x', pdf_url: 'https://example.cl/pdf', source: { type: 'statement' } }
    expect(conciseValue(link)).toEqual({ url: link.url, source: { type: 'statement' } })
  })

  it('tells of a refusal what helps, and leaves a file as it is', () => {
    const structure = JSON.stringify({ error: { type: 'api_error', code: 'x', hint: 'y', request_id: 'req_1' } })
    expect(concise({ structure }).structure).toBe('{"error":{"code":"x","hint":"y"}}')
    const file = { blocks: [{ type: 'resource' }] }
    expect(concise(file)).toBe(file)
  })
})
