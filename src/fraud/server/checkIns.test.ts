/** Check-ins at machine-like intervals (product.md §6). */
import { expect, test } from 'vitest'
import { joinedBy, liveCampaign } from '../../testing/app.ts'
import { fraudScan } from '../../testing/fraudScan.ts'
import { signedUp, testApp } from '../../testing/prologue.ts'

const t = testApp({}, { fresh: true })
const admin = signedUp(t, 'ADMIN')
const developer = signedUp(t, 'DEVELOPER')

const scan = () => fraudScan(t, admin)

const joined = async () => {
  const campaign = await liveCampaign(developer, admin, { durationDays: 20 })
  const tester = await t.signUp('TESTER')
  return { tester, campaign, id: (await joinedBy(tester, campaign.id)).id }
}

/** One check-in each day from joining on, alternately earlier and later by this many seconds. */
const checkInOn = (id: string, { from = 0, to, swing = 0 }: { from?: number; to: number; swing?: number }) =>
  t.look(
    `with added as (
      insert into check_ins (participation_id, day, at)
        select id, joined_at::date + n, joined_at + n * interval '1 day' + (n % 2) * $4::float * interval '1 second'
        from participations, generate_series($2::int, $3::int - 1) n where id = $1 returning day, at)
    update participations set check_in_count = $3, last_seen_at = (select max(at) from added),
      last_check_in_day = (select max(day) from added) where id = $1`,
    [id, from, to, swing],
  )

test('ten in a row by a timer are reported on the tester, and again once they cover a whole closed test', async () => {
  const { tester, campaign, id } = await joined()
  await checkInOn(id, { to: 10, swing: 2 })
  const [report, ...more] = await scan()
  expect(more).toEqual([])
  expect(report).toMatchObject({
    user: { id: tester.user.id },
    eventData: {
      severity: 'MEDIUM',
      reason: 'Check-ins at machine-like intervals',
      details: `The intervals between 10 check-ins in a row to “${campaign.title}” differ by less than 5 seconds. Whole hours were ignored.`,
    },
  })
  expect(report!.eventData.evidence[0]).toMatchObject({ label: 'Tested', campaign: { id: campaign.id } })
  expect(report!.eventData.evidence.filter(({ label }) => label === 'Checked in')).toHaveLength(10)
  await checkInOn(id, { from: 10, to: 13, swing: 2 })
  expect(await scan()).toHaveLength(1)
  await checkInOn(id, { from: 13, to: 14, swing: 2 })
  const again = await scan()
  expect(again.map(({ eventData }) => eventData.severity)).toEqual(['HIGH', 'MEDIUM'])
  expect(await scan()).toHaveLength(2)
})

test('nine are no finding, nor are those of a person who taps at about the same time every day', async () => {
  await checkInOn((await joined()).id, { to: 9 })
  await checkInOn((await joined()).id, { to: 16, swing: 30 })
  expect(await scan()).toEqual([])
})

test('old tests are examined by the first scan only', async () => {
  const { id } = await joined()
  await checkInOn(id, { to: 10 })
  await t.look(`update participations set last_seen_at = joined_at - interval '1 day'`)
  expect(await scan()).toHaveLength(1)
  await t.look('truncate fraud_finding_parts')
  expect(await scan()).toHaveLength(1)
  await t.look('delete from fraud_detectors')
  expect(await scan()).toHaveLength(2)
})
