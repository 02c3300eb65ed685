/**
 * The same text in lower case and without accents, character by character, so that places in both are the same. The
 * portal writes one sentence with and without accents (SII portal pages), and in capitals where it refuses.
 */
export function fold(text: string): string {
  let folded = ''
  for (const char of text.split('')) {
    const plain = char.normalize('NFD').charAt(0).toLowerCase()
    folded += plain.length === 1 ? plain : char
  }
  return folded
}
