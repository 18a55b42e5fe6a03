/**
 * What the functions of a seat promise to every caller: who is paid and who is not, what an appeal costs, and that each case is
 * decided once.
 */
import { afterAll, describe, expect, test } from 'vitest'
import { clock } from '../../kit/clock.ts'
import { draftOf, joinedBy, liveCampaign, proof } from '../../testing/app.ts'
import { appeal, rejection } from '../../testing/appeals.ts'
import { disputesIn } from '../../testing/disputes.ts'
import { brokenChecks } from '../../testing/observed.ts'
import { signedUp, testApp } from '../../testing/prologue.ts'
import { balance, held, oneIn } from '../../testing/readings.ts'
import { type Beside, takenBackIn } from '../../testing/takenBack.ts'

const t = testApp()
const developer = signedUp(t, 'DEVELOPER')
const admin = signedUp(t, 'ADMIN')
const { campaignOf, withProof } = disputesIn(t, admin)

const takenBack = (work: (beside: Beside) => Promise<void>) => takenBackIn(t, work)

describe('a test that is decided', () => {
  test('verify_participations: verifies submitted tests, without a review only those that are due, and pays each once', async () => {
    const { id } = await liveCampaign(developer, admin)
    const testers = [await t.signUp('TESTER'), await t.signUp('TESTER'), await t.signUp('TESTER')]
    const tests: string[] = []
    for (const tester of testers) tests.push((await joinedBy(tester, id)).id)
    const [first, second] = tests
    await takenBack(async ({ one, rows }) => {
      await rows(
        `update participations set status = 'SUBMITTED', proof_text = $2, proof_submitted_at = now(),
          wake_at = case when id = $3 then now() else now() + interval '1 hour' end where id = any ($1)`,
        [[first, second], proof, first],
      )
      expect(await one('verify_participations($1, null, now())', [tests])).toEqual([first])
      expect(await one('verify_participations($1, null, now())', [tests])).toEqual([])
      expect(await one('verify_participations($1, $2, now())', [tests, developer.user.id])).toEqual([second])
      expect(await one('verify_participation($1, $2, now())', [second, developer.user.id])).toBe('WRONG_STATE')
      expect(
        await rows('select reviewed_by as by, status from participations where id = any ($1) order by id', [tests]),
      ).toEqual([
        { by: null, status: 'VERIFIED' },
        { by: developer.user.id, status: 'VERIFIED' },
        { by: null, status: 'ACTIVE' },
      ])
      for (const [place, tester] of testers.entries())
        expect(await one(balance, [tester.user.id])).toBe(place < 2 ? 1000 : 0)
      expect(await one(held('CAMPAIGN_FEE'), [id])).toBe(150)
      expect(await one(held('CAMPAIGN_ESCROW'), [id])).toBe(1000)
      expect(
        await rows('select verified_testers as verified, open_testers as open from campaigns where id = $1', [id]),
      ).toEqual([{ verified: 2, open: 1 }])
    })
  })

  test('reject_participation and pay_goodwill: an unsuccessful appeal costs nobody, and goodwill pay costs only the platform', async () => {
    const { id } = await liveCampaign(developer, admin, { testersRequired: 1 })
    const tester = await t.signUp('TESTER')
    const { id: seat } = await joinedBy(tester, id)
    const reject = `reject_participation($1, $2, 'OTHER', 'Not of our app.', 72, now())`
    const { id: disputed } = await draftOf(developer)
    await takenBack(async ({ one, rows }) => {
      expect(await one(reject, [seat, developer.user.id])).toBe('WRONG_STATE')
      await rows(
        `update participations set status = 'SUBMITTED', proof_text = $2, proof_submitted_at = now(), at_risk = true where id = $1`,
        [seat, proof],
      )
      // A dispute about another campaign of the developer is no obstacle.
      await rows('update campaigns set disputed_since = now(), frozen_at = now() where id = $1', [disputed])
      expect(await one('pay_goodwill($1, gen_random_uuid(), now())', [seat])).toBe('WRONG_STATE')
      expect(await one(reject, [seat, developer.user.id])).toBe('OK')
      expect(
        await rows(
          `select status, rejection_code as code, reviewed_by as by, extract(epoch from wake_at - reviewed_at)::int / 3600 as hours,
            at_risk as "atRisk" from participations where id = $1`,
          [seat],
        ),
      ).toEqual([{ status: 'REJECTED', code: 'OTHER', by: developer.user.id, hours: 72, atRisk: false }])
    })
    await takenBack(async ({ one, rows }) => {
      await rows(
        `update participations set status = 'SUBMITTED', proof_text = $2, proof_submitted_at = now() where id = $1`,
        [seat, proof],
      )
      await rows('update campaigns set disputed_since = now() where id = $1', [id])
      expect(await one(reject, [seat, developer.user.id])).toBe('WRONG_STATE')
      expect(await one(reject, [seat, admin.user.id])).toBe('OK')
    })
  })
})

describe('seats that end without pay', () => {
  const one = oneIn(t)

  test('each gets the reason of its place and no pay, and no other seat is touched', async () => {
    const { id } = await liveCampaign(developer, admin)
    const tests = []
    for (let seat = 0; seat < 3; seat++) tests.push((await joinedBy(await t.signUp('TESTER'), id)).id)
    const [first, second, third] = tests
    const closed = await one<string[]>(
      `close_all_unpaid(array[$1, $2]::uuid[], '{ACTIVE}', 'DROPPED', array['LEFT', 'NO_CHECK_IN'], false,
        array[gen_random_uuid(), gen_random_uuid()], now())`,
      [second, first],
    )
    expect(new Set(closed)).toEqual(new Set([first, second]))
    expect(
      await t.look(
        `select id, status, drop_reason as reason, payout_amount_cents::int as cents from participations where campaign_id = $1 order by id`,
        [id],
      ),
    ).toEqual([
      { id: first, status: 'DROPPED', reason: 'NO_CHECK_IN', cents: 0 },
      { id: second, status: 'DROPPED', reason: 'LEFT', cents: 0 },
      { id: third, status: 'ACTIVE', reason: null, cents: 1000 },
    ])
    expect(await campaignOf(developer, id)).toMatchObject({ _count: { campaignTesters: 1 } })
  })

  test('at a deadline only those whose time is over', async () => {
    const { id } = await liveCampaign(developer, admin)
    const { id: seat } = await joinedBy(await t.signUp('TESTER'), id)
    const close = () =>
      one<string[]>(
        `close_all_unpaid(array[$1]::uuid[], '{ACTIVE}', 'DROPPED', array['NO_CHECK_IN'], true, array[gen_random_uuid()], $2)`,
        [seat, clock.now()],
      )
    expect(await close()).toEqual([])
    await t.look('update participations set wake_at = $2 where id = $1', [seat, clock.now()])
    expect(await close()).toEqual([seat])
  })

  test('a final rejection gives its seat back once', async () => {
    const { id } = await liveCampaign(developer, admin, { durationDays: 1, testersRequired: 2 })
    const { participationId } = await withProof(id)
    await joinedBy(await t.signUp('TESTER'), id)
    await developer.call('POST', `/campaign-testers/${participationId}/reject`, rejection)
    const close = () =>
      one<string[]>(
        `close_all_unpaid(array[$1]::uuid[], '{REJECTED}', 'REJECTED', array[null]::text[], false, array[gen_random_uuid()], now())`,
        [participationId],
      )
    expect([await close(), await close()]).toEqual([[participationId], []])
    expect(
      await t.look('select seats_taken::int as taken, open_testers::int as open from campaigns where id = $1', [id]),
    ).toEqual([{ taken: 1, open: 1 }])
  })

  test('decide_appeal: says who decided, and when, and that nothing holds it any more', async () => {
    const { id } = await liveCampaign(developer, admin, { durationDays: 1, testersRequired: 1 })
    const { person, participationId } = await withProof(id)
    await developer.call('POST', `/campaign-testers/${participationId}/reject`, rejection)
    expect((await appeal(person, participationId)).status).toBe(200)
    await t.look(`update appeals set held_for = 'TOTAL_LIMIT' where participation_id = $1`, [participationId])
    const now = clock.now()
    expect(
      await one(`decide_appeal($1, 'VERIFIED', 'It is theirs.', $2, gen_random_uuid(), $3)`, [
        participationId,
        admin.user.id,
        now,
      ]),
    ).toBe('OK')
    expect(
      await t.look(
        'select decided_by as by, outcome, note, wake_at as wake, held_for as held from appeals where participation_id = $1',
        [participationId],
      ),
    ).toEqual([{ by: admin.user.id, outcome: 'VERIFIED', note: 'It is theirs.', wake: null, held: null }])
  })

  test('waits_to_be_listed: a tester who was ever opted in, is on the list or owes the NDA does not wait', async () => {
    const { id } = await liveCampaign(developer, admin, { accessMode: 'EMAIL_LIST' })
    const { id: seat } = await joinedBy(await t.signUp('TESTER'), id)
    const waitsAfter = (change: string) => {
      let waits: boolean | undefined
      return takenBack(async ({ rows }) => {
        await rows(change, [seat])
        const [row] = await rows<{ waits: boolean }>(
          `select waits_to_be_listed(c, p) as waits from participations p join campaigns c on c.id = p.campaign_id where p.id = $1`,
          [seat],
        )
        waits = row!.waits
      }).then(() => waits)
    }
    const update = (set: string) => `update participations set ${set} where id = $1`
    for (const [change, waits] of [
      [update('ordinal = ordinal'), true],
      [update('listed_at = joined_at'), false],
      [update('opted_in_at = joined_at'), false],
      [update('nda_joined = 1'), false],
      [update('nda_joined = 1, nda_accepted = 1, nda_accepted_at = joined_at'), true],
      [
        `insert into opt_in_runs (participation_id, campaign_id, started_at, confirmed_at, ended_at, end_reason)
          select id, campaign_id, joined_at, joined_at, joined_at, 'OPTED_OUT' from participations where id = $1`,
        false,
      ],
    ] as const)
      expect([change, await waitsAfter(change)]).toEqual([change, waits])
  })

  test('days_tested: whole days since joining, at most the campaign’s', async () => {
    const { id } = await liveCampaign(developer, admin, { dailyCheckIn: false })
    const joined = await joinedBy(await t.signUp('TESTER'), id)
    const days = (after: string) =>
      t.look<{ days: number }>(
        `select days_tested(c, p, p.joined_at + $2::interval) as days from participations p join campaigns c on c.id = p.campaign_id
          where p.id = $1`,
        [joined.id, after],
      )
    for (const [after, whole] of [
      ['-1 hour', 0],
      ['23 hours', 0],
      ['24 hours', 1],
      ['3 days 5 hours', 3],
      ['20 days', 14],
    ] as const)
      expect(await days(after)).toEqual([{ days: whole }])
  })
})

afterAll(async () => expect(await brokenChecks()).toEqual([]))
