/** What stands in the way of joining, before one tries: from the profile, and the device that this browser remembers. */
import { countryCodeOf } from '../../kit/countries.ts'
import type { Campaign } from '../../campaigns/contract.ts'
import { type Requirements, whyNotEligible } from '../rules.ts'
import { type Device, detectDevice } from './device.ts'

/** Another device may help, another country cannot be chosen at the door. */
export type Obstacle = { because: 'COUNTRY' | 'DEVICE'; sentence: string }

type Wanted = Pick<Campaign, 'platform' | 'filters'>

const requirementsOf = ({ platform, filters }: Wanted): Requirements => ({
  platform,
  countryCodes: filters.countries.map(countryCodeOf).filter(code => code !== null),
  minAndroidVersion: filters.minAndroidVersion,
  minIOSVersion: filters.minIOSVersion,
})

const anyVersion = { minAndroidVersion: null, minIOSVersion: null }

/** Null also where nothing is known of the device: the dialog asks for it. */
export const obstacleOf = (campaign: Wanted, country: string | null, device: Device): Obstacle | null => {
  const needs = requirementsOf(campaign)
  const fromElsewhere = whyNotEligible({ ...needs, ...anyVersion }, { country }, { model: '' })
  if (fromElsewhere) return { because: 'COUNTRY', sentence: fromElsewhere }
  const known = device.osVersion === '' ? { ...needs, ...anyVersion } : needs
  const otherDevice = whyNotEligible(known, { country }, device)
  return otherDevice ? { because: 'DEVICE', sentence: otherDevice } : null
}

export const findObstacle = async (campaign: Wanted, country: string | null): Promise<Obstacle | null> =>
  obstacleOf(campaign, country, await detectDevice())
