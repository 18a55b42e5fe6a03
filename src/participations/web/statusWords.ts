import { deviceName } from '../../kit/words.ts'
import type { Tone } from '../../kit/web/ui/Badge.tsx'
import { platformNames } from '../../campaigns/terms.ts'
import type { GoodwillHold, PublicHold } from '../terms.ts'
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

/** Why the platform does not pay for an appeal that nobody decided: to admins. */
export const holdWords: Record<GoodwillHold, string> = {
  FRAUD: 'An open fraud report of high or critical severity names the tester or the developer',
  SUSPENDED: 'The tester is suspended',
  DEVELOPER_LIMIT: 'This month’s goodwill pay for the developer is used up',
  TOTAL_LIMIT: 'This month’s goodwill pay is used up',
  REVENUE: 'The platform has not earned enough yet',
}

/** The same, to the tester and the developer. */
export const publicHoldWords: Record<PublicHold, string> = {
  CHECK: 'Our team has to finish a check first.',
  LIMIT: 'This month’s budget for such cases is used up.',
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
