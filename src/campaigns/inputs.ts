/** What callers send about campaigns: a new one, a change, the filters of a list. */
import { z } from 'zod'
import { countryCodeOf } from '../kit/countries.ts'
import {
  cursorLike,
  filter,
  KeysetQuery,
  line,
  optionalLine,
  publicLink,
  SequenceQuery,
  text,
  wholeNumber,
} from '../kit/schemas.ts'
import { AccessMode, noSuchPlatform, Platform } from './entities.ts'
import { availableSorts, campaignDefaults, campaignSorts, campaignStatuses, limits, platforms } from './terms.ts'

/** "13" or "13.1.2"; empty means any. */
const OsVersion = z
  .string({ error: 'The version must be text such as 13 or 13.1' })
  .trim()
  .regex(/^(\d{1,3}(\.\d{1,3}){0,2})?$/, { error: 'The version has to look like 13 or 13.1' })

/** Country names or codes as entered: trimmed, without empty entries (spec §5), and each country once. */
const Countries = z
  .array(
    z
      .string({ error: 'Countries must be given by name' })
      .trim()
      .max(60, { error: 'A country may have at most 60 characters' })
      .refine(name => name === '' || countryCodeOf(name) !== null, {
        error: issue => `${JSON.stringify(issue.input)} is not a country we know`,
      }),
    { error: 'Countries must be a list of names' },
  )
  .max(200, { error: 'Choose at most 200 countries' })
  .transform(names => names.filter((name, at) => name !== '' && at === names.findIndex(isSameCountry(name))))

const isSameCountry = (name: string) => (other: string) => countryCodeOf(other) === countryCodeOf(name)

const LeastVersion = OsVersion.nullable().transform(version => version || null)

const filterParts = { countries: Countries, minAndroidVersion: LeastVersion, minIOSVersion: LeastVersion }

export const CampaignFilters = z.object({
  countries: filterParts.countries.default([]),
  minAndroidVersion: filterParts.minAndroidVersion.default(null),
  minIOSVersion: filterParts.minIOSVersion.default(null),
})

/** What is not named stays. */
const ChangedFilters = z.object(filterParts).partial()

const texts = {
  title: line('Title', limits.title),
  description: text('Description', limits.description),
  distributionLink: publicLink('Distribution link'),
}

/** The features that testers are asked to try, one per line, without empty or repeated lines. */
const Features = z
  .array(optionalLine('A feature', limits.feature), { error: 'Features must be a list of lines' })
  .max(limits.features, { error: `List at most ${limits.features} features` })
  .transform(lines => [...new Set(lines.filter(feature => feature !== ''))])

const PayCents = z
  .number({ error: 'Payment per tester must be a number of cents' })
  .int({ error: 'Payment per tester must be a whole number of cents' })
  .min(limits.minPayCents, { error: 'Payment per tester must be at least $1.00' })
  .max(limits.maxPayCents, { error: 'Payment per tester may be at most $10,000.00' })

const terms = {
  platform: Platform,
  testersRequired: wholeNumber('Testers', limits.minTesters, limits.maxTesters),
  payPerTesterCents: PayCents,
  durationDays: wholeNumber('Duration in days', limits.minDays, limits.maxDays),
  filters: ChangedFilters,
  dailyCheckIn: z.boolean({ error: 'Daily check-in must be true or false' }),
  accessMode: AccessMode,
  /** The developer's Google Group, for GOOGLE_GROUP and no other mode. */
  groupLink: publicLink('Group link').nullable(),
  features: Features,
}

export const NewCampaign = z.object({
  ...texts,
  platform: terms.platform.default('android'),
  testersRequired: terms.testersRequired.default(campaignDefaults.testersRequired),
  payPerTesterCents: terms.payPerTesterCents.default(campaignDefaults.payPerTesterCents),
  durationDays: terms.durationDays.default(campaignDefaults.durationDays),
  filters: CampaignFilters.prefault({}),
  dailyCheckIn: terms.dailyCheckIn.default(true),
  accessMode: AccessMode.default('OPEN_LINK'),
  groupLink: terms.groupLink.default(null),
  features: Features.default([]),
})
export type NewCampaign = z.output<typeof NewCampaign>

export const CampaignChange = z
  .object({ ...texts, ...terms })
  .partial()
  .refine(change => Object.keys(change).length > 0, { error: 'Say what should change' })
export type CampaignChange = z.output<typeof CampaignChange>

const filters = {
  search: optionalLine('Search', 100).optional(),
  platform: filter(platforms, noSuchPlatform),
  /** Taken by lists that hold only one status as well: all lists take the same filters (product.md §1). */
  status: filter(campaignStatuses, 'Unknown status'),
}

export const CampaignQuery = KeysetQuery.extend(filters)
export type CampaignQuery = z.output<typeof CampaignQuery>

const noSuchOrder = 'Unknown order'

/** A position in a sorted list: what the last campaign was sorted by when it was read, unless its id alone, and its id. */
const CampaignCursor = cursorLike(
  /^(?:\d{1,15}\.)?[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/,
  '1000.019e8a00-0000-7000-8000-000000000000',
)
const cursor = { cursor: CampaignCursor }

/** Only an admin's list, which is long, can be sorted; the others stay newest first. */
export const SortedCampaignQuery = CampaignQuery.extend({ ...cursor, sort: filter(campaignSorts, noSuchOrder) })
export type SortedCampaignQuery = z.output<typeof SortedCampaignQuery>

export const AvailableQuery = KeysetQuery.extend({ ...filters, ...cursor, sort: filter(availableSorts, noSuchOrder) })
export type AvailableQuery = z.output<typeof AvailableQuery>

export const PendingQuery = SequenceQuery.extend(filters)
export type PendingQuery = z.output<typeof PendingQuery>
