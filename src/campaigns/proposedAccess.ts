import type { AccessMode } from './terms.ts'

/** The access mode proposed for a link until the developer chooses: a link to Google Play is most often a closed test. */
export const proposedAccess = ({
  platform,
  distributionLink,
}: {
  platform: 'android' | 'ios'
  distributionLink: string
}): AccessMode => {
  const link = distributionLink.trim()
  const isPlay = URL.canParse(link) && new URL(link).hostname.toLowerCase() === 'play.google.com'
  return platform === 'android' && isPlay ? 'EMAIL_LIST' : 'OPEN_LINK'
}
