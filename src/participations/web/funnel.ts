/** The way into a closed test, in the developer's words. */
import { counted } from '../../kit/words.ts'
import { listPlaceOf } from '../../campaigns/listPlace.ts'
import type { CampaignTester } from '../contract.ts'
import type { FunnelStep } from '../terms.ts'

/**
 * Not opted in, or opted in without any sign of use yet. Includes testers under review or verified who have left the closed test.
 */
export const isOnTheWayIn = ({ nextStep, funnel, status }: CampaignTester): boolean =>
  nextStep === 'ACCEPT_NDA' ||
  nextStep === 'WAIT_FOR_LIST' ||
  nextStep === 'OPEN_LINK' ||
  nextStep === 'OPT_IN' ||
  (status === 'ACTIVE' && funnel?.step === 'OPTED_IN')

/** For a tester who was opted in before and is not now. */
const hasLeft = ({ nextStep, runs }: CampaignTester): boolean => runs.length > 0 && nextStep === 'OPT_IN'

/** The heading of the list of testers who are not in the test, which names those who left as well. */
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

type Mode = CampaignTester['campaign']['accessMode']

/** Testers whom the developer confirmed as listed, and who have since reported that Google Play does not let them in. */
export const isKeptOut = ({ nextStep, noAccess }: CampaignTester): boolean =>
  nextStep === 'WAIT_FOR_LIST' && (noAccess?.reports ?? 0) > 0

/** What the tester waits for the developer to do: "is waiting for you: not on the tester list yet". */
export const notInside = (mode: Mode): string =>
  `not ${mode === 'GOOGLE_GROUP' ? listPlaceOf(mode).inside : 'on the tester list'} yet`

export const stuckWords = (tester: CampaignTester): string => {
  const { nextStep, funnel, campaign } = tester
  if (nextStep === 'ACCEPT_NDA') return 'has not accepted the NDA'
  if (isKeptOut(tester)) return 'is waiting for you: not let in by Google Play'
  if (nextStep === 'WAIT_FOR_LIST') return `is waiting for you: ${notInside(campaign.accessMode)}`
  if (hasLeft(tester)) return tester.runs.at(-1)?.voided ? 'has to opt in again: the opt-in was voided' : 'opted out'
  if (funnel?.step === 'OPTED_IN') return 'opted in, has not used the app yet'
  if (funnel?.step === 'LINK_OPENED') return 'opened the link, has not opted in'
  return `${campaign.accessMode === 'GOOGLE_GROUP' ? 'in the group' : 'on the list'}, has not opened the link`
}

const stepWords: Record<FunnelStep, (inGroup: boolean) => string> = {
  JOINED: inGroup => (inGroup ? 'Not in the group yet, joined' : 'Not on the list yet, joined'),
  LISTED: inGroup => (inGroup ? 'Link not opened yet, added' : 'Link not opened yet, listed'),
  LINK_OPENED: () => 'Not opted in yet, link opened',
  OPTED_IN: () => 'Not used yet, opted in',
  IN_USE: () => 'First used',
}

/** How far a tester has come, and since when. A tester who opened the link too early still waits to be let in. */
export const funnelWords = (
  tester: CampaignTester,
  funnel: NonNullable<CampaignTester['funnel']>,
): { words: string; since: string } => {
  const { nextStep, joinedAt, campaign } = tester
  if (isKeptOut(tester)) return { words: 'Not let in by Google Play, reported', since: funnel.since }
  const inGroup = campaign.accessMode === 'GOOGLE_GROUP'
  if (nextStep === 'WAIT_FOR_LIST') return { words: stepWords.JOINED(inGroup), since: joinedAt }
  return { words: stepWords[funnel.step](inGroup), since: funnel.since }
}
