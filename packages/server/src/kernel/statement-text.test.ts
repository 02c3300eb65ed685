import { expect, it } from 'vitest'
import { type Fragment, integers, joined, name, nothing, part } from './fragment.ts'
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
  const listed = (count: number, separator: string) =>
    compiled`select ${joined(
      Array.from({ length: count }, (_, i) => part`${i}`),
      separator,
    )}`.statement.text
  expect(listed(2, ', ')).toBe('select $1, $2')
  expect(listed(3, ', ')).toBe('select $1, $2, $3')
  expect(listed(2, ' + ')).toBe('select $1 + $2')
  expect(listed(0, ', ')).toBe('select ')
})

it('names statements by their text: what differs has another name', () => {
  const names = [asked('x', 'y'), asked(part`a`, 'y'), asked(part`b`, 'y')].map(({ statement }) => statement.name)
  expect(new Set(names).size).toBe(3)
})
