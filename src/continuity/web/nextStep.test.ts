import { describe, expect, test } from 'vitest'
import { instant, testersOf } from '../clock.cases.ts'
import type { Continuity, TesterRun } from '../contract.ts'
import { clockOf } from '../rules.ts'
import { nextStepOf } from './nextStep.ts'
import { axisOf, barOf, inOrder, percentAt } from './timeline.ts'
import { bufferWords, costWords, dayWords, differenceWords, whyNotBegun } from './words.ts'

const now = instant('12-01 12:00')

type More = Partial<Pick<Continuity, 'appliedAt'>> & { tester?: Partial<TesterRun>; at?: string }

/** The answer for these testers, in the notation of clock.cases.ts; `tester` is what all of them have besides. */
const answer = (lines: string[], { appliedAt = null, tester = {}, at = now }: More = {}): Continuity => {
  const clock = clockOf(testersOf(...lines), at)
  return {
    ...clock,
    accessMode: 'EMAIL_LIST',
    appliedAt,
    playCounts: [],
    testers: clock.testers.map(one => ({
      ...one,
      status: 'ACTIVE',
      listedAt: at,
      notLetIn: false,
      ndaAwaited: false,
      accountDeleted: false,
      ended: one.optedOutAt === null ? null : 'OPTED_OUT',
      confirmedAt: one.optedInAt,
      contested: null,
      daysKept: null,
      dropped: null,
      ...tester,
    })),
  }
}
const withRisk = (clock: Continuity, ...aliases: string[]): Continuity => ({
  ...clock,
  testers: clock.testers.map(one => ({ ...one, atRisk: aliases.includes(one.alias) })),
})

const withReport = (clock: Continuity, ...aliases: string[]): Continuity => ({
  ...clock,
  testers: clock.testers.map(one => ({ ...one, notLetIn: aliases.includes(one.alias) })),
})

describe('the owner’s next step', () => {
  test.each([
    { lines: [] },
    { lines: ['5 × 11-20 10:00', '7 × none'] },
    // They were twelve for ten days: it does not say that they never were.
    { lines: ['11 × 11-20 10:00', '11-20 10:00 – 11-30 10:00'] },
  ])('once the test has ended short of 12, asks for nothing: $lines', ({ lines }) => {
    expect(nextStepOf(answer(lines), now, true)).toEqual({
      title: 'The test has ended',
      text: 'Fewer than 12 testers are still opted in without a break, so there is no date to apply.',
      door: null,
    })
  })
  test.each([{ lines: [] }, { lines: ['3 × none'] }])(
    'with a Google Group, speaks of no list in Play Console: $lines',
    ({ lines }) => {
      const clock = { ...answer(lines, { tester: { listedAt: null } }), accessMode: 'GOOGLE_GROUP' as const }
      const { title, text } = nextStepOf(clock, now)
      expect(`${title} ${text}`).toContain('to your Google Group')
      expect(`${title} ${text}`).not.toContain('Play Console')
    },
  )
  test('with a Google Group, those who have not opted in are in it', () => {
    const clock = { ...answer(['10 × 11-20 10:00', '2 × none']), accessMode: 'GOOGLE_GROUP' as const }
    expect(nextStepOf(clock, now).text).toContain('2 testers in your Google Group have not opted in yet')
  })

  test('once the test has ended before the date, promises no tester who takes a place', () => {
    const twelve = answer(['12 × 11-25 10:00'])
    for (const clock of [twelve, withRisk(twelve, 'Tester 7')])
      expect(nextStepOf(clock, now, true).text).toMatch(
        /stops today, nobody can take their place, so there would no longer be a date\.$/,
      )
  })
  test('once the test has ended with a date, is still to apply', () => {
    expect(nextStepOf(answer(['12 × 11-10 10:00']), now, true).door).toBe('APPLY')
  })

  test('with fewer seats than the date needs says so, and asks for no more testers', () => {
    const clock = answer(['3 × 11-25 10:00'])
    expect(nextStepOf(clock, now, false, 3)).toMatchObject({
      title: 'Too few seats for a date',
      text: 'The campaign has 3 seats, and Google asks for 12 testers who are opted in at the same time.',
    })
    expect(nextStepOf(clock, now, false, 12).title).toBe('9 more testers have to opt in')
    const waiting = answer(['3 × none'], { tester: { listedAt: null } })
    const none = 'With 3 seats there will be no date: Google asks for 12 testers.'
    expect(nextStepOf(waiting, now, false, 3)).toMatchObject({ door: 'LIST', text: expect.stringContaining(none) })
    expect(nextStepOf(waiting, now, false, 12).text).not.toContain('no date')
    const begins = 'the clock starts with the 12th'
    expect(nextStepOf(answer([]), now, false, 3).text).not.toContain(begins)
    expect(nextStepOf(answer([]), now, false, 12).text).toContain(begins)
  })

  test.each<{ what: string; clock: Continuity; title: string; text: RegExp; door: string | null }>([
    {
      what: 'nobody is in the test',
      clock: answer([]),
      title: 'Nobody is testing at the moment',
      text: /joins/,
      door: null,
    },
    {
      what: 'somebody waits for the list',
      clock: answer(['3 × none'], { tester: { listedAt: null } }),
      title: 'Add 3 testers to the list in Play Console',
      text: /cannot open/,
      door: 'LIST',
    },
    {
      what: 'whom Google Play does not let in is on the list, and not to be added to it',
      clock: answer(['3 × none'], { tester: { listedAt: null, notLetIn: true } }),
      title: '3 testers cannot get in',
      text: /^They reported that Google Play does not let them in\. Look into it, then export the tester list again and confirm it\.$/,
      door: 'LIST',
    },
    {
      what: 'some wait for the list, and Google Play does not let another in',
      clock: withReport(answer(['3 × none'], { tester: { listedAt: null } }), 'Tester 2'),
      title: 'Add 2 testers to the list in Play Console',
      text: /do not count\. 1 more tester has reported that Google Play does not let them in\.$/,
      door: 'LIST',
    },
    {
      what: 'some are on the list and have not opted in',
      clock: answer(['10 × 11-20 10:00', '2 × none']),
      title: '2 more testers have to opt in',
      text: /12 are opted in.* 2 testers on your list have not opted in yet/,
      door: 'TESTERS',
    },
    {
      what: 'those who are not on the list cannot be added before they accept the NDA',
      clock: answer(['3 × none'], { tester: { listedAt: null, ndaAwaited: true } }),
      title: '12 more testers have to opt in',
      text: /same time\. 3 testers have not accepted the NDA yet\.$/,
      door: 'TESTERS',
    },
    {
      what: 'one is missing, and nobody waits',
      clock: answer(['11 × 11-20 10:00']),
      title: '1 more tester has to opt in',
      text: /once 12 are opted in at the same time\.$/,
      door: 'TESTERS',
    },
    {
      what: 'the costliest of those at risk comes first',
      clock: withRisk(
        answer(['11 × 11-19 10:00', '11-22 10:00', '11-25 10:00', '11-26 10:00']),
        'Tester 14',
        'Tester 7',
      ),
      title: 'Tester 7 may drop out: ask them to continue',
      text: /^If Tester 7 stops today, the date moves from Dec 6 to Dec 9\.$/,
      door: 'TESTERS',
    },
    {
      what: 'one is at risk who costs the buffer only',
      clock: withRisk(answer(['13 × 11-25 10:00']), 'Tester 7'),
      title: 'Tester 7 may drop out: ask them to continue',
      text: /^If Tester 7 stops today, the date stays Dec 9\.$/,
      door: 'TESTERS',
    },
    {
      what: 'exactly twelve',
      clock: answer(['12 × 11-25 10:00']),
      title: 'Nobody to spare',
      text: /Dec 15 at the earliest/,
      door: 'TESTERS',
    },
    {
      what: 'thirteen',
      clock: answer(['13 × 11-25 10:00']),
      title: 'Nothing to do today',
      text: /Play Console/,
      door: null,
    },
    {
      what: 'the date is reached, although another waits for the list',
      clock: answer(['12 × 11-10 10:00', 'none'], { tester: { listedAt: null } }),
      title: 'You can apply for production access now',
      text: /without a break.*Google decides/,
      door: 'APPLY',
    },
    {
      what: 'it is the day, and not yet the hour',
      clock: answer(['13 × 11-17 13:00']),
      title: 'Nothing to do today',
      text: /Play Console/,
      door: null,
    },
    {
      what: 'the owner has applied',
      clock: answer(['12 × 11-10 10:00'], { appliedAt: '2026-11-30T10:00:00.000Z' }),
      title: 'You have applied',
      text: /^On Nov 30\. Google decides/,
      door: null,
    },
  ])('$what', ({ clock, title, text, door }) => {
    const step = nextStepOf(clock, now)
    expect(step).toMatchObject({ title, door })
    expect(step.text).toMatch(text)
    // Whom the next step names, the list of those at risk leaves out.
    expect(step.about).toBe(title.startsWith('Tester 7') ? 'id7' : undefined)
  })
})

test('the tester whose leaving costs most is named first, in whatever order the testers come', () => {
  const lines = ['11 × 11-19 10:00', '11-22 10:00', '11-25 10:00', '11-26 10:00']
  const clock = withRisk(answer(lines), 'Tester 14', 'Tester 7')
  for (const testers of [clock.testers, clock.testers.toReversed()])
    expect(nextStepOf({ ...clock, testers }, now).about).toBe('id7')
})

describe('the words', () => {
  test('say what a tester’s leaving costs', () => {
    const cost = (index: number, ...lines: string[]) => {
      const clock = answer(lines)
      return costWords(clock.testers[index]!, clock, now)
    }
    expect(cost(0, '12 × 11-19 10:00', '11-25 10:00')).toBe('the date moves from Dec 3 to Dec 9')
    expect(cost(12, '12 × 11-19 10:00', '11-25 10:00')).toBe('the date stays Dec 3')
    expect(cost(0, '12 × 11-19 10:00')).toBe(
      'the date moves from Dec 3 to Dec 15 at the earliest, if a new tester opts in today',
    )
    expect(cost(0, '11 × 11-19 10:00')).toBe('there is no date yet either way')
    const short = answer(['11 × 11-19 10:00'])
    expect(costWords(short.testers[0]!, short, now, true)).toBe('there is no date either way')
  })

  test('say what a tester waits for who has never opted in', () => {
    const tester = { listedAt: null, daysKept: null, ndaAwaited: false, notLetIn: false }
    expect(whyNotBegun(tester)).toBe('Not on your list yet')
    expect(whyNotBegun({ ...tester, notLetIn: true })).toBe('Not let in by Google Play')
    expect(whyNotBegun({ ...tester, ndaAwaited: true })).toBe('Has not accepted the NDA')
    // Who was on the list before there was an NDA stays on it.
    expect(whyNotBegun({ ...tester, listedAt: now, ndaAwaited: true })).toBe('On your list, not opted in')
    expect(whyNotBegun(tester, 'GOOGLE_GROUP')).toBe('Not in your Google Group yet')
    expect(whyNotBegun({ ...tester, listedAt: now }, 'GOOGLE_GROUP')).toBe('In your Google Group, not opted in')
  })

  test('name the year where it is another one, and the buffer', () => {
    expect(dayWords('2026-12-03', now)).toBe('Dec 3')
    expect(dayWords('2027-01-03', now)).toBe('Jan 3, 2027')
    for (const [count, words] of [
      [13, '1 above 12'],
      [12, 'none to spare'],
      [9, '3 short of 12'],
    ] as const)
      expect(bufferWords(answer([`${count} × 11-19 10:00`]))).toBe(words)
  })

  test('say by how much Play Console differs, and what usually causes it', () => {
    const words = (count: number, difference: number) => differenceWords({ day: '2026-12-01', count, difference })
    expect(words(12, 0)).toEqual({ fact: 'Both show 12.', cause: null })
    expect(words(14, 2).fact).toBe('Play Console showed 14 and Fieldtest 12: 2 more in Play Console.')
    expect(words(14, 2).cause).toContain('invited yourself')
    expect(words(11, -1).fact).toBe('Play Console showed 11 and Fieldtest 12: 1 fewer in Play Console.')
    expect(words(11, -1).cause).toContain('a different Google account')
    const ofGroup = [1, -1].map(
      difference => differenceWords({ day: '2026-12-01', count: 12, difference }, 'GOOGLE_GROUP').cause,
    )
    expect(ofGroup[0]).toContain('are in the group too')
    expect(ofGroup[1]).toContain('than the one in your Google Group')
  })
})

describe('the bars', () => {
  test('share one axis, from the oldest run that lasts to the day on which the youngest is complete', () => {
    const clock = answer(['11-21 12:00', '11-25 12:00', '10-01 12:00 – 10-20 12:00', 'none'])
    const axis = axisOf(clock, now)
    expect(axis).toEqual({ start: instant('11-21 12:00'), end: instant('12-09 12:00') })
    const [oldest, youngest, ended, none] = clock.testers.map(tester => barOf(tester, axis, 14, now))
    expect(oldest).toEqual({ from: 0, to: (10 / 18) * 100, complete: (14 / 18) * 100 })
    expect(youngest).toEqual({ from: (4 / 18) * 100, to: (10 / 18) * 100, complete: 100 })
    expect(ended).toEqual({ from: 0, to: 0, complete: 0 })
    expect(none).toBeNull()
  })

  test('end now once the runs are complete, reach back six weeks at most, and stay within the axis', () => {
    const clock = answer(['09-01 12:00'])
    const axis = axisOf(clock, now)
    expect(axis).toEqual({ start: instant('10-20 12:00'), end: now })
    expect(barOf(clock.testers[0]!, axis, 14, now)).toEqual({ from: 0, to: 100, complete: 100 })
    expect(percentAt(axis, instant('12-25 10:00'))).toBe(100)
    expect(axisOf(answer([]), now)).toEqual({ start: now, end: instant('12-15 12:00') })
  })

  test('stand in order: the oldest that counts, contested, not opted in, ended', () => {
    const clock = answer([
      'none',
      '11-05 10:00 – 11-06 10:00',
      '11-05 10:00 – 11-09 10:00',
      '11-01 10:00 ?',
      '11-25 10:00',
      '11-20 10:00',
    ])
    for (const testers of [clock.testers, clock.testers.toReversed()])
      expect(inOrder(testers).map(({ id }) => id)).toEqual(['id6', 'id5', 'id4', 'id1', 'id3', 'id2'])
  })
})
