/** The list's filters, kept in the URL and applied by the server. */
import { oneOf, useUrlFilters, words } from '../../kit/web/urlFilters.ts'
import type { CampaignStatus, Platform } from '../contract.ts'
import { campaignStatuses, platforms } from '../terms.ts'

export type Filters = { search: string; platform: Platform | null; status: CampaignStatus | null }

export const noFilters: Filters = { search: '', platform: null, status: null }

const status = oneOf(campaignStatuses)

export const useCampaignFilters = (withStatus: boolean) =>
  useUrlFilters({ search: words, platform: oneOf(platforms), status: withStatus ? status : nothing })

/** Testers see only one status, so they ignore the URL's. */
const nothing: typeof status = () => null
