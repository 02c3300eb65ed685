import type { Shape } from './shape.ts'

/** One place in which two answers do not look alike, in words that hold nothing of either. */
export interface ShapeDifference {
  readonly path: string
  readonly left: string
  readonly right: string
}

export function shapeDifferences(left: Shape, right: Shape, path = left.name): readonly ShapeDifference[] {
  if (left.name !== right.name) return [{ path: '/', left: left.name, right: right.name }]
  const own = [
    ...differing(path, left.kind, right.kind),
    ...differing(path, left.many ? 'repeated' : 'once', right.many ? 'repeated' : 'once'),
  ]
  // How long a list is, is a content, also when it is empty.
  const lists = left.kind === 'list' && right.kind === 'list'
  if (lists && (left.parts.length === 0 || right.parts.length === 0)) return own
  return [...own, ...partDifferences(left, right, path)]
}

const differing = (path: string, left: string, right: string): ShapeDifference[] =>
  left === right ? [] : [{ path, left, right }]

function partDifferences(left: Shape, right: Shape, path: string): ShapeDifference[] {
  const [names, theirs] = [left, right].map(({ parts }) => parts.map(({ name }) => name)) as [string[], string[]]
  const common = names.filter((name) => theirs.includes(name))
  const order = theirs.filter((name) => names.includes(name))
  return [
    ...left.parts.flatMap((part) => {
      const other = right.parts.find(({ name }) => name === part.name)
      const at = `${path}/${part.name}`
      return other ? shapeDifferences(part, other, at) : [{ path: at, left: part.kind, right: 'absent' }]
    }),
    ...right.parts
      .filter(({ name }) => !names.includes(name))
      .map(({ name, kind }) => ({ path: `${path}/${name}`, left: 'absent', right: kind })),
    ...differing(path, common.join(', '), order.join(', ')),
  ]
}
