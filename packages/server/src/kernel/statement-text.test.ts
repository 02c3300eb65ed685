import { expect, it } from 'vitest'
import { type Fragment, integers, joined, listed, name, nothing, part } from './fragment.ts'
import { compose } from './statement-text.ts'

const compiled = (strings: TemplateStringsArray, ...values: unknown[]) => compose(strings, values)
const asked = (filter: Fragment | string, other: Fragment | string) =>
  compiled`select ${name('id')} from t where ${filter} and ${other} and kind in ${integers([33, 34])}`

it('numbers the values of a statement in the order in which they stand, however deep', () => {
  const { statement, values } = asked(part`a = ${1} ${joined([part`or b = ${2}`, part`or c = ${3}`], ' ')}`, 'd')
  expect(statement.text).toBe('select id from t where a = $1 or b = $2 or c = $3 and $4 and kind in (33, 34)')
  expect(values).toEqual([1, 2, 3, 'd'])
})

it('makes the text of the same pieces once, whatever their values are', () => {
  const filter = (value: number) => part`a = ${value}`
  const [first, second] = [asked(filter(1), 'x'), asked(filter(2), 'y')]
  expect(second.statement).toBe(first.statement)
  expect(second.values).toEqual([2, 'y'])
})

it('tells statements apart by where a value stands and where a fragment', () => {
  const texts = [asked(nothing, 'x'), asked('x', nothing), asked('x', 'y'), asked(nothing, nothing)].map(
    ({ statement }) => statement.text,
  )
  expect(new Set(texts).size).toBe(4)
  expect(texts[1]).toBe('select id from t where $1 and  and kind in (33, 34)')
})

it('tells lists apart by their length and by what stands between', () => {
  const joinedBy = (count: number, separator: string) =>
    compiled`select ${joined(
      Array.from({ length: count }, (_, i) => part`${i}`),
      separator,
    )}`.statement.text
  expect(joinedBy(2, ', ')).toBe('select $1, $2')
  expect(joinedBy(3, ', ')).toBe('select $1, $2, $3')
  expect(joinedBy(2, ' + ')).toBe('select $1 + $2')
  expect(joinedBy(0, ', ')).toBe('select ')
})

it('names statements by their text: what differs has another name', () => {
  const names = [asked('x', 'y'), asked(part`a`, 'y'), asked(part`b`, 'y')].map(({ statement }) => statement.name)
  expect(new Set(names).size).toBe(3)
})

const saved = (ids: readonly string[], amounts: readonly number[]) =>
  compiled`insert into t select w.id, w.amount from (select ${listed.text(ids)} as id, ${listed.bigint(amounts)} as amount) w where ${true}`

it('sends rows as lists, and one row as its values: two statements, whatever the number of rows', () => {
  const [alone, two, three, none] = [
    saved(['a'], [1]),
    saved(['a', 'b'], [1, 2]),
    saved(['a', 'b', 'c'], [1, 2, 3]),
    saved([], []),
  ]
  expect(alone.statement.text).toBe(
    'insert into t select w.id, w.amount from (select $1::text as id, $2::bigint as amount) w where $3',
  )
  expect(alone.values).toEqual(['a', 1, true])
  expect(two.statement.text).toBe(
    'insert into t select w.id, w.amount from (select unnest($1::text[]) as id, unnest($2::bigint[]) as amount) w where $3',
  )
  expect(two.values).toEqual([['a', 'b'], [1, 2], true])
  expect([three.statement, none.statement]).toEqual([two.statement, two.statement])
  expect(none.values).toEqual([[], [], true])
  expect(saved(['z'], [9]).statement).toBe(alone.statement)
})

it('sends all rows of a statement as lists where one of its lists has several', () => {
  const [first, second] = [saved(['a'], [1]), saved(['a', 'b'], [1, 2])].map(({ statement }) => statement)
  const both = (ids: readonly string[]) =>
    compiled`with one as (select ${listed.text(['x'])}) select ${listed.text(ids)}`
  expect(both(['a', 'b']).statement.text).toBe('with one as (select unnest($1::text[])) select unnest($2::text[])')
  expect(both(['a', 'b']).values).toEqual([['x'], ['a', 'b']])
  expect(both(['a']).statement.text).toBe('with one as (select $1::text) select $2::text')
  expect(both(['a']).values).toEqual(['x', 'a'])
  expect(first?.name).not.toBe(second?.name)
})
