// How a scripted client tells words apart. It is the client's own: nothing here comes from the server that it calls.

/** Words that say nothing of what a sentence is about. */
const EMPTY = new Set(
  [
    'a al algo and ante are as at be by como con cual cuales cuando de del desde do el ella en entre es esa ese eso esta este',
    'esto for from ha has hay in is it its la las le les lo los me mi mis my no nos of on or para pero por que quien se si sin',
    'so su sus tan te that the them this to tu un una unas uno unos was what when which who will with y ya you your',
  ]
    .join(' ')
    .split(' '),
)

const FOLDED = /[\u0300-\u036f]/g
/** What Spanish and English hang on a word, the longest first: numbers and genders, persons and times, nouns made of verbs. */
const ENDINGS = [
  'aciones ieron imiento amiento acion ciones iendo ando aron adas ados idas idos amos emos imos cion',
  'aban aba ada ado ida ido ara are ing ar er ir an en ed es os as io ia ie s a e o i',
]
  .join(' ')
  .split(' ')
/** Fewer letters than these tell no word from another. */
const LEAST = 3

function stemOf(word: string): string {
  const ending = ENDINGS.find((one) => word.endsWith(one) && word.length - one.length >= LEAST)
  return ending === undefined ? word : word.slice(0, -ending.length)
}

/** The words of a text by their stems, in their order. */
export function stems(text: string): string[] {
  const letters = text.toLowerCase().normalize('NFD').replace(FOLDED, '')
  return (letters.match(/[a-z0-9]+/g) ?? []).filter((word) => !EMPTY.has(word)).map(stemOf)
}
