import { type CheckValue, simpleType } from './simple-type.ts'

/**
 * How the tables of this folder write a grammar, a line for each element, indented under its parent:
 *
 *     Name            exactly once          Name?     at most once
 *     Name*40         none to 40            Name+60   one to 60        (without a number: no bound)
 *     | Name          one alternative; lines with `|` that follow each other are one choice
 *     Name str ..40   a value of that simple type (simple-type.ts), or of a type named in TYPES
 *     Name &Other     has the content of the definition `Other`
 *     @ID             an attribute that must be there and be unique in the file
 *     @version=1.0    must have that number    @a="x" must be that text    @a{x|y} one of them    @a:uri a type
 *
 * A line that is not indented opens a definition.
 */
export interface Definition {
  readonly namespace: string
  readonly attributes: ReadonlyMap<string, AttributeRule>
  /** The check of its value; null when it holds elements. */
  readonly type: CheckValue | null
  readonly slots: readonly Slot[]
}

/** A place in a sequence: one element, or a choice of several. */
export interface Slot {
  readonly name: string
  readonly least: number
  readonly most: number
  readonly options: ReadonlyMap<string, Definition>
}

export interface AttributeRule {
  readonly unique: boolean
  readonly check: CheckValue
}

export interface Part {
  readonly namespace: string
  readonly table: string
}

type Building = { namespace: string; attributes: Map<string, AttributeRule>; type: CheckValue | null; slots: Slot[] }

const LINE = /^( *)(\| )?([A-Za-z0-9_]+)(\?|[*+]\d*)?((?: @[^@]+)*|[^@&]*?(?: @.*)?| &\w+)$/

/** Reads tables into one grammar: the definitions of all of them by name, each in the namespace of its table. */
export function readGrammar(
  parts: readonly Part[],
  types: Readonly<Record<string, string>>,
): ReadonlyMap<string, Definition> {
  const definitions = new Map<string, Building>()
  const checks = new Map<string, CheckValue>()
  const typeOf = (written: string): CheckValue => {
    const known = checks.get(written)
    if (known !== undefined) return known
    const made = simpleType(types[written] ?? written)
    checks.set(written, made)
    return made
  }
  const named = (name: string, namespace = ''): Building => {
    const known = definitions.get(name)
    if (known !== undefined) {
      if (namespace !== '') known.namespace = namespace
      return known
    }
    const made: Building = { namespace, attributes: new Map(), type: null, slots: [] }
    definitions.set(name, made)
    return made
  }

  for (const { namespace, table } of parts) {
    const open: Building[] = []
    for (const line of table.split('\n').filter((written) => written.trim() !== '')) {
      const read = LINE.exec(line)
      if (read === null) throw new TypeError(`not a line of a grammar: ${line}`)
      const [, indent = '', choice, name = '', times = '', rest = ''] = read
      const depth = indent.length
      const refers = /^ &(\w+)$/.exec(rest)?.[1]
      const definition =
        refers !== undefined ? named(refers) : depth === 0 ? named(name, namespace) : { ...fresh(), namespace }
      if (refers === undefined) fill(definition, rest, typeOf)
      open.length = depth
      const parent = open[depth - 1]
      if (parent !== undefined) place(parent, name, times, definition, choice !== undefined)
      open.push(definition)
    }
  }
  for (const [name, { namespace }] of definitions)
    if (namespace === '') throw new TypeError(`the grammar refers to "${name}" and does not define it`)
  return definitions
}

const fresh = (): Building => ({ namespace: '', attributes: new Map(), type: null, slots: [] })

/** Slots that came from a line with `|`, which the next such line joins. */
const CHOICES = new WeakSet<Slot>()

function place(parent: Building, name: string, times: string, definition: Building, choice: boolean): void {
  const last = parent.slots[parent.slots.length - 1]
  if (choice && last !== undefined && CHOICES.has(last)) {
    ;(last.options as Map<string, Definition>).set(name, definition)
    return
  }
  const bound = times.length > 1 ? Number(times.slice(1)) : Number.POSITIVE_INFINITY
  const least = times === '' || times.startsWith('+') ? 1 : 0
  const most = times === '' || times === '?' ? 1 : bound
  const slot: Slot = { name, least, most, options: new Map([[name, definition]]) }
  parent.slots.push(slot)
  if (choice) CHOICES.add(slot)
}

function fill(definition: Building, rest: string, typeOf: (written: string) => CheckValue): void {
  const [type = '', ...attributes] = rest.split(' @')
  if (type.trim() !== '') definition.type = typeOf(type.trim())
  for (const written of attributes) {
    const [, name = '', how = '', value = ''] = /^(\w+)(=|:|\{)?"?(.*?)"?\}?$/.exec(written.trim()) ?? []
    definition.attributes.set(name, { unique: how === '', check: attributeCheck(name, how, written, value, typeOf) })
  }
}

function attributeCheck(
  name: string,
  how: string,
  written: string,
  value: string,
  typeOf: (written: string) => CheckValue,
): CheckValue {
  if (how === '') return typeOf('id')
  if (how === ':') return typeOf(value)
  if (how === '{') return typeOf(`str {${value}}`)
  const isText = written.includes('"')
  return (found) => {
    const same = isText ? found === value : /^\s*\+?0*1(?:\.0*)?\s*$/.test(found) && value === '1.0'
    return same ? null : `LSX-00265: attribute "${name}" value "${found}" is wrong (must be "${value}")`
  }
}
