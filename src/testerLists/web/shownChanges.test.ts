import { expect, test } from 'vitest'
import { changesIn } from './shownChanges.ts'

test('the addresses of the change list are grouped by what to do with them', () => {
  const csv = "email,change\r\na@gmail.com,ADD\r\n'-b@example.com,ADD\r\nc@gmail.com,REMOVE\r\n"
  expect(changesIn(csv)).toEqual({ added: ['a@gmail.com', '-b@example.com'], removed: ['c@gmail.com'] })
  expect(changesIn('email,change\r\n')).toEqual({ added: [], removed: [] })
})

test('only the protecting quote is removed, not one that belongs to the address', () => {
  expect(changesIn("email,change\r\no'brien@example.com,ADD\r\n'+o'neil@example.com,ADD\r\n").added).toEqual([
    "o'brien@example.com",
    "+o'neil@example.com",
  ])
})
