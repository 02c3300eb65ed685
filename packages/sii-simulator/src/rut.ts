/** `76543210-3` from any usual spelling; null where the check digit is another. */
export function parseRut(text: string): string | null {
  const match = /^0*(\d{1,8})-?([\dkK])$/.exec(text.trim().replaceAll('.', ''))
  if (!match) return null
  const [, number = '', digit = ''] = match
  return checkDigit(number) === digit.toUpperCase() ? `${number}-${digit.toUpperCase()}` : null
}

/** The RUT of two form fields, as most doors take it. */
export function joinRut(number: string | null | undefined, digit: string | null | undefined): string | null {
  return parseRut(`${number ?? ''}-${digit ?? ''}`)
}

/** Modulo 11, with the weights 2 to 7 from the right. */
function checkDigit(number: string): string {
  const sum = [...number].reverse().reduce((total, digit, at) => total + Number(digit) * ((at % 6) + 2), 0)
  return '0K987654321'[sum % 11] ?? ''
}
