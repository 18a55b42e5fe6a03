import { expect, test } from 'vitest'
import { deviceWords, isByPlatform } from './statusWords.ts'

const pixel = { manufacturer: 'Google', model: 'Pixel 8', platform: 'android' as const, osVersion: '14' }
const unknown = { manufacturer: null, model: '', platform: null, osVersion: null }

test.each([
  ['Google Pixel 8, Android\u00A014', pixel],
  ['Google Pixel 8, Android', { ...pixel, osVersion: null }],
  ['Google Pixel 8, 14', { ...pixel, platform: null }],
  ['Google Pixel 8', { ...pixel, platform: null, osVersion: null }],
  ['Pixel 8, Android\u00A014', { ...pixel, manufacturer: null }],
  ['Nokia G42, Android\u00A014', { ...pixel, manufacturer: 'Nokia', model: 'Nokia G42' }],
  ['', unknown],
])('a tester’s device is “%s”, without gaps and without the maker twice', (words, device) => {
  expect(deviceWords(device)).toBe(words)
})

test('a test is verified by the platform only when its review says so', () => {
  const review = {
    note: null,
    code: null,
    reason: null,
    decidedAt: '2026-11-21T10:00:00.000Z',
    byAdmin: false,
    bySilence: true,
  }
  expect(isByPlatform({ review: { ...review, byPlatform: true } })).toBe(true)
  expect(isByPlatform({ review: { ...review, byPlatform: false } })).toBe(false)
  expect(isByPlatform({ review: null })).toBe(false)
  expect(isByPlatform({})).toBe(false)
})
