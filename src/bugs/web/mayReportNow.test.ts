import { expect, test } from 'vitest'
import type { CampaignStatus } from '../../campaigns/contract.ts'
import { campaignStatuses } from '../../campaigns/terms.ts'
import type { CampaignTester } from '../../participations/contract.ts'
import { participationStatuses } from '../../campaigns/participationStatus.ts'
import { mayReportNow, waitsForNdaNow } from './mayReportNow.ts'

const testOf = (status: CampaignTester['status'], campaignStatus: CampaignStatus, accepted: number | null = 1) =>
  ({ status, campaign: { status: campaignStatus }, nda: { version: 2, accepted } }) as CampaignTester
const mayReport = (status: CampaignTester['status'], campaignStatus: CampaignStatus) =>
  mayReportNow(testOf(status, campaignStatus))

test('a verified tester reports bugs as long as the campaign runs, also while it is paused', () => {
  expect(campaignStatuses.filter(status => mayReport('VERIFIED', status))).toEqual(['LIVE', 'PAUSED'])
})

test('a tester who is still testing may report bugs, even if the campaign has ended', () => {
  const testing = ['ACTIVE', 'SUBMITTED', 'CHANGES_REQUESTED']
  expect(participationStatuses.filter(status => mayReport(status, 'LIVE')).toSorted()).toEqual(
    [...testing, 'VERIFIED'].toSorted(),
  )
  expect(participationStatuses.filter(status => mayReport(status, 'COMPLETED')).toSorted()).toEqual(testing.toSorted())
})

test('a test whose NDA is not accepted says so, and one that is over does not', () => {
  const asked = (status: CampaignTester['status']) => {
    const own = testOf(status, 'LIVE', null)
    return [mayReportNow(own), waitsForNdaNow(own)]
  }
  expect(asked('ACTIVE')).toEqual([false, true])
  expect(asked('DROPPED')).toEqual([false, false])
})
