import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { dayAfter, daysAfter, hoursAfter } from '../kit/clock.ts'
import { cases, instant, testersOf } from './clock.cases.ts'
import { assertPlayDay, clockOf, comparedWith, type TesterFacts } from './rules.ts'

for (const [group, rows] of Object.entries(cases)) {
  test.each(rows)(`${group}: $what`, ({ testers, now, unbroken, date, day, together }) => {
    const clock = clockOf(testersOf(...testers), instant(now))
    expect({
      unbroken: clock.unbrokenTesters,
      buffer: clock.buffer,
      date: clock.earliestDate,
      day: clock.day,
      together: clock.aggregateRunDays,
    }).toEqual({ unbroken, buffer: unbroken - 12, date, day, together })
  })
}

test('there are at least forty hand-worked cases', () => {
  expect(Object.values(cases).flat().length).toBeGreaterThanOrEqual(40)
})

describe('what it would cost if a tester stopped now', () => {
  const without = (...lines: string[]) => {
    const clock = clockOf(testersOf(...lines), instant('12-01 12:00'))
    return [clock.earliestDate, ...clock.testers.map(({ earliestDateWithout }) => earliestDateWithout)]
  }
  const same = (count: number, date: string | null) => Array.from({ length: count }, () => date)

  test.each<{ what: string; testers: string[]; expected: (string | null)[] }>([
    {
      what: 'of exactly twelve, each is needed',
      testers: ['12 × 11-19 10:00'],
      expected: ['2026-12-03', ...same(12, null)],
    },
    {
      what: 'of thirteen, the youngest would take the place of each of the others',
      testers: ['12 × 11-19 10:00', '11-25 10:00'],
      expected: ['2026-12-03', ...same(12, '2026-12-09'), '2026-12-03'],
    },
    {
      what: 'of fourteen who began together, nobody is missed',
      testers: ['14 × 11-19 10:00'],
      expected: same(15, '2026-12-03'),
    },
    {
      what: 'the twelfth itself',
      testers: ['11 × 11-19 10:00', '11-22 10:00', '11-24 10:00'],
      expected: ['2026-12-06', ...same(11, '2026-12-08'), '2026-12-08', '2026-12-06'],
    },
    {
      what: 'who does not count is not missed: contested, gone, void, not opted in',
      testers: [
        '12 × 11-19 10:00',
        '11-19 10:00 ?',
        '11-19 10:00 – 11-20 10:00',
        '11-19 10:00 – 11-20 10:00 void',
        'none',
      ],
      expected: ['2026-12-03', ...same(12, null), ...same(4, '2026-12-03')],
    },
    { what: 'of eleven, nobody changes anything', testers: ['11 × 11-19 10:00'], expected: same(12, null) },
  ])('$what', ({ testers, expected }) => {
    expect(without(...testers)).toEqual(expected)
  })
})

test('a tester’s days are whole periods of 24 hours of the present run, or of the last one', () => {
  const days = (line: string, now: string) => {
    const [{ optedInAt, optedOutAt, runDays, counts }] = clockOf(testersOf(line), instant(now)).testers as [never]
    return { from: optedInAt, to: optedOutAt, runDays, counts }
  }
  const start = instant('03-01 10:00')
  for (const [line, now, expected] of [
    ['none', '03-10 10:00', { from: null, to: null, runDays: 0, counts: false }],
    ['03-01 10:00', '03-01 10:00', { from: start, to: null, runDays: 0, counts: true }],
    ['03-01 10:00', '03-02 09:59', { from: start, to: null, runDays: 0, counts: true }],
    ['03-01 10:00', '03-02 10:00', { from: start, to: null, runDays: 1, counts: true }],
    ['03-01 10:00 ?', '03-09 10:00', { from: start, to: null, runDays: 8, counts: false }],
    [
      '03-01 10:00 – 03-04 09:00',
      '03-09 10:00',
      { from: start, to: instant('03-04 09:00'), runDays: 2, counts: false },
    ],
    ['02-01 10:00 – 02-20 10:00, 03-01 10:00', '03-09 09:00', { from: start, to: null, runDays: 7, counts: true }],
  ] as const) {
    expect([line, now, days(line, now)]).toEqual([line, now, expected])
  }
})

test('only a run that goes on can be at risk', () => {
  const testers = testersOf('03-01 10:00', '03-01 10:00 – 03-02 10:00', 'none').map(one => ({ ...one, atRisk: true }))
  expect(clockOf(testers, instant('03-10 10:00')).testers.map(({ atRisk }) => atRisk)).toEqual([true, false, false])
})

describe('testers who share a Google account', () => {
  const now = instant('12-01 12:00')
  /** The last two of them. */
  const sharing = (...lines: string[]) =>
    testersOf(...lines).map((tester, index, all) => ({ ...tester, account: index < all.length - 2 ? null : 'theirs' }))

  test('count once, by the older run; the younger one’s leaving costs nothing, and it takes the place of the older one', () => {
    const clock = clockOf(sharing('11 × 11-19 10:00', '11-22 10:00', '11-20 10:00'), now)
    expect(clock).toMatchObject({ unbrokenTesters: 12, buffer: 0, earliestDate: '2026-12-04', aggregateRunDays: 11 })
    expect(clock.testers.slice(-2)).toMatchObject([
      { counts: false, sharesAccountWith: ['Tester 13'], earliestDateWithout: '2026-12-04' },
      { counts: true, sharesAccountWith: ['Tester 12'], earliestDateWithout: '2026-12-06' },
    ])
    expect(clock.testers.slice(0, -2).flatMap(({ sharesAccountWith }) => sharesAccountWith)).toEqual([])
  })

  test('are no twelfth tester, for neither reading', () => {
    expect(clockOf(sharing('12 × 11-10 10:00'), now)).toMatchObject({
      unbrokenTesters: 11,
      earliestDate: null,
      buffer: -1,
      aggregateRunDays: 0,
    })
  })

  test.each(['11-19 10:00 ?', '11-19 10:00 – 11-25 10:00', '11-19 10:00 – 11-25 10:00 void', 'none'])(
    'count by the one who is left: the other is %s',
    other => {
      const clock = clockOf(sharing('11 × 11-19 10:00', other, '11-20 10:00'), now)
      expect([clock.unbrokenTesters, clock.earliestDate]).toEqual([12, '2026-12-04'])
    },
  )

  test('are one in what Play Console’s number is compared with', () => {
    const recorded = [{ day: '2026-11-30', count: 1 }]
    expect(comparedWith(sharing('11-19 10:00', '11-20 10:00'), recorded)).toMatchObject([{ difference: 0 }])
  })
})

describe('the number of Play Console', () => {
  test('is compared with those opted in at the end of its day in UTC, and today with those opted in now', () => {
    const testers = testersOf(
      '03-01 23:59',
      '03-02 00:00',
      '03-01 10:00 – 03-01 23:59',
      '03-01 10:00 – 03-02 00:00',
      '03-01 10:00 ?',
      '03-01 10:00 – 03-05 10:00 void',
      '03-03 09:00',
    )
    const recorded = ['2026-03-03', '2026-03-02', '2026-03-01', '2026-02-28'].map(day => ({ day, count: 3 }))
    expect(comparedWith(testers, recorded).map(({ day, difference }) => [day, difference])).toEqual([
      ['2026-03-03', 0],
      ['2026-03-02', 1],
      ['2026-03-01', 1],
      ['2026-02-28', 3],
    ])
  })

  test('is of a day from the start to today, in UTC', () => {
    const on = (day: string) => () => assertPlayDay(day, instant('03-01 23:59'), instant('03-10 00:00'))
    for (const day of ['2026-03-01', '2026-03-05', '2026-03-10']) expect(on(day)).not.toThrow()
    for (const day of ['2026-02-28', '2026-03-11'])
      expect(on(day)).toThrow(expect.objectContaining({ code: 'INVALID_INPUT', fields: { day: expect.any(String) } }))
  })
})

describe('whoever opts in and out', () => {
  const start = instant('03-01 00:00')
  const now = instant('04-30 00:00')
  const end = 60 * 24
  /** Hours at which one tester changes: in, out, in … */
  const tester = fc
    .record({
      account: fc.constantFrom(null, null, null, null, 'one', 'other'),
      hours: fc.uniqueArray(fc.integer({ min: 0, max: end }), { minLength: 0, maxLength: 5 }),
      doubt: fc.constantFrom('NONE', 'NONE', 'NONE', 'CONTESTED', 'VOID'),
    })
    .map(({ account, hours, doubt }): Pick<TesterFacts, 'account' | 'runs'> => {
      const changes = hours.toSorted((a, b) => a - b).map(hour => hoursAfter(start, hour))
      const runs = changes
        .flatMap((at, index) => (index % 2 === 0 ? [{ startedAt: at, endedAt: changes[index + 1] ?? null }] : []))
        .map((run, index, all) => ({
          ...run,
          contested: doubt === 'CONTESTED' && index === all.length - 1,
          voided: doubt === 'VOID' && run.endedAt !== null,
        }))
      return { account, runs }
    })
  const named = (all: readonly Pick<TesterFacts, 'account' | 'runs'>[]): TesterFacts[] =>
    all.map((facts, index) => ({ id: `id${index}`, alias: `Tester ${index}`, atRisk: false, ...facts }))
  const testers = fc.array(tester, { minLength: 8, maxLength: 30 }).map(named)
  const never = '9999-12-31'
  const dateOf = (all: readonly TesterFacts[]) => clockOf(all, now).earliestDate ?? never
  const holds = (arbitrary: fc.Arbitrary<TesterFacts[]>, property: (all: TesterFacts[]) => void) =>
    fc.assert(fc.property(arbitrary, property), { numRuns: 500 })

  test('one more tester never makes the date later', () => {
    fc.assert(
      fc.property(testers, tester, (all, facts) => {
        const more = { id: 'more', alias: 'More', atRisk: false, ...facts }
        expect(dateOf([...all, more]) <= dateOf(all)).toBe(true)
      }),
      { numRuns: 500 },
    )
  })

  test('a drop-out never makes it earlier, and makes it what was said before', () => {
    fc.assert(
      fc.property(testers, fc.nat(), (all, pick) => {
        const at = pick % all.length
        const stopped = all.map((one, index) =>
          index === at ? { ...one, runs: one.runs.map(run => ({ ...run, endedAt: run.endedAt ?? now })) } : one,
        )
        expect(dateOf(stopped) >= dateOf(all)).toBe(true)
        expect(clockOf(stopped, now).earliestDate).toBe(clockOf(all, now).testers[at]!.earliestDateWithout)
      }),
      { numRuns: 500 },
    )
  })

  test('it is never earlier than fourteen days after the twelfth opt-in', () => {
    holds(testers, all => {
      const twelfth = all
        .flatMap(({ runs }) => runs.slice(0, 1).map(run => run.startedAt))
        .toSorted()
        .at(11)
      if (twelfth === undefined) expect(dateOf(all)).toBe(never)
      else expect(dateOf(all) >= dayAfter(twelfth.slice(0, 10), 14)).toBe(true)
    })
  })

  test('nobody’s leaving is said to make it earlier', () => {
    holds(testers, all => {
      const clock = clockOf(all, now)
      for (const { earliestDateWithout } of clock.testers)
        expect((earliestDateWithout ?? never) >= (clock.earliestDate ?? never)).toBe(true)
    })
  })

  test('a cleared contest never makes it later', () => {
    holds(testers, all => {
      const cleared = all.map(one => ({ ...one, runs: one.runs.map(run => ({ ...run, contested: false })) }))
      expect(dateOf(cleared) <= dateOf(all)).toBe(true)
    })
  })

  test('the second reading is never stricter than the first', () => {
    holds(testers, all => {
      const { earliestAt, aggregateRunDays } = clockOf(all, now)
      if (earliestAt !== null && earliestAt <= now) expect(aggregateRunDays).toBeGreaterThanOrEqual(14)
    })
  })

  test('the order of the testers does not matter', () => {
    holds(testers, all => {
      const { testers: _, ...clock } = clockOf(all, now)
      const { testers: __, ...reversed } = clockOf(all.toReversed(), now)
      expect(reversed).toEqual(clock)
      expect(clock.buffer + 12).toBe(clockOf(all, now).testers.filter(({ counts }) => counts).length)
      expect(clock.day === null || clock.earliestAt === null || daysAfter(clock.earliestAt, -14) <= now).toBe(true)
    })
  })
})
