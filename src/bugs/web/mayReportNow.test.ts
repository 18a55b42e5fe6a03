import { expect, test } from 'vitest'
import type { CampaignStatus } from '../../campaigns/contract.ts'
import { campaignStatuses } from '../../campaigns/terms.ts'
import type { CampaignTester } from '../../participations/contract.ts'
import { participationStatuses } from '../../participations/terms.ts'
import { mayReportNow } from './mayReportNow.ts'

const mayReport = (status: CampaignTester['status'], campaignStatus: CampaignStatus) =>
  mayReportNow({ status, campaign: { status: campaignStatus } } as CampaignTester)

test('a verified tester reports bugs as long as the campaign runs, also while it is paused', () => {
  expect(campaignStatuses.filter(status => mayReport('VERIFIED', status))).toEqual(['LIVE', 'PAUSED'])
})

test('whoever is still testing reports bugs, even if the campaign has ended', () => {
  const testing = ['ACTIVE', 'SUBMITTED', 'CHANGES_REQUESTED']
  expect(participationStatuses.filter(status => mayReport(status, 'LIVE')).toSorted()).toEqual(
    [...testing, 'VERIFIED'].toSorted(),
  )
  expect(participationStatuses.filter(status => mayReport(status, 'COMPLETED')).toSorted()).toEqual(testing.toSorted())
})
