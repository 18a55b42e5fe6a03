import { describe, expect, test } from 'vitest'
import { clock, dayIn } from '../../kit/clock.ts'
import { type Person, joinedBy, liveCampaign } from '../../testing/app.ts'
import { signedUp, testApp } from '../../testing/prologue.ts'

const t = testApp()
const owner = signedUp(t, 'DEVELOPER')
const admin = signedUp(t, 'ADMIN')
const zones = ['UTC', 'Pacific/Auckland', 'America/Los_Angeles', 'Asia/Kolkata'] as const

const subject = 'Today’s check-in is missing: Try our notes app'
const reminders = (tester: Person) =>
  t.look<{ createdAt: string }>(
    'select created_at as "createdAt" from notifications where user_id = $1 and subject = $2 order by id',
    [tester.user.id, subject],
  )
const hourIn = (timeZone: string, at: string) =>
  Number(new Intl.DateTimeFormat('en-GB', { timeZone, hour: '2-digit' }).format(Date.parse(at)))
const inside = async (zone: string, terms: Record<string, unknown> = {}) => {
  const tester = await t.signUp('TESTER', { timeZone: zone })
  const { id } = await joinedBy(tester, (await liveCampaign(owner, admin, { testersRequired: 1, ...terms })).id)
  return { tester, id, zone }
}
const eachHour = async (hours: number, work: () => Promise<unknown> = () => Promise.resolve()) => {
  for (let hour = 0; hour < hours; hour++) {
    await t.advance(1)
    await work()
  }
}

test('a tester without a check-in is reminded once a day, in the evening of their own zone', async () => {
  const people = await Promise.all(zones.map(zone => inside(zone)))
  await eachHour(30)
  for (const { tester, zone } of people) {
    const sent = (await reminders(tester)).map(({ createdAt }) => createdAt)
    expect(sent.length).toBeGreaterThan(0)
    expect(sent.map(at => hourIn(zone, at))).toEqual(sent.map(() => 19))
    const days = sent.map(at => dayIn(zone, at))
    expect(new Set(days).size).toBe(days.length)
  }
})

test('whose zone has changed since joining reads in which one the day ends', async () => {
  const moved = await inside('America/Los_Angeles')
  const stayed = await inside('America/Los_Angeles')
  expect((await moved.tester.call('PATCH', '/users/me', { timeZone: 'Asia/Tokyo' })).status).toBe(200)
  await eachHour(30)
  const textOf = async ({ tester }: typeof moved) =>
    (
      await t.look<{ text: string }>('select text from notifications where user_id = $1 and subject = $2', [
        tester.user.id,
        subject,
      ])
    )[0]!.text
  expect(await textOf(moved)).toContain('before midnight in America/Los Angeles, the time zone of this test, so that')
  expect(await textOf(stayed)).toContain('before midnight, so that')
})

describe('nobody is reminded', () => {
  test('who checks in each day', async () => {
    const { tester, id } = await inside('UTC')
    await eachHour(30, () => tester.call('POST', `/testers/campaign-testers/${id}/check-ins`))
    expect(await reminders(tester)).toEqual([])
  })

  test('where no daily check-in is asked for, after leaving, or once the days are over', async () => {
    const relaxed = await inside('UTC', { dailyCheckIn: false })
    const left = await inside('UTC')
    await left.tester.call('POST', `/testers/campaign-testers/${left.id}/leave`)
    const short = await inside('UTC', { durationDays: 1 })
    await t.advance(24)
    const before = await reminders(short.tester)
    await eachHour(26)
    expect(await reminders(relaxed.tester)).toEqual([])
    expect(await reminders(left.tester)).toEqual([])
    expect(await reminders(short.tester)).toEqual(before)
  })

  test('who has just begun: the first evening is skipped within three hours of joining', async () => {
    const { tester, id } = await inside('UTC')
    const [row] = await t.look<{ remindAt: string; joinedAt: string }>(
      `select remind_at as "remindAt", joined_at as "joinedAt"
        from participations p join reminders r on r.participation_id = p.id where p.id = $1`,
      [id],
    )
    const hours = (Date.parse(row!.remindAt) - Date.parse(row!.joinedAt)) / 3_600_000
    expect(hours).toBeGreaterThanOrEqual(3)
    expect(hours).toBeLessThanOrEqual(27)
    expect(await reminders(tester)).toEqual([])
  })

  test('who has checked in on each day, on the day on which the proof opens; whoever missed one is', async () => {
    const full = await inside('UTC', { durationDays: 2 })
    const missed = await inside('UTC', { durationDays: 2 })
    // Only a check-in keeps the seat of whoever was warned.
    const warned = await inside('UTC', { durationDays: 2 })
    // From the middle of a day: the two days end in the third.
    await t.look(
      `update participations set joined_at = date_trunc('day', joined_at) + interval '23 hours' - interval '1 day',
        proof_allowed_at = date_trunc('day', joined_at) + interval '23 hours' + interval '1 day' where id = any($1)`,
      [[full.id, missed.id, warned.id]],
    )
    await t.look(
      'update participations set check_in_count = case id when $2 then 1 else 2 end, at_risk = id = $3 where id in ($1, $2, $3)',
      [full.id, missed.id, warned.id],
    )
    const opens = await t.look<{ at: string }>('select proof_allowed_at as at from participations where id = $1', [
      full.id,
    ])
    while (clock.now() < opens[0]!.at) await t.advance(1)
    const onThatDay = async ({ tester }: typeof full) =>
      (await reminders(tester)).filter(({ createdAt }) => dayIn('UTC', createdAt) === dayIn('UTC', opens[0]!.at)).length
    expect([await onThatDay(full), await onThatDay(missed), await onThatDay(warned)]).toEqual([0, 1, 1])
  })
})

test('a tester whose run has ended is reminded no more, and again once back in it', async () => {
  const { tester, id } = await inside('UTC', { accessMode: 'EMAIL_LIST', durationDays: 20 })
  const act = (action: string) => tester.call('POST', `/testers/campaign-testers/${id}/${action}`)
  const kept = () => t.look('select from reminders where participation_id = $1', [id])
  await t.advance(24)
  expect([await reminders(tester), await kept()]).toEqual([[], []])
  await act('opt-in')
  await act('opt-out')
  await t.advance(28)
  expect([await reminders(tester), await kept()]).toEqual([[], []])
  await act('opt-in')
  expect(await kept()).toHaveLength(1)
  await t.advance(28)
  expect(await reminders(tester)).toHaveLength(1)
})

test('whoever opts in days after joining is reminded from the next evening on, not at once', async () => {
  const { tester, id } = await inside('UTC', { accessMode: 'EMAIL_LIST', durationDays: 20 })
  await t.advance(72)
  await tester.call('POST', `/testers/campaign-testers/${id}/opt-in`)
  const [row] = await t.look<{ ahead: boolean }>(
    'select remind_at > $2::timestamptz as ahead from reminders where participation_id = $1',
    [id, clock.now()],
  )
  expect(row).toEqual({ ahead: true })
})

test('a tester who missed several evenings while no server ran is reminded once', async () => {
  const { tester } = await inside('UTC', { durationDays: 20 })
  await t.advance(70)
  expect(await reminders(tester)).toHaveLength(1)
  expect(clock.now() > (await reminders(tester))[0]!.createdAt).toBe(true)
})

test.each([
  ['2026-03-28', 'Europe/Berlin', '2026-03-28T18:00:00.000Z'],
  ['2026-03-29', 'Europe/Berlin', '2026-03-29T17:00:00.000Z'],
  ['2026-10-25', 'Europe/Berlin', '2026-10-25T18:00:00.000Z'],
  ['2028-02-29', 'Asia/Kolkata', '2028-02-29T13:30:00.000Z'],
])('the evening of %s in %s is %s, whatever the clocks do', async (day, zone, evening) => {
  const [row] = await t.look<{ at: string }>('select evening_of($1, $2) as at', [day, zone])
  expect(row!.at).toBe(evening)
})

test.each([
  ['who begins at 16:00:00', '16:00:00', null, '2026-05-05T19:00:00.000Z'],
  ['who begins at 16:00:01', '16:00:01', null, '2026-05-06T19:00:00.000Z'],
  ['who has checked in on that day', '12:00:00', '2026-05-05', '2026-05-06T19:00:00.000Z'],
  [
    'whose check-in a server with its clock ahead took as of the day after',
    '12:00:00',
    '2026-05-06',
    '2026-05-07T19:00:00.000Z',
  ],
])('a tester %s is reminded next on the evening without a check-in', async (_who, time, lastDay, next) => {
  const { id } = await inside('UTC')
  const [row] = await t.look<{ at: string }>(
    `select next_reminder(jsonb_populate_record(p, jsonb_build_object('last_check_in_day', $3::date)), $2) as at
      from participations p where id = $1`,
    [id, `2026-05-05T${time}Z`, lastDay],
  )
  expect(row!.at).toBe(next)
})

test('the next evening after one that has just come is that of the next day', async () => {
  const [row] = await t.look<{ at: string }>(`select next_evening('UTC', '2026-05-05T19:00:00Z') as at`)
  expect(row!.at).toBe('2026-05-06T19:00:00.000Z')
})
