/** What a check found. Whatever is not well says what to do. */
export type Finding =
  | { readonly check: string; readonly state: 'ok'; readonly says: string }
  | { readonly check: string; readonly state: 'warning' | 'problem'; readonly says: string; readonly remedy: string }

export const ok = (check: string, says: string): Finding => ({ check, state: 'ok', says })
export const warning = (check: string, says: string, remedy: string): Finding => ({
  check,
  state: 'warning',
  says,
  remedy,
})
export const problem = (check: string, says: string, remedy: string): Finding => ({
  check,
  state: 'problem',
  says,
  remedy,
})
