/** The filters of the list: they live in the address, and the server applies them. */
import { useSearchParams } from 'react-router'
import { CampaignStatus, Platform } from '../contract.ts'

export type Filters = {
  search: string
  platform: Platform | undefined
  status: CampaignStatus | undefined
}

export const noFilters: Filters = { search: '', platform: undefined, status: undefined }

export const useCampaignFilters = (withStatus: boolean) => {
  const [params, setParams] = useSearchParams()
  const filters: Filters = {
    search: (params.get('search') ?? '').trim().slice(0, 100),
    platform: Platform.safeParse(params.get('platform')).data,
    status: withStatus ? CampaignStatus.safeParse(params.get('status')).data : undefined,
  }
  const change = (changed: Partial<Filters>) => {
    const next = new URLSearchParams()
    for (const [name, value] of Object.entries({ ...filters, ...changed })) if (value) next.set(name, value)
    setParams(next, { replace: true, preventScrollReset: true })
  }
  return { filters, change, filtered: Object.values(filters).some(Boolean) }
}
