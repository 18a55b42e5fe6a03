import { expect, test } from 'vitest'
import { deviceWords } from './deviceWords.ts'

const pixel = { manufacturer: 'Google', model: 'Pixel 8', platform: 'android' as const, osVersion: '14' }
const bare = { manufacturer: null, model: 'Pixel 8', platform: null, osVersion: null }

test.each([
  ['Google Pixel 8, Android 14, app 1.1', pixel, '1.1'],
  ['Google Pixel 8, Android 14', pixel, null],
  ['Google Pixel 8, Android, app 1.1', { ...pixel, osVersion: null }, '1.1'],
  ['Google Pixel 8, 14', { ...pixel, platform: null }, null],
  ['Pixel 8, app 1.1', bare, '1.1'],
  ['Pixel 8', bare, null],
  ['iPhone 15, iOS 18', { ...bare, model: 'iPhone 15', platform: 'ios' as const, osVersion: '18' }, null],
])('a bug was seen on “%s”, without gaps for what is not known', (words, device, appVersion) => {
  expect(deviceWords({ device, appVersion })).toBe(words)
})
