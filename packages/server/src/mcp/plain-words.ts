/** Words that every sentence holds, in both languages. */
const COMMON = new Set(
  'a al algo and como con cual cuales de del el en es esta este for from has i in is it la las le les lo los me mi mis my no of on or para por que quien se si sin su sus the to un una unos what who with y ya'.split(
    ' ',
  ),
)

/** Spanish and English by their stems, as far as endings go: facturas and factura, emitir and emitida are one word. */
function stem(word: string): string {
  const cut = word.replace(
    /(?:aciones|acion|adas|ados|idas|idos|ando|iendo|ada|ado|ida|ido|ar|er|ir|es|os|as|s|o|a|e)$/,
    '',
  )
  return cut.length >= 3 ? cut : word
}

/** The words of a text that tell it from another: no accents, no case, no endings. */
export function plain(text: string): string[] {
  const letters = text
    .toLowerCase()
    .normalize('NFD')
    .replace(/[\u0300-\u036f]/g, '')
  return (letters.match(/[a-z0-9]+/g) ?? []).filter((word) => !COMMON.has(word)).map(stem)
}
