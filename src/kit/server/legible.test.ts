import { expect, test } from 'vitest'
import { legible } from './legible.ts'

test('letters that the font has stay as they are; others are spelled out in Latin letters', () => {
  for (const kept of ['Łódź şehir “ok”', 'Привет, Ελλάδα', 'Two\nlines', 'ệ', 'e\u0323\u0302'])
    expect(legible(kept)).toBe(kept.normalize('NFC'))
  expect(legible('日本 is fine 🐶')).toBe('RiBen is fine :dog:')
  expect(legible('مرحبا בדיקה')).toBe('mrhb vdykh')
  // A joiner and a variation selector have no visible form.
  expect(legible('a\u200D\uFE0Fb')).toBe('ab')
  expect(legible('\uD83D')).toBe('')
})

test('a table that was pasted keeps its lines, and no control character is left, which would be an empty box', () => {
  expect(legible('Name\tValue\r\nx\u0001\ty\rlast\u0085')).toBe('Name Value\nx  y\nlast ')
})

test('every text of a report is made legible, at any depth; numbers, flags and null stay', () => {
  expect(legible({ notes: [{ note: '猫', day: 1 }], at: null, on: true })).toEqual({
    notes: [{ note: 'Mao', day: 1 }],
    at: null,
    on: true,
  })
})
