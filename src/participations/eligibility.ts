/** Which testers and devices a campaign takes (product.md §3). Pure; shared by the server and the screens. */
import { countryName } from '../kit/countries.ts'
import type { Platform } from '../campaigns/contract.ts'
import { platformNames } from '../campaigns/terms.ts'
import type { DeviceInfo } from './contract.ts'

export type Requirements = {
  platform: Platform
  countryCodes: readonly string[]
  minAndroidVersion: string | null
  minIOSVersion: string | null
}

const versionParts = (text: string) => /\d+(?:\.\d+)*/.exec(text)?.[0].split('.').map(Number) ?? null

const isOlder = (have: readonly number[], need: readonly number[]) => {
  for (const [place, needed] of need.entries()) {
    const part = have[place] ?? 0
    if (part !== needed) return part < needed
  }
  return false
}

/** Why this tester cannot join with this device, as a sentence; null if they can. */
export const whyNotEligible = (
  requirements: Requirements,
  tester: { country: string | null },
  device: DeviceInfo,
): string | null => {
  const { platform, countryCodes } = requirements
  if (device.platform && device.platform !== platform) {
    return `Needs an ${platformNames[platform]} device, yours is ${platformNames[device.platform]}.`
  }
  if (countryCodes.length > 0 && (tester.country === null || !countryCodes.includes(tester.country))) {
    const wanted = new Intl.ListFormat('en', { type: 'disjunction' }).format(countryCodes.map(countryName))
    if (tester.country === null) return `Needs a tester from ${wanted}. Set your country in your profile first.`
    return `Needs a tester from ${wanted}, you are from ${countryName(tester.country)}.`
  }
  const needed = platform === 'android' ? requirements.minAndroidVersion : requirements.minIOSVersion
  if (needed === null) return null
  const have = versionParts(device.osVersion ?? '')
  if (!have) return `Needs ${platformNames[platform]} ${needed} or newer. Say which version your device has.`
  if (isOlder(have, versionParts(needed) ?? []))
    return `Needs ${platformNames[platform]} ${needed}, you have ${have.join('.')}.`
  return null
}
