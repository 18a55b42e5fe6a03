/** Sentences of the clock. All days are days in UTC, as the answer's are. */
import { listPlaceOf } from '../../campaigns/listPlace.ts'
import { grouped } from '../../kit/words.ts'
import type { Continuity, PlayCount, TesterRun } from '../contract.ts'
import type { RunEnding } from '../terms.ts'

export { costWords, dayWords } from '../words.ts'

export const endingWords: Record<RunEnding, string> = {
  OPTED_OUT: 'Opted out',
  LEFT: 'Left the test',
  DROPPED: 'Dropped',
  REJECTED: 'Proof rejected',
  CANCELLED: 'Campaign cancelled',
  VOIDED: 'Opt-in voided',
}

type Mode = Continuity['accessMode']

/** What a tester who has never opted in can wait for, in this order. */
export const notBegunOf = (mode: Mode) =>
  [
    'Has not accepted the NDA',
    'Not let in by Google Play',
    `Not ${listPlaceOf(mode).inside} yet`,
    mode === 'GOOGLE_GROUP' ? 'In your Google Group, not opted in' : 'On your list, not opted in',
  ] as const

export const whyNotBegun = (
  { listedAt, daysKept, ndaAwaited, notLetIn }: Pick<TesterRun, 'listedAt' | 'daysKept' | 'ndaAwaited' | 'notLetIn'>,
  mode: Mode = 'EMAIL_LIST',
): string => {
  const [forNda, keptOut, outside, inside] = notBegunOf(mode)
  if (listedAt !== null || daysKept !== null) return inside
  if (ndaAwaited) return forNda
  return notLetIn ? keptOut : outside
}

/** "1 above 12", "none to spare", "3 short of 12". */
export const bufferWords = ({ buffer, requiredTesters }: Continuity): string => {
  if (buffer === 0) return 'none to spare'
  return buffer > 0 ? `${buffer} above ${requiredTesters}` : `${-buffer} short of ${requiredTesters}`
}

/** What Play Console's number says beside ours, and what usually causes a difference. */
export const differenceWords = (
  { count, difference }: PlayCount,
  mode: Mode = 'EMAIL_LIST',
): { fact: string; cause: string | null } => {
  const here = count - difference
  if (difference === 0) return { fact: `Both show ${count}.`, cause: null }
  const fact = `Play Console showed ${count} and Fieldtest ${here}: ${grouped(Math.abs(difference))} ${difference > 0 ? 'more' : 'fewer'} in Play Console.`
  return difference > 0
    ? {
        fact,
        cause: `Usually your own accounts and people you invited yourself are ${mode === 'GOOGLE_GROUP' ? 'in the group' : 'on the list'} too, or a tester has opted in without telling us yet. Contested runs are not counted here.`,
      }
    : {
        fact,
        cause: `Usually Google Play is a few hours behind, or a tester opted in with a different Google account than the one ${listPlaceOf(mode).inside}, or has opted out without telling us. Ask the newest testers first; you can contest a run that you doubt.`,
      }
}
