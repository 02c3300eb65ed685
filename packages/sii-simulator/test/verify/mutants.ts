/** Numbers that are the same in every run: a mutant that fails can be looked at again. */
export function seeded(seed: number): (below: number) => number {
  let state = seed >>> 0
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

/** Values that are near the edge of one type or another. */
// biome-ignore format: a list of odd values needs no line for each
const VALUES = [
  '', ' ', 'abc', '0', '-0', '-1', '+7', '007', ' 5 ', '1.5', '1.', '.5', '1,5', '.', '1e3', '0.01', '0.001', '100.00', '1000.00',
  '99999999999999999999', '999999999999999999', '9999999999', '12345678901', '2147483648', '9223372036854775808',
  '2026-02-29', '2024-02-29', '2026-13-01', '1999-12-31', '2000-01-01', '2050-12-31', '2051-01-01', '2026-1-1', '2026-10-05Z',
  '2026-10-05T12:00:00', '2026-10-05T24:00:00', '2026-10-05T25:00:00', '2026-10-05T12:00', '2026-10-05 12:00:00', '2050-12-31T23:59:59',
  '2026-10', '2026-13', '12345678-5', '12345678-k', '1-9', '12.345.678-5', '123456789-0', 'QQ==', 'QR==', 'QUI=', 'QUJD', 'QUJ', 'QU I=', 'Q===',
  '33', '34', '39', '61', '99', '1', '2', '3', '10', 'D', 'R', '%', '$', 'EF', 'PESO CL', 'VENTA', 'áéí', '\u00f1'.repeat(20),
]

interface Tag {
  start: number
  end: number
  name: string
  /** Where its content is. */
  from: number
  to: number
  leaf: boolean
}

function tagsOf(xml: string): Tag[] {
  const tags: Tag[] = []
  const open: Tag[] = []
  for (const match of xml.matchAll(/<(\/?)([A-Za-z0-9]+)[^>]*?(\/?)>/g)) {
    const at = match.index
    if (match[1] === '/') {
      const tag = open.pop()
      if (tag === undefined) throw new Error('not well formed')
      Object.assign(tag, { to: at, end: at + match[0].length })
    } else {
      const parent = open.at(-1)
      if (parent !== undefined) parent.leaf = false
      const from = at + match[0].length
      const tag = { start: at, end: from, name: match[2] ?? '', from, to: from, leaf: true }
      tags.push(tag)
      if (match[3] !== '/') open.push(tag)
    }
  }
  return tags
}

/** One change of a file that leaves it well formed, and its name. */
export function mutate(xml: string, random: (below: number) => number): { xml: string; how: string } {
  const tags = tagsOf(xml).slice(1)
  const leaves = tags.filter((tag) => tag.leaf)
  const any = tags[random(tags.length)] as Tag
  const leaf = leaves[random(leaves.length)] as Tag
  const cut = (from: number, to: number, text = '') => xml.slice(0, from) + text + xml.slice(to)
  const whole = xml.slice(any.start, any.end)
  const value = VALUES[random(VALUES.length)] as string
  const content = xml.slice(leaf.from, leaf.to)
  switch (random(14)) {
    case 0:
      return { how: `drop ${any.name}`, xml: cut(any.start, any.end) }
    case 1:
      return { how: `duplicate ${any.name}`, xml: cut(any.end, any.end, whole) }
    case 2:
      return { how: `repeat ${any.name}`, xml: cut(any.end, any.end, whole.repeat(1 + random(12))) }
    case 3: {
      const next = tags.find((tag) => tag.start >= any.end && xml.slice(any.end, tag.start).trim() === '')
      if (next === undefined) return { how: 'nothing', xml }
      const swapped = xml.slice(next.start, next.end) + whole
      return { how: `swap ${any.name} and ${next.name}`, xml: cut(any.start, next.end, swapped) }
    }
    case 4: {
      const renamed = whole.replace(/^</, '<X').replace(/<\/(\w+)>$/, '</X$1>')
      return { how: `rename ${any.name}`, xml: cut(any.start, any.end, renamed) }
    }
    case 5:
      return { how: `overlong ${leaf.name}`, xml: cut(leaf.to, leaf.to, 'A'.repeat(1 + random(110))) }
    case 6:
      return { how: `longer ${leaf.name}`, xml: cut(leaf.to, leaf.to, content.slice(0, 1 + random(20))) }
    case 7:
      return { how: `element in ${any.name}`, xml: cut(any.from, any.from, '<Extra>1</Extra>') }
    case 8:
      return { how: `text in ${any.name}`, xml: cut(any.from, any.from, 'x') }
    case 9:
      return { how: `comment in ${any.name}`, xml: cut(any.from, any.from, '<!-- x --><?y z?>') }
    case 10: {
      const tag = xml.slice(any.start, any.from)
      const bare = tag.replace(/ (?!xmlns)\w+="[^"]*"/, '')
      const changed = random(2) === 0 ? bare : tag.replace(/(\/?)>$/, ' extra="1"$1>')
      return { how: `attributes of ${any.name}`, xml: cut(any.start, any.from, changed) }
    }
    default:
      return { how: `${leaf.name} = "${value}"`, xml: cut(leaf.from, leaf.to, value) }
  }
}
