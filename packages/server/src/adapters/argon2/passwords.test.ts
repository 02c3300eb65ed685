import { expect, it } from 'vitest'
import { argon2Passwords } from './passwords.ts'

it('hashes with the memory and the passes that OWASP asks for, unless told otherwise', async () => {
  expect(await argon2Passwords().hash('una clave larga')).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
})

it('knows the password that was hashed, and no other, nor any without a hash or with one that is none', async () => {
  const passwords = argon2Passwords({ memory_kib: 8, passes: 1 })
  const known = await passwords.hash('una clave larga')
  expect(await passwords.hash('una clave larga')).not.toBe(known)
  expect(await passwords.matches('una clave larga', known)).toBe(true)
  for (const other of ['otra clave larga', 'Una clave larga', ''])
    expect(await passwords.matches(other, known)).toBe(false)
  for (const none of [null, 'none', '']) expect(await passwords.matches('una clave larga', none)).toBe(false)
})

it('does the same work where there is no hash', async () => {
  const passwords = argon2Passwords()
  const took: { hash: string | null; times: number[] }[] = [await passwords.hash('una clave larga'), null].map(
    (hash) => ({
      hash,
      times: [],
    }),
  )
  // By turns, so that whatever else the machine does slows both alike; the first round only warms up.
  for (let round = 0; round < 12; round++) {
    for (const { hash, times } of took) {
      const before = performance.now()
      await passwords.matches('otra clave larga', hash)
      if (round > 0) times.push(performance.now() - before)
    }
  }
  const [known = 0, unknown = 0] = took.map(({ times }) => times.sort((x, y) => x - y)[5])
  // Without the decoy it takes no time at all.
  expect(unknown / known).toBeGreaterThan(0.4)
})
