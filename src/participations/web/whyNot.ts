/** Why a tester cannot join, known before they try: from the profile and the device this browser remembers. */
import { countryCodeOf } from '../../kit/countries.ts'
import type { Campaign } from '../../campaigns/contract.ts'
import { type Requirements, whyNotEligible } from '../eligibility.ts'
import { type Device, detectDevice } from './device.ts'

/**
 * Whether the tester can do something about it: use another device, or set a country that is not set. They cannot change their
 * country.
 */
export type Obstacle = { because: 'COUNTRY' | 'NO_COUNTRY' | 'DEVICE'; sentence: string }

type Needs = Pick<Campaign, 'platform' | 'filters'>

const requirementsOf = ({ platform, filters }: Needs): Requirements => ({
  platform,
  countryCodes: filters.countries.map(countryCodeOf).filter(code => code !== null),
  minAndroidVersion: filters.minAndroidVersion,
  minIOSVersion: filters.minIOSVersion,
})

const anyVersion = { minAndroidVersion: null, minIOSVersion: null }

/** Null if the device is unknown: the dialog asks for it. */
export const obstacleOf = (campaign: Needs, country: string | null, device: Device): Obstacle | null => {
  const needs = requirementsOf(campaign)
  const countryProblem = whyNotEligible({ ...needs, ...anyVersion }, { country }, { model: '' })
  if (countryProblem) return { because: country === null ? 'NO_COUNTRY' : 'COUNTRY', sentence: countryProblem }
  const known = device.osVersion === '' ? { ...needs, ...anyVersion } : needs
  const deviceProblem = whyNotEligible(known, { country }, device)
  return deviceProblem ? { because: 'DEVICE', sentence: deviceProblem } : null
}

/** Without a known obstacle it counts as a fit; joining asks for an unknown device. */
export type Fit = { obstacle: Obstacle | null; deviceKnown: boolean }

export const findFit = async (campaign: Needs, country: string | null): Promise<Fit> => {
  const device = await detectDevice()
  const { minAndroidVersion, minIOSVersion } = requirementsOf(campaign)
  const needed = campaign.platform === 'android' ? minAndroidVersion : minIOSVersion
  return {
    obstacle: obstacleOf(campaign, country, device),
    deviceKnown: device.platform !== undefined && (needed === null || device.osVersion !== ''),
  }
}
