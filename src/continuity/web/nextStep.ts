/** What the owner of a closed test has to do next, from what the clock says. */
import { daysAfter, type Instant } from '../../kit/clock.ts'
import { listPlaceOf } from '../../campaigns/listPlace.ts'
import { counted } from '../../kit/words.ts'
import type { Continuity, TesterRun } from '../contract.ts'
import { costWords, dayWords } from './words.ts'

/** What the button beside it leads to. */
export type Door = 'APPLY' | 'LIST' | 'TESTERS' | null
/** `about` is the tester of whom it speaks. */
export type NextStep = { title: string; text: string; door: Door; about?: string }

/** The list takes nobody who has not accepted the NDA: the owner could do nothing about them. */
export const waitsForList = ({ status, listedAt, optedInAt, ndaAwaited }: TesterRun) =>
  status === 'ACTIVE' && listedAt === null && optedInAt === null && !ndaAwaited

const waitsForNda = ({ status, listedAt, optedInAt, ndaAwaited }: TesterRun) =>
  status === 'ACTIVE' && listedAt === null && optedInAt === null && ndaAwaited

const waitsToOptIn = ({ status, listedAt, optedInAt }: TesterRun) =>
  status === 'ACTIVE' && listedAt !== null && optedInAt === null

const beforeApplying = 'Check that Play Console agrees, then apply there. Google decides on each application.'

const hasOrHave = (count: number) => (count === 1 ? 'has' : 'have')

const gettingStarted = (clock: Continuity, seats: number): NextStep | null => {
  const waiting = clock.testers.filter(waitsForList)
  const keptOut = waiting.filter(({ notLetIn }) => notLetIn).length
  const unlisted = waiting.length - keptOut
  const { where } = listPlaceOf(clock.accessMode)
  if (clock.testers.length === 0) {
    return {
      // Some may have joined and left without opting in.
      title: 'Nobody is testing at the moment',
      text: `As soon as a tester joins, add their Google account to ${where}. Then they can opt in${seats < clock.requiredTesters ? '' : `, and the clock starts with the ${clock.requiredTesters}th`}.`,
      door: null,
    }
  }
  if (waiting.length === 0) return null
  // Adding them is what their owner has done.
  if (unlisted === 0) {
    return {
      title: `${counted(keptOut, 'tester')} cannot get in`,
      text: 'They reported that Google Play does not let them in. Look into it, then export the tester list again and confirm it.',
      door: 'LIST',
    }
  }
  const reported = `${counted(keptOut, 'more tester')} ${hasOrHave(keptOut)} reported that Google Play does not let them in.`
  return {
    title: `Add ${counted(unlisted, 'tester')} to ${where}`,
    text: `Until you have, they cannot open your app, and their days do not count.${keptOut > 0 ? ` ${reported}` : ''}`,
    door: 'LIST',
  }
}

const short = (clock: Continuity, seats: number): NextStep => {
  const waiting = clock.testers.filter(waitsToOptIn).length
  const unaccepted = clock.testers.filter(waitsForNda).length
  const missing = counted(-clock.buffer, 'more tester')
  if (seats < clock.requiredTesters) {
    return {
      title: 'Too few seats for a date',
      text: `The campaign has ${counted(seats, 'seat')}, and Google asks for ${clock.requiredTesters} testers who are opted in at the same time.`,
      door: 'TESTERS',
    }
  }
  return {
    title: clock.buffer === -1 ? `${missing} has to opt in` : `${missing} have to opt in`,
    text: [
      `The date appears once ${clock.requiredTesters} are opted in at the same time.`,
      waiting > 0 &&
        `${counted(waiting, 'tester')} ${listPlaceOf(clock.accessMode).inside} ${hasOrHave(waiting)} not opted in yet.`,
      unaccepted > 0 && `${counted(unaccepted, 'tester')} ${hasOrHave(unaccepted)} not accepted the NDA yet.`,
    ]
      .filter(Boolean)
      .join(' '),
    door: 'TESTERS',
  }
}

/** The one whose leaving costs most comes first; also who costs the buffer only. */
const endangered = (clock: Continuity): TesterRun | undefined => {
  const late = '9999-12-31'
  return clock.testers
    .filter(tester => tester.atRisk && tester.counts)
    .toSorted((a, b) => ((a.earliestDateWithout ?? late) < (b.earliestDateWithout ?? late) ? 1 : -1))[0]
}

const underWay = (clock: Continuity, now: Instant, ended: boolean): NextStep => {
  const risky = endangered(clock)
  if (risky) {
    return {
      title: `${risky.alias} may drop out: ask them to continue`,
      text: `If ${risky.alias} stops today, ${costWords(risky, clock, now, ended)}.`,
      door: 'TESTERS',
      about: risky.id,
    }
  }
  if (clock.buffer === 0) {
    const soonest = dayWords(daysAfter(now, clock.requiredDays).slice(0, 10), now)
    return {
      title: 'Nobody to spare',
      text: ended
        ? `If one of the ${clock.requiredTesters} stops today, nobody can take their place, so there would no longer be a date.`
        : `If one of the ${clock.requiredTesters} stops today, a new tester starts at day 1, and the date moves to ${soonest} at the earliest.`,
      door: 'TESTERS',
    }
  }
  return {
    title: 'Nothing to do today',
    text: 'Compare the number with Play Console from time to time. Testers at risk show up here.',
    door: null,
  }
}

/** `ended`: the campaign, after which nobody new opts in. `seats`: those that are not closed. */
export const nextStepOf = (clock: Continuity, now: Instant, ended = false, seats = Infinity): NextStep => {
  if (clock.appliedAt !== null) {
    return {
      title: 'You have applied',
      text: `On ${dayWords(clock.appliedAt.slice(0, 10), now)}. Google decides, and answers in Play Console. The clock keeps running below.`,
      door: null,
    }
  }
  if (clock.earliestAt !== null && clock.earliestAt <= now) {
    const text = `${clock.requiredTesters} testers have been opted in for ${clock.requiredDays} days without a break. ${beforeApplying}`
    return { title: 'You can apply for production access now', text, door: 'APPLY' }
  }
  if (ended && clock.earliestAt === null) {
    const text = `Fewer than ${clock.requiredTesters} testers are still opted in without a break, so there is no date to apply.`
    return { title: 'The test has ended', text, door: null }
  }
  const start = gettingStarted(clock, seats)
  // Those who wait are still to be let in, to test and to be paid.
  if (start && clock.testers.length > 0 && seats < clock.requiredTesters)
    return {
      ...start,
      text: `${start.text} With ${counted(seats, 'seat')} there will be no date: Google asks for ${clock.requiredTesters} testers.`,
    }
  return start ?? (clock.earliestAt === null ? short(clock, seats) : underWay(clock, now, ended))
}
