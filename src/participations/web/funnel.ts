/** The way into a closed test, in the developer's words. */
import { counted } from '../../kit/words.ts'
import type { CampaignTester } from '../contract.ts'

/** Not opted in, or opted in without a first sign of use; also somebody under review or verified who left the test. */
export const isOnTheWayIn = ({ nextStep, funnel, status }: CampaignTester): boolean =>
  nextStep === 'ACCEPT_NDA' ||
  nextStep === 'WAIT_FOR_LIST' ||
  nextStep === 'OPEN_LINK' ||
  nextStep === 'OPT_IN' ||
  (status === 'ACTIVE' && funnel?.step === 'OPTED_IN')

/** Of whoever has been opted in before, and is not now. */
const hasLeft = ({ nextStep, runs }: CampaignTester): boolean => runs.length > 0 && nextStep === 'OPT_IN'

/** The head of the list of those who are not in the test: whoever has left is not on the way in. */
export const stuckHead = (testers: readonly CampaignTester[]): { title: string; description: string } => {
  const left = testers.filter(hasLeft).length
  const yet = testers.length - left
  const notYet = `${counted(yet, 'tester')} not testing yet`
  if (left === 0) return { title: 'On their way in', description: notYet }
  const out = `${counted(left, 'tester')} no longer opted in`
  return yet === 0
    ? { title: 'No longer opted in', description: out }
    : { title: 'On their way in, or no longer opted in', description: `${notYet}, ${out}` }
}

export const stuckWords = (tester: CampaignTester): string => {
  const { nextStep, funnel } = tester
  if (nextStep === 'ACCEPT_NDA') return 'has not accepted the NDA'
  if (nextStep === 'WAIT_FOR_LIST') return 'waits for you: not on the tester list yet'
  if (hasLeft(tester)) return tester.runs.at(-1)?.voided ? 'has to opt in again: the opt-in was voided' : 'opted out'
  if (funnel?.step === 'OPTED_IN') return 'opted in, has not used the app yet'
  return funnel?.step === 'LINK_OPENED' ? 'opened the link, has not opted in' : 'on the list, has not opened the link'
}
