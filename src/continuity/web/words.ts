/** Sentences of the clock. All days are days in UTC, as the answer's are. */
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

export const notBegunOrder = ['Has not accepted the NDA', 'Not on your list yet', 'On your list, not opted in'] as const

/** What a tester who has never opted in waits for. */
export const whyNotBegun = ({
  listedAt,
  daysKept,
  ndaAwaited,
}: Pick<TesterRun, 'listedAt' | 'daysKept' | 'ndaAwaited'>): (typeof notBegunOrder)[number] => {
  if (listedAt !== null || daysKept !== null) return 'On your list, not opted in'
  return ndaAwaited ? 'Has not accepted the NDA' : 'Not on your list yet'
}

/** "1 above 12", "none to spare", "3 short of 12". */
export const bufferWords = ({ buffer, requiredTesters }: Continuity): string => {
  if (buffer === 0) return 'none to spare'
  return buffer > 0 ? `${buffer} above ${requiredTesters}` : `${-buffer} short of ${requiredTesters}`
}

/** What Play Console's number says beside ours, and what usually causes a difference. */
export const differenceWords = ({ count, difference }: PlayCount): { fact: string; cause: string | null } => {
  const here = count - difference
  if (difference === 0) return { fact: `Both show ${count}.`, cause: null }
  const fact = `Play Console showed ${count} and Fieldtest ${here}: ${grouped(Math.abs(difference))} ${difference > 0 ? 'more' : 'fewer'} in Play Console.`
  return difference > 0
    ? {
        fact,
        cause:
          'Usually your own accounts and people you invited yourself are on the list too, or a tester has opted in and not told us yet. Contested runs are not counted here.',
      }
    : {
        fact,
        cause:
          'Usually Google Play is a few hours behind, or a tester opted in with a different Google account than the one on your list, or has opted out without telling us. Ask the newest testers first; you can contest a run that you doubt.',
      }
}
