import { queryOptions } from '@tanstack/react-query'
import { auditKeys } from '../../audit/web/keys.ts'
import type { Campaign } from '../../campaigns/contract.ts'
import { campaignKeys } from '../../campaigns/web/keys.ts'
import { client } from '../../kit/web/api.ts'
import { invalidate, pagesOf, queryClient } from '../../kit/web/query.ts'
import { ndaKeys } from '../../nda/web/keys.ts'
import { ledgerKeys } from '../../ledger/web/keys.ts'
import type {
  CampaignTester,
  ContestedOptIn,
  ParticipationStatus,
  participationApi,
  WaitingAppeal,
  WaitingRejection,
} from '../contract.ts'
import { participationKeys } from './keys.ts'

export const api = client<typeof participationApi>('participations')

/** The tester's own tests. */
export const myTestPages = (status: ParticipationStatus | null) =>
  pagesOf<CampaignTester>(participationKeys.mine(status), ({ cursor, signal }) =>
    api.mine({ query: { ...(status && { status }), cursor }, signal }),
  )

/** One of them. */
export const ownTestQuery = (id: string) =>
  queryOptions({ queryKey: participationKeys.own(id), queryFn: ({ signal }) => api.own({ params: { id }, signal }) })

/** The feedback form that is due with its proof. */
export const feedbackQuery = (id: string) =>
  queryOptions({
    queryKey: participationKeys.feedback(id),
    queryFn: ({ signal }) => api.feedback({ params: { id }, signal }),
  })

/** A tester's answers, for whoever reviews the proof. */
export const testFeedbackQuery = (id: string) =>
  queryOptions({
    queryKey: participationKeys.testFeedback(id),
    queryFn: ({ signal }) => api.testFeedback({ params: { id }, signal }),
  })

/** The testers of a campaign, in joining order. */
export const rosterPages = (campaignId: string, status: ParticipationStatus | null) =>
  pagesOf<CampaignTester>(participationKeys.ofCampaign(campaignId, status), ({ cursor, signal }) =>
    api.ofCampaign({ params: { id: campaignId }, query: { ...(status && { status }), cursor }, signal }),
  )

/** Whether the developer's rejections need an admin's consent. */
export const consentQuery = queryOptions({
  queryKey: participationKeys.consent,
  queryFn: ({ signal }) => api.rejectionConsent({ signal }),
})

/** Contested opt-ins that wait for an admin's decision. */
export const contestedPages = pagesOf<ContestedOptIn>(participationKeys.contested, ({ cursor, signal }) =>
  api.contested({ query: { cursor, limit: 20 }, signal }),
)

/** Rejections that wait for an admin's consent. */
export const rejectionPages = pagesOf<WaitingRejection>(participationKeys.rejections, ({ cursor, signal }) =>
  api.rejections({ query: { cursor, limit: 20 }, signal }),
)

/** Appeals that wait for an admin's decision. */
export const appealPages = pagesOf<WaitingAppeal>(participationKeys.appeals, ({ cursor, signal }) =>
  api.appeals({ query: { cursor, limit: 20 }, signal }),
)

export const appealQuery = (id: string) =>
  queryOptions({
    queryKey: participationKeys.appeal(id),
    queryFn: ({ signal }) => api.appealCase({ params: { id }, signal }),
  })

export const canBeEntered = ({ actions }: Campaign) =>
  actions.some(action => action === 'join' || action === 'enterBench')

/** Whether a tester from this country may join, as far as this browser knows. */
export const fitQuery = (campaign: Campaign, country: string | null) =>
  queryOptions({
    queryKey: participationKeys.obstacle(campaign, country),
    queryFn: async () => (await import('./whyNot.ts')).findFit(campaign, country),
  })

/** Before the campaigns are drawn: a sentence that came later would move what is below it. */
export const findFits = (campaigns: readonly Campaign[], country: string | null) =>
  Promise.all(campaigns.filter(canBeEntered).map(campaign => queryClient.prefetchQuery(fitQuery(campaign, country))))

/** A change to a test also changes its campaign, may accept the NDA, may move money, and may be in the audit log. */
export const refreshTests = () =>
  invalidate(participationKeys.all, ndaKeys.all, campaignKeys.all, ledgerKeys.all, auditKeys.all)
