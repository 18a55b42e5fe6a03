import { counted } from '../../kit/words.ts'
import type { DeveloperReputation, TesterReputation } from '../contract.ts'

type Share = NonNullable<TesterReputation['firstTry']>

const ofNewest = ({ count, of }: Share, noun: string) => `${count} of the last ${counted(of, noun)}`

const given = (lines: readonly (string | null | false)[]): string[] => lines.filter(line => typeof line === 'string')

/** A sentence for each figure that is known. */
export const testerWords = ({ testsDone, daysKept, firstTry, seatsLeft }: TesterReputation): string[] =>
  given([
    testsDone !== null && `${testsDone}+ tests done`,
    daysKept && `${daysKept.percent}% of days kept in the last ${counted(daysKept.of, 'test')}`,
    firstTry && `${ofNewest(firstTry, 'proof')} verified on the first try`,
    seatsLeft && `Left ${ofNewest(seatsLeft, 'test')} before the end`,
  ])

export const developerWords = ({ testsDone, answerTime, rejected, appealsLost }: DeveloperReputation): string[] =>
  given([
    testsDone !== null && `${testsDone}+ tests verified and paid`,
    answerTime &&
      `Half of the last ${counted(answerTime.of, 'proof')} answered within ${counted(answerTime.hours, 'hour')}`,
    rejected && `Rejected ${ofNewest(rejected, 'proof')}`,
    appealsLost && `Lost ${ofNewest(appealsLost, 'appeal')}`,
  ])

/** What fits on a card of a list; null without figures. */
export const developerLine = ({ answerTime, rejected }: DeveloperReputation): string | null => {
  const parts = given([
    answerTime && `Usually answers within ${answerTime.hours} h`,
    rejected && `rejected ${rejected.count} of ${rejected.of} proofs`,
  ])
  return parts.length === 0 ? null : parts.join(' · ')
}
