import { expect, test } from 'vitest'
import { changesIn } from './shownChanges.ts'

test('the addresses of the change list are told apart by what is to be done with them', () => {
  const csv = "email,change\r\na@gmail.com,ADD\r\n'-b@example.com,ADD\r\nc@gmail.com,REMOVE\r\n"
  expect(changesIn(csv)).toEqual({ added: ['a@gmail.com', '-b@example.com'], removed: ['c@gmail.com'] })
  expect(changesIn('email,change\r\n')).toEqual({ added: [], removed: [] })
})

test('only the quote that guards the first letter is taken off, not one of the address', () => {
  expect(changesIn("email,change\r\no'brien@example.com,ADD\r\n'+o'neil@example.com,ADD\r\n").added).toEqual([
    "o'brien@example.com",
    "+o'neil@example.com",
  ])
})
