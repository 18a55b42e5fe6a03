import { afterEach, expect, test, vi } from 'vitest'
import { stubLocalStorage } from '../../testing/localStorage.ts'
import { type Device, rememberDevice } from './device.ts'
import { findFit, obstacleOf } from './whyNot.ts'

afterEach(() => {
  vi.unstubAllGlobals()
})

const campaign = {
  platform: 'android' as const,
  filters: { countries: ['Germany', 'uk'], minAndroidVersion: '13', minIOSVersion: null },
}
const pixel = { platform: 'android' as const, model: 'Pixel 5', osVersion: '12', manufacturer: 'Google' }
const unknown = { model: '', osVersion: '', manufacturer: '' }

test('a device that is too old is refused with the requirement, and another may do', () => {
  expect(obstacleOf(campaign, 'DE', pixel)).toEqual({
    because: 'DEVICE',
    sentence: 'Needs Android 13 or newer; you have 12.',
  })
  expect(obstacleOf(campaign, 'GB', { ...pixel, osVersion: '13' })).toBeNull()
})

test('the country comes before the device, because no other device helps', () => {
  expect(obstacleOf(campaign, 'FR', pixel)).toMatchObject({ because: 'COUNTRY' })
  expect(obstacleOf(campaign, 'FR', pixel)?.sentence).toContain('Germany or the United Kingdom; you are from France')
})

test('an unknown device is not an obstacle', () => {
  expect(obstacleOf(campaign, 'DE', unknown)).toBeNull()
})

test('a country that is not set yet is an obstacle of its own, which the tester can remove', () => {
  const obstacle = obstacleOf(campaign, null, unknown)
  expect(obstacle?.because).toBe('NO_COUNTRY')
  expect(obstacle?.sentence).toContain('Set your country in your profile first.')
})

test('a platform that the campaign is not for is an obstacle of the device', () => {
  expect(obstacleOf(campaign, 'DE', { ...unknown, platform: 'ios' })?.because).toBe('DEVICE')
})

const withLeast = (platform: 'android' | 'ios', minAndroidVersion: string | null, minIOSVersion: string | null) => ({
  platform,
  filters: { countries: ['Germany'], minAndroidVersion, minIOSVersion },
})
const android13 = withLeast('android', '13', null)
const ios17 = withLeast('ios', null, '17')
const iphone = { ...unknown, platform: 'ios' as const }
const anyPixel = { ...pixel, osVersion: '' }

const fitOf = (of: Parameters<typeof findFit>[0], device: Device) => {
  // A desktop, which knows the device that was joined with last.
  vi.stubGlobal('navigator', { userAgent: 'Mozilla/5.0 (X11; Linux x86_64)' })
  stubLocalStorage()
  rememberDevice(device)
  return findFit(of, 'DE')
}

test.each([
  ['of its platform and new enough', android13, { ...pixel, osVersion: '13' }, true],
  ['without the version that is asked for', android13, anyPixel, false],
  ['without a version where none is asked for', withLeast('android', null, '17'), anyPixel, true],
  ['without the version of iOS that is asked for', ios17, iphone, false],
  ['with that version', ios17, { ...iphone, osVersion: '17.2' }, true],
  ['of iOS without a version where none is asked for', withLeast('ios', '13', null), iphone, true],
  ['of no known platform', android13, { ...unknown, osVersion: '13' }, false],
])('a device %s fits as far as is known', async (_what, of, device, deviceKnown) => {
  expect(await fitOf(of, device)).toEqual({ obstacle: null, deviceKnown })
})

test('the device that this browser remembers is an obstacle where it does not fit', async () => {
  expect(await fitOf(android13, pixel)).toEqual({
    obstacle: { because: 'DEVICE', sentence: 'Needs Android 13 or newer; you have 12.' },
    deviceKnown: true,
  })
})
