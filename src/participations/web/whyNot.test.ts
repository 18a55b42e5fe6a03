import { expect, test } from 'vitest'
import { obstacleOf } from './whyNot.ts'

const campaign = {
  platform: 'android' as const,
  filters: { countries: ['Germany', 'uk'], minAndroidVersion: '13', minIOSVersion: null },
}
const pixel = { platform: 'android' as const, model: 'Pixel 5', osVersion: '12', manufacturer: 'Google' }
const unknown = { model: '', osVersion: '', manufacturer: '' }

test('a device that is too old is refused with the requirement, and another may do', () => {
  expect(obstacleOf(campaign, 'DE', pixel)).toEqual({ because: 'DEVICE', sentence: 'Needs Android 13, you have 12.' })
  expect(obstacleOf(campaign, 'GB', { ...pixel, osVersion: '13' })).toBeNull()
})

test('the country comes before the device, because no other device helps', () => {
  expect(obstacleOf(campaign, 'FR', pixel)).toMatchObject({ because: 'COUNTRY' })
  expect(obstacleOf(campaign, 'FR', pixel)?.sentence).toContain('Germany or United Kingdom, you are from France')
})

test('an unknown device is not an obstacle', () => {
  expect(obstacleOf(campaign, 'DE', unknown)).toBeNull()
  expect(obstacleOf(campaign, null, unknown)).toMatchObject({ because: 'COUNTRY' })
})
