/**
 * What this browser knows about its device. Chrome's plain user agent says "Android 10; K" on every phone, so this requests the
 * real model; iOS does not reveal it.
 */
import { keepStored, readStored } from '../../kit/web/stored.ts'
import type { Platform } from '../../campaigns/contract.ts'
import { platforms } from '../../campaigns/terms.ts'

export type Device = { platform?: Platform | undefined; model: string; osVersion: string; manufacturer: string }

type UserAgentData = {
  platform: string
  getHighEntropyValues: (hints: string[]) => Promise<{ model?: string; platformVersion?: string }>
}

const unknownDevice: Device = { model: '', osVersion: '', manufacturer: '' }

const isAppleMobile = () => /iPhone|iPad|iPod/.test(navigator.userAgent)

/** "13.0.0" is Android 13. */
const shortVersion = (version: string) => version.replace(/(\.0)+$/, '')

const askBrowser = async (): Promise<Device> => {
  if (isAppleMobile()) return { ...unknownDevice, platform: 'ios', manufacturer: 'Apple' }
  const agent = (navigator as Navigator & { userAgentData?: UserAgentData }).userAgentData
  if (agent?.platform !== 'Android') return unknownDevice
  const { model = '', platformVersion = '' } = await agent.getHighEntropyValues(['model', 'platformVersion'])
  return { ...unknownDevice, platform: 'android', model, osVersion: shortVersion(platformVersion) }
}

const storageKey = 'testDevice'

const lastDevice = (): Device | null => {
  const kept = readStored(storageKey, { ...unknownDevice, platform: '' })
  return kept && { ...kept, platform: platforms.find(platform => platform === kept.platform) }
}

/** The device a tester joined with last is suggested the next time. */
export const rememberDevice = (device: Device) => keepStored(storageKey, device)

/** What the form starts with. The browser's facts win over the last device, which may have been updated since. */
export const detectDevice = async (): Promise<Device> => {
  const found = await askBrowser().catch(() => unknownDevice)
  const last = lastDevice()
  if (found.model === '') return last ?? found
  return { ...found, manufacturer: last?.model === found.model ? last.manufacturer : '' }
}
