import { deviceName } from '../../kit/words.ts'
import type { Tone } from '../../kit/web/ui/Badge.tsx'
import { platformNames } from '../../campaigns/terms.ts'
import type { CampaignTester, ParticipationStatus, RejectionCode } from '../contract.ts'

export const statusLooks: Record<ParticipationStatus, { label: string; tone: Tone }> = {
  WAITLISTED: { label: 'On the bench', tone: 'gray' },
  ACTIVE: { label: 'Active', tone: 'green' },
  SUBMITTED: { label: 'In review', tone: 'violet' },
  CHANGES_REQUESTED: { label: 'Changes requested', tone: 'yellow' },
  VERIFIED: { label: 'Verified', tone: 'blue' },
  REJECTED: { label: 'Rejected', tone: 'red' },
  APPEALED: { label: 'Appealed', tone: 'yellow' },
  DROPPED: { label: 'Dropped', tone: 'gray' },
  CANCELLED: { label: 'Cancelled', tone: 'red' },
}

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
