import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { FACTURA, type Issuer, ITEMS, openIssuer, RECEPTOR } from '../../test/support/issuer.ts'
import { accepted } from '../../test/support/settle-document.ts'
import { OPERATOR_SECRET, openWorld, randomRut, type World } from '../../test/support/world.ts'
import { CEILINGS } from '../catalog/limits.ts'
import { errorBody, type Problem } from '../kernel/problem.ts'
import { validate } from '../kernel/validate.ts'
import { OPERATIONS } from '../operations.ts'

let world: World
let issuer: Issuer
let key: string
beforeAll(async () => {
  world = await openWorld({ runs_jobs: false, operator_secret: OPERATOR_SECRET })
  issuer = await openIssuer(world)
  key = await world.key(issuer.account)
})
afterAll(() => world.close())

type Told = readonly [param: string, code: string, message: string]

interface Refused {
  readonly status: number
  readonly body: {
    readonly error: {
      code: string
      param: string
      message: string
      details: { errors: readonly { param: string; code: string; message: string }[]; errors_truncated?: true }
    }
  }
}

/** All faults of an answer, the one that stands beside `details` first. */
function told({ status, body: { error } }: Refused): readonly Told[] {
  const faults = error.details.errors.map(({ param, code, message }): Told => [param, code, message])
  expect([status, [error.param, error.code, error.message]]).toEqual([400, faults[0]])
  return faults
}

const missing = (param: string, code = 'invalid_field'): Told => [param, code, `${param}: it is required.`]
const unknown = (param: string): Told => [param, 'invalid_field', `${param}: there is no such field.`]
const wrong = (param: string, why: string): Told => [param, 'invalid_field', `${param}: ${why}.`]
const needed = (param: string): Told => [param, 'receptor_incomplete', `${param} is needed for this tipo_dte.`]

const INPUTS: [string, string, object, readonly Told[]][] = [
  [
    'the schema of a document',
    '/v1/documents',
    { tipo_dte: 34.5, items: [{ description: '', quantity: 0 }], issue_date: '2026-02-30', receptor: {}, zz: 1 },
    [
      unknown('zz'),
      wrong('tipo_dte', 'it must be integer'),
      missing('receptor.rut', 'invalid_rut'),
      wrong('items[0].description', 'it must not be empty'),
      wrong('items[0].quantity', 'it must be > 0'),
      wrong('issue_date', 'it must be a date that exists, as YYYY-MM-DD'),
    ],
  ],
  [
    'lines far from each other, one too many of them, and pairs of metadata',
    '/v1/documents',
    {
      tipo_dte: 39,
      items: Array.from({ length: 1_001 }, (_, line) => ({ description: line === 700 || line === 800 ? 7 : 'Pan' })),
      metadata: { 'a/b': 1, 0: 'x', c: { d: 1 } },
    },
    [
      wrong('items[1000]', 'at most 1000 are taken'),
      wrong('items[700].description', 'it must be string'),
      wrong('items[800].description', 'it must be string'),
      wrong('metadata.a/b', 'it must be string'),
      wrong('metadata.c', 'it must be string'),
    ],
  ],
  [
    'a control character beside what the schema refuses',
    '/v1/documents',
    { tipo_dte: 39, items: [{ description: 'a\u0000b' }], external_id: 7, pdf: { format: 'a5' } },
    [
      ['items[0].description', 'invalid_field', 'items[0].description: it holds a control character or a broken one.'],
      wrong('external_id', 'it must be string'),
      wrong('pdf.format', 'it must be one of letter, ticket_80, ticket_58'),
    ],
  ],
  [
    'an empresa',
    '/v1/empresas',
    { rut: '76192083-1', legal_name: 7, contact_email: 'nobody' },
    [
      ['rut', 'invalid_rut', 'rut: it must be ########-D with the right check digit.'],
      wrong('legal_name', 'it must be string'),
      wrong('contact_email', 'it must be an e-mail address'),
    ],
  ],
  [
    'a webhook',
    '/v1/webhook_endpoints',
    { description: 3, enabled_events: ['document.nope', '*', 'nope'] },
    [
      missing('url'),
      wrong('description', 'it must be string'),
      wrong('enabled_events[0]', 'it must be an event type, a family of them such as document.*, or *'),
      wrong('enabled_events[2]', 'it must be an event type, a family of them such as document.*, or *'),
    ],
  ],
]

describe('a refused input', () => {
  it.each(INPUTS)(
    '400 tells all that is wrong, the first fault as it would be alone: %s',
    async (_what, path, body, faults) => {
      const own = path === '/v1/documents' ? { empresa: issuer.rut } : {}
      expect(told(await world.post(path, { key, ...own, body }))).toEqual(faults)
    },
  )

  it('400 tells all that is wrong with a query', async () => {
    const sent = await issuer.get('/v1/documents?limit=0x10&status=nope&from=yesterday&tipo_dte=1e2')
    expect(told(sent)).toEqual([
      ['from', 'invalid_field', 'from: there is no such query parameter.'],
      wrong('status', 'it must be one of queued, sent, accepted, reparo, rejected, annulled, failed'),
      wrong('tipo_dte', 'it must be an integer'),
      wrong('limit', 'it must be an integer'),
    ])
  })

  it('400 tells what is wrong with the address and with the body in one answer, the address first', async () => {
    const sent = await issuer.post('/v1/documents?zz=1', { tipo_dte: 39, items: [{ description: 7 }] })
    expect(told(sent)).toEqual([
      ['zz', 'invalid_field', 'zz: there is no such query parameter.'],
      wrong('items[0].description', 'it must be string'),
    ])
    const unread = await world.post('/v1/documents?zz=1', {
      key,
      empresa: issuer.rut,
      raw: '{',
      headers: { 'content-type': 'application/json' },
    })
    expect(told(unread)).toEqual([['zz', 'invalid_field', 'zz: there is no such query parameter.']])
  })

  it('400 tells one fault too, in the same place', async () => {
    expect(told(await issuer.create({ ...FACTURA, zz: 1 }))).toEqual([unknown('zz')])
  })

  it('400 tells fifty at most, and says that there are more', async () => {
    const many = Object.fromEntries(Array.from({ length: 30_000 }, (_, at) => [`k${at}`, at]))
    const sent = (await issuer.create(many)) as Refused
    expect(told(sent)).toHaveLength(CEILINGS.errors_told)
    expect(sent.body.error.details.errors_truncated).toBe(true)
    const long = await issuer.create(Object.fromEntries(['a', 'b', 'c'].map((letter) => [letter.repeat(900), 1])))
    expect(long.body.error.details).not.toHaveProperty('errors_truncated')
  })
})

describe('a document that is refused', () => {
  it('400 receptor_incomplete names every field that lacks, and what is wrong beside them', async () => {
    const receptor = { rut: randomRut(), address: { street: 'Uno 1' } }
    const items = [
      ...ITEMS,
      { description: 'Sin precio' },
      { description: 'Mucho', unit_price: 5, discount: { amount: 9 } },
    ]
    const references = [
      { document_id: 'doc_nope' },
      { tipo_dte: 33, folio: 'x' },
      { document_type: '801', date: '2026-01-05' },
    ]
    const sent = await issuer.create({ tipo_dte: 33, receptor, items, references, issue_date: '2049-12-31' })
    expect(told(sent)).toEqual([
      needed('receptor.giro'),
      needed('receptor.address.comuna'),
      needed('receptor.legal_name'),
      wrong('references[0].document_id', 'no document of this empresa has this id'),
      wrong('references[1].folio', 'the folio of an electronic document is a number, in digits'),
      wrong(`items[${ITEMS.length}].unit_price`, 'it is required; 0 for what is given away'),
      ['issue_date', 'invalid_field', expect.stringMatching(/^issue_date is later than /)],
      [
        `items[${ITEMS.length + 1}].discount`,
        'invalid_field',
        expect.stringContaining('is more than the line is worth'),
      ],
      ['references[2].folio', 'invalid_field', 'references[2].folio is needed'],
    ])
  })

  it('400 receptor_incomplete of a factura without a receptor asks for all of it at once', async () => {
    const fields = ['rut', 'giro', 'address.street', 'address.comuna', 'legal_name']
    const sent = await issuer.create({ tipo_dte: 33, items: ITEMS })
    expect(told(sent)).toEqual(fields.map((field) => needed(`receptor.${field}`)))
  })

  it('400 names every line and every field that breaks a rule between fields', async () => {
    const line = { description: 'Mesa', quantity: 1, unit_price: 1000 }
    const items = [{ ...line, discount: {} }, line, { ...line, exempt: true, billing: 'non_billable' }]
    const sent = await issuer.create({ ...FACTURA, receptor: RECEPTOR, items, sale_type: 4 })
    expect(told(sent).map(([param]) => param)).toEqual(['sale_type', 'items[0].discount', 'items[2].billing'])
  })
})

describe('what a verb refuses by its own rules', () => {
  const empresa = () => `/v1/empresas/${issuer.empresa_id}`
  const paramsOf = (sent: Refused) => told(sent).map(([param]) => param)

  it('400 of a cesión tells every term that does not hold', async () => {
    const document = await accepted(world, issuer, FACTURA)
    const cesionario = {
      rut: issuer.rut,
      legal_name: 'Yo',
      address: { street: 'Uno 1', comuna: 'Maipú' },
      email: 'a@b.cl',
    }
    const terms = { cesionario, amount: 999_999_999, due_date: '2020-01-01' }
    const sent = await issuer.post(`/v1/documents/${document.id}/cede`, terms)
    expect(paramsOf(sent)).toEqual(['cesionario.rut', 'amount', 'due_date', 'contact.email'])
  })

  it('400 of a certificate asks for the file and its password at once', async () => {
    expect(paramsOf(await world.post(`${empresa()}/certificate`, { key, body: {} }))).toEqual(['file', 'password'])
  })

  it('400 of a mandato tells the signer that lacks and the text that is none', async () => {
    const signs = await world.key(issuer.account, { scopes: ['mandato:attest'] })
    const sent = await world.post(`${empresa()}/mandato`, { key: signs, body: { terms_version: 'nunca' } })
    expect(paramsOf(sent)).toEqual(['signer', 'terms_version'])
  })

  it('400 of a proposal of the F29 tells its period, its rates and every code', async () => {
    const overrides = [
      { code: 115, amount: 1, reason: 'x' },
      { code: 1, amount: 1, reason: 'x' },
    ]
    const inputs = { ppm_rate: 0.12345, common_use_factor: 0.123456, overrides }
    const sent = await issuer.post('/v1/tax/f29/proposals/2049-01/recompute', inputs)
    expect(paramsOf(sent)).toEqual([
      'period',
      'ppm_rate',
      'common_use_factor',
      'overrides[0].code',
      'overrides[1].code',
    ])
  })

  it('400 of the outcome of a filing tells what lacks and what is too much', async () => {
    const headers = { 'svc-operator-secret': OPERATOR_SECRET }
    const path = `${empresa()}/f29/filings/f29_x/outcome`
    const accepts = { confirm: true, outcome: 'accepted', message: 'x' }
    expect(paramsOf(await world.post(path, { headers, body: accepts }))).toEqual(['folio', 'message'])
    const fails = { confirm: true, outcome: 'failed', folio: '1' }
    expect(paramsOf(await world.post(path, { headers, body: fails }))).toEqual(['message', 'folio'])
  })
})

interface Shape {
  readonly type?: unknown
  readonly properties?: Readonly<Record<string, Shape>>
  readonly required?: readonly string[]
  readonly additionalProperties?: false | Shape
  readonly items?: Shape
  readonly 'x-whole'?: true
}

/** A value that is wrong in every field of a schema, and the names of those fields. */
function wrongEverywhere(shape: Shape, at = ''): { value: unknown; params: string[] } {
  const { properties, items, additionalProperties: pairs } = shape
  if (properties) {
    const inner = Object.entries(properties).map(
      ([key, field]) => [key, wrongEverywhere(field, at ? `${at}.${key}` : key)] as const,
    )
    return {
      value: Object.fromEntries(inner.map(([key, { value }]) => [key, value])),
      params: inner.flatMap(([, { params }]) => params),
    }
  }
  if (items) {
    const { value, params } = wrongEverywhere(items, items['x-whole'] ? at : `${at}[0]`)
    return { value: [value], params }
  }
  if (pairs) {
    const { value, params } = wrongEverywhere(pairs, `${at}.pair`)
    return { value: { pair: value }, params }
  }
  // What takes anything is judged by its verb.
  return { value: { never: 'right' }, params: shape.type === undefined ? [] : [at] }
}

function refusalBy(schema: Shape, value: unknown, place: 'query' | 'body') {
  try {
    validate(schema as never, value, place)
  } catch (error) {
    const { param, message, details } = errorBody(error as Problem, { request_id: 'req_1', docs_url: 'http://x' })
    return { param, message, ...(details as { errors: { param: string }[]; errors_truncated?: true }) }
  }
  throw new Error('it was taken')
}

describe('every operation', () => {
  const parts = OPERATIONS.flatMap(({ id, body, query, dashboardBody }) =>
    Object.entries({ query, body, dashboardBody }).flatMap(([name, schema]) =>
      schema ? [[id, name, schema as unknown as Shape] as const] : [],
    ),
  )

  it('tells three fields that it does not know, and all that it misses', () => {
    for (const [id, name, schema] of parts) {
      const { errors, message } = refusalBy(schema, { zz_a: 1, zz_b: 2, zz_c: 3 }, name === 'query' ? 'query' : 'body')
      expect([id, errors.map(({ param }) => param)]).toEqual([id, ['zz_a', 'zz_b', 'zz_c', ...(schema.required ?? [])]])
      expect(message).toBe(`zz_a: there is no such ${name === 'query' ? 'query parameter' : 'field'}.`)
    }
  })

  it('tells every field that is wrong by its own name', () => {
    for (const [id, name, schema] of parts.filter(([, , { properties = {} }]) => Object.keys(properties).length > 0)) {
      const { value, params } = wrongEverywhere(schema)
      const { param, errors, errors_truncated = false } = refusalBy(schema, value, name === 'query' ? 'query' : 'body')
      expect([id, errors[0]?.param]).toEqual([id, param])
      expect([id, errors_truncated]).toEqual([id, params.length > errors.length])
      expect(params).toEqual(expect.arrayContaining(errors.map((one) => one.param)))
      if (!errors_truncated) expect([id, errors.length]).toEqual([id, params.length])
    }
  })
})
