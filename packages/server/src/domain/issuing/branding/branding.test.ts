import { deflateSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { behind } from '../../../../test/support/lock-contention.ts'
import { openWorld, randomRut, type World } from '../../../../test/support/world.ts'
import { CEILINGS } from '../../../catalog/limits.ts'
import type { Sql } from '../../../kernel/db.ts'

let world: World
let account: string
let key: string
beforeAll(async () => {
  world = await openWorld()
  account = await world.account()
  key = await world.key(account)
})
afterAll(() => world.close())

async function make(by = key, more: object = {}) {
  const body = { rut: randomRut(), legal_name: 'Imprenta Uno', ...more }
  return (await world.post('/v1/empresas', { key: by, body })).body
}
const at = (id: string) => `/v1/empresas/${id}/branding`
const patch = (id: string, body: object, by = key) => world.patch(at(id), { key: by, body })

function chunk(kind: string, data: Buffer): Buffer {
  const length = Buffer.alloc(4)
  length.writeUInt32BE(data.length)
  return Buffer.concat([length, Buffer.from(kind, 'latin1'), data, Buffer.alloc(4)])
}

interface Shape {
  width?: number
  height?: number
  depth?: number
  interlaced?: boolean
  padding?: number
  color?: number
  pixels?: Buffer
}

function png({
  width = 3,
  height = 2,
  depth = 8,
  interlaced = false,
  padding = 0,
  color = 0,
  pixels,
}: Shape = {}): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([depth, color, 0, 0, interlaced ? 1 : 0], 8)
  const signature = Buffer.from('89504e470d0a1a0a', 'hex')
  const image = chunk('IDAT', pixels ?? deflateSync(Buffer.alloc(64)))
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    chunk('tEXt', Buffer.alloc(padding)),
    image,
    chunk('IEND', Buffer.alloc(0)),
  ])
}

/** A comment segment first, as cameras and editors write, then the frame that tells the size. */
function jpeg(width: number, height: number, kind = 'ffc0'): Buffer {
  const frame = Buffer.from(`${kind}000b080000000001011100`, 'hex')
  frame.writeUInt16BE(height, 5)
  frame.writeUInt16BE(width, 7)
  return Buffer.concat([
    Buffer.from('ffd8fffe00056f6c61', 'hex'),
    frame,
    Buffer.from('ffda00080101003f0000ffd9', 'hex'),
  ])
}

const content = (bytes: Buffer) => ({ logo: { content: bytes.toString('base64') } })

describe('GET /v1/empresas/{empresa_id}/branding', () => {
  it('200 shows the plain look before anything was set', async () => {
    const { id } = await make()
    const sent = await world.get(at(id), { key })
    expect(sent.status).toBe(200)
    expect(sent.body).toEqual({
      object: 'branding',
      id,
      logo: null,
      print_format: 'letter',
      footer_text: null,
      updated_at: null,
    })
  })

  it('404 for another account and 403 outside the allowlist', async () => {
    const { id } = await make()
    const stranger = await world.key(await world.account())
    const token = await world.key(account, { empresas: [randomRut()] })
    expect((await world.get(at(id), { key: stranger })).body.error.code).toBe('empresa_not_found')
    expect((await patch(id, { footer_text: 'x' }, stranger)).body.error.code).toBe('empresa_not_found')
    expect((await patch(id, { footer_text: 'x' }, token)).body.error.code).toBe('empresa_not_allowed')
  })
})

describe('PATCH /v1/empresas/{empresa_id}/branding', () => {
  it('200 keeps a PNG and gives it back byte for byte with its size', async () => {
    const { id } = await make()
    const bytes = png()
    const sent = await patch(id, content(bytes))
    expect(sent.status).toBe(200)
    expect(sent.body.logo).toEqual({
      content: bytes.toString('base64'),
      media_type: 'image/png',
      width: 3,
      height: 2,
      size: bytes.length,
    })
    expect((await world.get(at(id), { key })).body).toEqual(sent.body)
  })

  it('200 reads a JPEG by its own bytes', async () => {
    const { id } = await make()
    const { body } = await patch(id, content(jpeg(640, 480)))
    expect(body.logo).toMatchObject({ media_type: 'image/jpeg', width: 640, height: 480 })
  })

  it('200 leaves what was not sent and clears with null', async () => {
    const { id } = await make()
    const set = await patch(id, {
      ...content(png()),
      print_format: 'ticket_80',
      footer_text: 'Gracias por su compra\nÑuñoa',
    })
    expect(set.body).toMatchObject({ print_format: 'ticket_80' })
    const cleared = await patch(id, { logo: null })
    expect(cleared.body).toMatchObject({
      logo: null,
      print_format: 'ticket_80',
      footer_text: 'Gracias por su compra\nÑuñoa',
    })
    expect((await patch(id, { footer_text: null })).body).toMatchObject({
      footer_text: null,
      print_format: 'ticket_80',
    })
    expect((await patch(id, { print_format: 'ticket_58' })).body.print_format).toBe('ticket_58')
  })

  it('200 keeps both of two changes made at once', async () => {
    const { id } = await make()
    await patch(id, { print_format: 'letter' })
    const other = {
      hold: (sql: Sql) => sql`select 1 from branding where empresa_id = ${id} for update`,
      change: (sql: Sql) => sql`update branding set footer_text = 'Hola' where empresa_id = ${id}`,
    }
    await behind(world, other, () => patch(id, { print_format: 'ticket_58' }))
    expect((await world.get(at(id), { key })).body).toMatchObject({ footer_text: 'Hola', print_format: 'ticket_58' })
  })

  it('200 takes a logo of exactly the largest size and 400 refuses one byte more', async () => {
    const { id } = await make()
    const padding = CEILINGS.logo_bytes - png().length
    expect((await patch(id, content(png({ padding })))).status).toBe(200)
    const refused = await patch(id, content(png({ padding: padding + 1 })))
    expect(refused.status).toBe(400)
    expect(refused.body.error).toMatchObject({ code: 'invalid_field', param: 'logo.content' })
  })

  const cases: readonly (readonly [title: string, body: object, param: string, says: string])[] = [
    [
      'bytes that are no picture',
      content(Buffer.from('GIF89a, or so it says')),
      'logo.content',
      'neither a PNG nor a JPEG',
    ],
    ['an empty file', { logo: { content: '' } }, 'logo.content', 'neither a PNG nor a JPEG'],
    ['text that is no base64', { logo: { content: 'no%es' } }, 'logo.content', 'base64'],
    [
      'a data: address',
      { logo: { content: `data:image/png;base64,${png().toString('base64')}` } },
      'logo.content',
      'base64',
    ],
    ['a PNG cut short', content(png().subarray(0, 40)), 'logo.content', 'damaged PNG'],
    [
      'a PNG whose pixels do not unpack',
      content(png({ color: 6, pixels: Buffer.from('no') })),
      'logo.content',
      'damaged PNG',
    ],
    ['a PNG of 16 bits', content(png({ depth: 16 })), 'logo.content', '16 bits'],
    ['a PNG of a depth that does not exist', content(png({ depth: 3 })), 'logo.content', 'does not exist'],
    [
      'a PNG with a filter that does not exist',
      content(png({ pixels: deflateSync(Buffer.alloc(8, 255)) })),
      'logo.content',
      'damaged PNG',
    ],
    ['a lossless JPEG', content(jpeg(8, 8, 'ffc3')), 'logo.content', 'cannot be printed'],
    ['an interlaced PNG', content(png({ interlaced: true })), 'logo.content', 'interlac'],
    ['a picture without width', content(png({ width: 0 })), 'logo.content', '0 by 2'],
    ['a picture too wide', content(png({ width: 4001 })), 'logo.content', '4001 by 2'],
    ['a picture of too many pixels', content(jpeg(2001, 2000)), 'logo.content', '2001 by 2000'],
    ['a JPEG without a frame', content(Buffer.from('ffd8fffe00056f6c61ffd9', 'hex')), 'logo.content', 'damaged JPEG'],
    [
      'a media type of the caller',
      { logo: { content: '', media_type: 'image/png' } },
      'logo.media_type',
      'no such field',
    ],
    ['an unknown format', { print_format: 'a4' }, 'print_format', 'one of'],
    ['a footer of 301 characters', { footer_text: 'x'.repeat(301) }, 'footer_text', '300'],
    ['a footer outside ISO-8859-1', { footer_text: 'Gracias 💛' }, 'footer_text', 'ISO-8859-1'],
    ['a blank footer', { footer_text: ' ' }, 'footer_text', 'blank'],
  ]
  for (const [title, body, param, says] of cases) {
    it(`400 invalid_field names ${param} for ${title}`, async () => {
      const { id } = await make()
      const refused = await patch(id, body)
      expect(refused.status).toBe(400)
      expect(refused.body.error).toMatchObject({ code: 'invalid_field', param })
      expect(refused.body.error.message).toContain(says)
    })
  }

  it('403 empresa_inactive once it is archived, though it can still be read', async () => {
    const { id } = await make()
    await world.patch(`/v1/empresas/${id}`, { key, body: { status: 'archived' } })
    expect((await patch(id, { footer_text: 'x' })).body.error.code).toBe('empresa_inactive')
    expect((await world.get(at(id), { key })).status).toBe(200)
  })

  it('200 in live mode too', async () => {
    const live = await world.key(account, { mode: 'live' })
    const { id } = await make(live, { origen: 'ninguno' })
    expect((await patch(id, { footer_text: 'Hola' }, live)).body.footer_text).toBe('Hola')
  })
})
