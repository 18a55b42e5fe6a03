import { expect, test } from 'vitest'
import { changesIn } from './shownChanges.ts'

test('the addresses of the change list are told apart by what is to be done with them', () => {
  const csv = "email,change\r\na@gmail.com,ADD\r\n'-b@example.com,ADD\r\nc@gmail.com,REMOVE\r\n"
  expect(changesIn(csv)).toEqual({ added: ['a@gmail.com', '-b@example.com'], removed: ['c@gmail.com'] })
  expect(changesIn('email,change\r\n')).toEqual({ added: [], removed: [] })
})
