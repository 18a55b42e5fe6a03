import { expect, test } from 'vitest'
import { commonPasswords } from './commonPasswords.ts'
import { weaknessOf } from './weakPasswords.ts'

const owner = { name: 'Ann Lee-Miller', email: 'ann.lee@fieldtest.example' }
const weakness = (password: string) => weaknessOf(password, owner, commonPasswords)

test('the list contains 10,000 passwords that the form would otherwise accept, all in lower case', () => {
  expect(commonPasswords.size).toBe(10_000)
  for (const password of commonPasswords) {
    expect(password.length).toBeGreaterThanOrEqual(6)
    expect(password).toBe(password.toLowerCase())
  }
})

test.each([
  ['password', 'This is one of the 10,000 most common passwords.'],
  ['Password', 'This is one of the 10,000 most common passwords.'],
  ['123456', 'This is one of the 10,000 most common passwords.'],
  ['zxcvbnm123', 'This is one of the 10,000 most common passwords.'],
  ['$$$$$$$$$', 'This password repeats one character.'],
  ['aAaAaA', 'This password repeats one character.'],
  ['ann.lee@fieldtest.example', 'This password is made up of your name or email address.'],
  ['AnnLeeMiller', 'This password is made up of your name or email address.'],
  ['ann.lee99', 'This password is made up of your name or email address.'],
  ['fieldtest1!', 'This password is made up of your name or email address.'],
])('%s is weak: %s', (password, sentence) => {
  expect(weakness(password)).toBe(sentence)
})

test.each(['', 'correct horse', 'annapolis-by-night', 'Tr4verse-bog', 'sixsix7', 'ячмень-и-рожь'])(
  '%j is not known to be weak',
  password => {
    expect(weakness(password)).toBeNull()
  },
)

test('a name of one or two letters makes no password weak', () => {
  expect(weaknessOf('boulevard', { name: 'Bo', email: 'bo@x.io' }, commonPasswords)).toBeNull()
})
