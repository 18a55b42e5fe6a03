/** Labels of statuses, platforms and terms. */
import { countryCodeOf, countryName } from '../../kit/countries.ts'
import { type BasisPoints, formatRate } from '../../kit/money.ts'
import type { Campaign, CampaignStatus } from '../contract.ts'
import { platformNames } from '../terms.ts'

export const statusLabels: Record<CampaignStatus, string> = {
  DRAFT: 'Draft',
  PENDING_APPROVAL: 'Pending approval',
  APPROVED: 'Approved',
  REJECTED: 'Rejected',
  LIVE: 'Live',
  PAUSED: 'Paused',
  COMPLETED: 'Completed',
  CANCELLED: 'Cancelled',
}

const list = new Intl.ListFormat('en', { type: 'conjunction' })

export const countriesText = ({ filters }: Pick<Campaign, 'filters'>) =>
  filters.countries.length === 0 ? 'Anywhere' : list.format(filters.countries.map(fullCountryName))

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
