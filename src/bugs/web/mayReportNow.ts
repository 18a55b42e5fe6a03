import type { CampaignTester } from '../../participations/contract.ts'
import { atTheDoor } from '../../participations/situation.ts'
import { mayReport, reportsWaitForNda } from '../rules.ts'

export const mayReportNow = (test: CampaignTester): boolean => mayReport(atTheDoor(test))

export const waitsForNdaNow = (test: CampaignTester): boolean => reportsWaitForNda(atTheDoor(test))
