/** The filters of the list: they live in the address, and the server applies them. */
import { oneOf, useUrlFilters, words } from '../../kit/web/urlFilters.ts'
import type { CampaignStatus, Platform } from '../contract.ts'
import { campaignStatuses, platforms } from '../terms.ts'

export type Filters = { search: string; platform: Platform | null; status: CampaignStatus | null }

export const noFilters: Filters = { search: '', platform: null, status: null }

const status = oneOf(campaignStatuses)

export const useCampaignFilters = (withStatus: boolean) =>
  useUrlFilters({ search: words, platform: oneOf(platforms), status: withStatus ? status : nothing })

/** Testers see one status: what the address says of it does not count. */
const nothing: typeof status = () => null
