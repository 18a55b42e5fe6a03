/** The way into a closed test, in the developer's words. */
import type { CampaignTester } from '../contract.ts'

/** Not opted in, or opted in without a first sign of use; also somebody under review or verified who left the test. */
export const isOnTheWayIn = ({ nextStep, funnel, status }: CampaignTester): boolean =>
  nextStep === 'ACCEPT_NDA' ||
  nextStep === 'WAIT_FOR_LIST' ||
  nextStep === 'OPEN_LINK' ||
  nextStep === 'OPT_IN' ||
  (status === 'ACTIVE' && funnel?.step === 'OPTED_IN')

export const stuckWords = ({ nextStep, funnel, runs }: CampaignTester): string => {
  if (nextStep === 'ACCEPT_NDA') return 'has not accepted the NDA'
  if (nextStep === 'WAIT_FOR_LIST') return 'waits for you: not on the tester list yet'
  if (runs.length > 0 && nextStep === 'OPT_IN') return 'opted out'
  if (funnel?.step === 'OPTED_IN') return 'opted in, has not used the app yet'
  return funnel?.step === 'LINK_OPENED' ? 'opened the link, has not opted in' : 'on the list, has not opened the link'
}
