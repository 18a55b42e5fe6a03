import { deviceName } from '../../kit/words.ts'
import { platformNames } from '../../campaigns/terms.ts'
import type { CampaignTester, RejectionCode } from '../contract.ts'

export const rejectionWords: Record<RejectionCode, string> = {
  NO_EVIDENCE_OF_TESTING: 'No evidence of testing',
  WRONG_APP_OR_VERSION: 'Wrong app or version',
  INSTRUCTIONS_NOT_FOLLOWED: 'Instructions not followed',
  COPIED_OR_GENERATED: 'Copied or generated',
  DEVICE_MISMATCH: 'Device does not match',
  OTHER: 'Other',
}

/** Nobody decided on the appeal: neither the developer nor an admin verified it. */
export const isByPlatform = ({ review }: Partial<Pick<CampaignTester, 'review'>>): boolean =>
  review?.byPlatform ?? false

/** "Google Pixel 8, Android 14", with the version on the system's line. */
export const deviceWords = (device: CampaignTester['deviceInfo']) => {
  const { platform, osVersion } = device
  const named = deviceName(device)
  const system = [platform && platformNames[platform], osVersion].filter(Boolean).join('\u00A0')
  return system ? `${named}, ${system}` : named
}
