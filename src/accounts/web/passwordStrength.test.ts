import { expect, test } from 'vitest'
import { strengthOf, strengths } from './passwordStrength.ts'

const word = (password: string) => strengths[strengthOf(password)]

test.each([
  ['abc12', 'Too short'],
  ['password1', 'Weak'],
  ['123456', 'Weak'],
  ['aaaaaaaaaaaa', 'Weak'],
  ['secret1x', 'Fair'],
  ['Tr4verse-bog', 'Strong'],
  ['correct horse battery staple', 'Strong'],
])('%s is called %s', (password, expected) => {
  expect(word(password)).toBe(expected)
})
