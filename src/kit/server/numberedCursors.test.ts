/** A page that somebody has open goes on while the secret is changed once. */
import { expect, test } from 'vitest'
import { cursorOf, placeOf, useCursorSecret } from './numberedCursors.ts'

const list = '/admin/users?role=TESTER'
const place = { page: 2, direction: 'after' as const, key: ['2026-11-22T00:00:00.000Z', 'id'] }

test('the previous secret opens a cursor but signs none', () => {
  useCursorSecret('before')
  const early = cursorOf(list, place)
  useCursorSecret('after', 'before')
  expect(placeOf(list, early)).toEqual(place)
  expect(() => placeOf('/admin/users', early)).toThrow()
  const late = cursorOf(list, place)
  useCursorSecret('after')
  expect(placeOf(list, late)).toEqual(place)
  expect(() => placeOf(list, early)).toThrow()
})
