/** Labels of platforms and terms. */
import { allOf } from '../../kit/words.ts'
import { countryCodeOf, countryName } from '../../kit/countries.ts'
import { type BasisPoints, formatRate } from '../../kit/money.ts'
import type { Campaign } from '../contract.ts'
import { hasEnded } from '../rules.ts'
import { type AccessMode, platformNames } from '../terms.ts'

export const countriesText = ({ filters }: Pick<Campaign, 'filters'>) =>
  filters.countries.length === 0 ? 'Anywhere' : allOf(filters.countries.map(fullCountryName))

/** Developers may write "DE" or "uk"; anything unknown stays as it is. */
export const fullCountryName = (written: string) => {
  const code = countryCodeOf(written)
  return code === null ? written : countryName(code)
}

/** "Android 13 or newer", or "Any Android version". */
export const deviceText = ({ platform, filters }: Pick<Campaign, 'platform' | 'filters'>) => {
  const oldest = platform === 'android' ? filters.minAndroidVersion : filters.minIOSVersion
  return oldest ? `${platformNames[platform]} ${oldest} or newer` : `Any ${platformNames[platform]} version`
}

export const feeLabel = (fee: BasisPoints) => `Platform fee (${formatRate(fee)})`

export const accessLabels: Record<AccessMode, string> = {
  EMAIL_LIST: 'Email list',
  GOOGLE_GROUP: 'Google Group',
  OPEN_LINK: 'Open link',
}

/** Shown to the developer who chooses. */
export const accessHints: Record<AccessMode, string> = {
  EMAIL_LIST: 'A closed test: you add each tester’s Google account to an email list in Play Console.',
  GOOGLE_GROUP: 'A closed test: you add each tester to a Google Group that you have set up in Play Console.',
  OPEN_LINK: 'Anyone with the link gets the app: App Store, ad hoc, web, or an open test on Google Play.',
}

/** Shown to everybody who reads the campaign. */
export const accessTexts: Record<AccessMode, string> = {
  EMAIL_LIST:
    'A closed test on Google Play. The developer adds the Google account of each tester’s Play Store to a list; days count from the opt-in.',
  GOOGLE_GROUP:
    'A closed test on Google Play. The developer adds the Google account of each tester’s Play Store to a Google Group; days count from the opt-in.',
  OPEN_LINK: 'Anyone with the link gets the app, and days count from joining.',
}

export const groupWarning = 'The group’s owner can see the addresses of all its members.'

/** "10 / 12", or "10 / 10, 2 closed": the seats that the percentage counts. After the end no seat is held, so "12 joined". */
export const seatsText = ({
  status,
  testersRequired,
  closedSeats,
  _count,
}: Pick<Campaign, 'status' | 'testersRequired' | 'closedSeats' | '_count'>) =>
  hasEnded(status)
    ? `${_count.joined} joined`
    : `${_count.campaignTesters} / ${testersRequired - closedSeats}${closedSeats > 0 ? `, ${closedSeats} closed` : ''}`

/** Which links wait: "app link", "Google Group", or both. */
export const newLinkName = ({ pendingLink, pendingGroupLink }: Pick<Campaign, 'pendingLink' | 'pendingGroupLink'>) => {
  if (pendingGroupLink === null) return 'app link'
  return pendingLink === null ? 'Google Group' : 'app link and Google Group'
}

/** When the campaign ended; before that, when it is planned to end. */
export const endOf = ({ endedAt, endDate }: Pick<Campaign, 'endedAt' | 'endDate'>) => endedAt ?? endDate
