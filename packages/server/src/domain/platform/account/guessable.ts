// How easily a password is guessed, without a call to anybody: the passwords that leaks hold most often come with the
// service. NIST SP 800-63B, 5.1.1.2: compare with commonly used ones, repetitions, sequences and words of the context.

/** A guess is made of so many pieces: a common password, a sequence, a year or a word about the person is one. */
const FEWEST_PIECES = 5
const SHORTEST_WORD = 4
const LONGEST_WORD = 24
/** Common beside what international lists hold. */
const LOCAL_WORDS = ['contraseña', 'contrasena', 'clave', 'timbre', 'factura', 'boleta', 'chile', 'santiago', 'empresa']
const SEQUENCES = [
  'abcdefghijklmnopqrstuvwxyz',
  '01234567890',
  'qwertyuiop',
  'asdfghjklñ',
  'zxcvbnm',
  '1qaz2wsx3edc4rfv',
]

const LOOKALIKES: Readonly<Record<string, string>> = {
  '0': 'o',
  '1': 'i',
  '3': 'e',
  '4': 'a',
  '5': 's',
  '7': 't',
  '@': 'a',
  $: 's',
  '!': 'i',
}

let loaded: Promise<ReadonlySet<string>> | undefined

/** Loaded when the first password is set: starting the service does not pay for it. */
function commonWords(): Promise<ReadonlySet<string>> {
  loaded ??= import('@zxcvbn-ts/language-common').then(({ dictionary }) => {
    const words = (dictionary as Readonly<Record<string, readonly (string | number)[]>>)['passwords-common'] ?? []
    return new Set([...words.map((word) => String(word).toLowerCase()), ...LOCAL_WORDS])
  })
  return loaded
}

/** The words that somebody who knows the person tries first, whole and in parts. */
function wordsAbout(context: readonly string[]): Set<string> {
  const whole = context.map((text) => text.toLowerCase())
  const parts = whole.flatMap((text) => text.split(/[^\p{L}\p{N}]+/u))
  return new Set([...whole, ...parts].filter((word) => word.length >= SHORTEST_WORD))
}

function isSequence(piece: string): boolean {
  const backwards = [...piece].reverse().join('')
  return SEQUENCES.some((sequence) => sequence.includes(piece) || sequence.includes(backwards))
}

const isYear = (piece: string) => /^(19|20)\d\d$/.test(piece)
const isRepeated = (piece: string) => piece.length > 1 && piece === (piece[0] as string).repeat(piece.length)

/** `abcabcabc` is no harder than `abc`. */
function withoutRepetition(text: string): string {
  const period = `${text}${text}`.indexOf(text, 1)
  return text.slice(0, period)
}

/** The fewest pieces that a text can be put together from: linear in its length, for no word is longer than a bound. */
function fewestPieces(text: string, isPiece: (piece: string) => boolean): number {
  const fewest = [0]
  for (let end = 1; end <= text.length; end++) {
    let best = (fewest[end - 1] as number) + 1
    for (let start = Math.max(0, end - LONGEST_WORD); start < end - 1; start++) {
      const before = fewest[start] as number
      if (before + 1 < best && isPiece(text.slice(start, end))) best = before + 1
    }
    fewest.push(best)
  }
  return fewest.at(-1) ?? 0
}

/** Whether few guesses open it: a common password however dressed up, a sequence, or what is known of the person. */
export async function isGuessable(password: string, context: readonly string[]): Promise<boolean> {
  const [common, about] = [await commonWords(), wordsAbout(context)]
  const plain = withoutRepetition(password.toLowerCase())
  const undressed = [...plain].map((character) => LOOKALIKES[character] ?? character).join('')
  const isPiece = (piece: string): boolean =>
    isRepeated(piece) ||
    (piece.length >= 3 && isSequence(piece)) ||
    (piece.length >= SHORTEST_WORD && (isYear(piece) || common.has(piece) || about.has(piece)))
  if (about.has(plain)) return true
  return [plain, undressed].some((text) => fewestPieces(text, isPiece) < FEWEST_PIECES)
}
