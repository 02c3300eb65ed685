// A letter to somebody who never heard of us carries our words alone. A name that a stranger typed stands in it as a fact, and only
// where it reads like a name: else we would deliver their message, under our name, with our letterhead.

const MOST = 100
/** Latin letters as Chileans write them, digits and what stands in the names of companies. */
const LETTERS = /^[A-Za-z\u00c0-\u024f\d .,&'’"()/+\-–°ºª#]+$/u
/** Whatever is in front of a dot that a word follows: `estafa.example`, and a few names without a space. */
const ADDRESS = /[A-Za-z\u00c0-\u024f\d-]\.[A-Za-z\u00c0-\u024f]{2}|\bwww\b|\bhttps?\b|\/\//iu
/** An amount, a telephone number, an account: a year is none. */
const FIGURE = /\d(?:[ .,()/+\-–]*\d){4}/u

/** The name as a letter may show it; null where it looks like an address of the web, an amount or a message. */
export function plainName(text: string): string | null {
  const name = text.normalize('NFC').trim()
  if (name.length > MOST || !LETTERS.test(name) || ADDRESS.test(name) || FIGURE.test(name)) return null
  return name
}

/** Who asks, by the name and always by the whole address of their account. */
export function askedBy({ name, email }: { readonly name: string | null; readonly email: string }): string {
  const plain = name === null ? null : plainName(name)
  return plain === null ? email : `${plain} (${email})`
}
