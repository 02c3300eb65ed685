import { expect, it } from 'vitest'
import { previousAttributes } from './previous-attributes.ts'

const document = { status: 'sent', sii: { estado: null, notes: ['a', { b: 1 }] }, metadata: {}, folio: 7 }
const changed = (change: object) => previousAttributes(document, { ...structuredClone(document), ...change })

it('gives nothing where everything is the same, whoever made it', () => {
  expect(changed({})).toBeNull()
})

it.each([
  ['a field', { status: 'accepted' }],
  ['a member deep inside', { sii: { estado: null, notes: ['a', { b: 2 }] } }],
  ['a member that is new', { sii: { estado: null, notes: ['a', { b: 1 }], glosa: null } }],
  ['a member that is gone', { sii: { notes: ['a', { b: 1 }] } }],
  ['a member of another name', { sii: { estado: null, note: ['a', { b: 1 }] } }],
  ['a list that became longer', { sii: { estado: null, notes: ['a', { b: 1 }, 'c'] } }],
  ['an object that became a list', { metadata: [] }],
  ['a value that became nothing', { folio: null }],
  ['nothing that became an object', { sii: null }],
])('gives the former value of what changed: %s', (_, change) => {
  const [field] = Object.keys(change) as [keyof typeof document]
  expect(changed(change)).toEqual({ [field]: document[field] })
})
