/** What a suspension does to campaigns and money, and what continues after it (product.md §5). */
import { afterAll, describe, expect, test } from 'vitest'
import { daysAndProof, device, draftOf, joinedBy, liveCampaign, paidTester, type Person } from '../../testing/app.ts'
import { signedUp, testApp } from '../../testing/prologue.ts'
import { inParallel, brokenChecks, emailsOf } from '../../testing/observed.ts'
import { overtaken } from '../../testing/races.ts'
import type { Campaign } from '../../campaigns/contract.ts'
import type { Balance, Withdrawal } from '../../ledger/contract.ts'
import { settleOverdue } from '../../ledger/server/ledger.ts'
import type { CampaignTester } from '../../participations/contract.ts'
import type { Notification } from '../../notifications/contract.ts'
import type { UserProfile } from '../contract.ts'
import { leaveAllCampaigns } from './people.ts'

const reason = 'Several accounts on one device.'
const t = testApp()
const developer = signedUp(t, 'DEVELOPER')
const admin = signedUp(t, 'ADMIN')
afterAll(async () => {
  expect(await brokenChecks()).toEqual([])
})

const ban = (who: Person, by = admin) =>
  by.call<UserProfile & { code?: string }>('POST', `/admin/users/${who.user.id}/ban`, { reason })
const unban = (who: Person) =>
  admin.call<UserProfile>('POST', `/admin/users/${who.user.id}/unban`, { reason: 'A family.' })
const campaignOf = async (id: string) => (await admin.call<Campaign>('GET', `/campaigns/${id}`)).body

describe('a suspended tester', () => {
  test('loses unfinished seats, which are free again; a submitted proof is still reviewed', async () => {
    const tester = await t.signUp('TESTER')
    const proven = await liveCampaign(developer, admin, { durationDays: 1, testersRequired: 1 })
    const submitted = (await joinedBy(tester, proven.id)).id
    await daysAndProof(t, [{ person: tester, participationId: submitted }], 1)
    const live = await liveCampaign(developer, admin, { testersRequired: 1 })
    const { id } = await joinedBy(tester, live.id)
    await ban(tester)
    expect((await campaignOf(live.id))._count.campaignTesters).toBe(0)
    const [dropped] = (await admin.call<CampaignTester[]>('GET', `/campaigns/${live.id}/testers`)).body
    expect(dropped).toMatchObject({ id, status: 'DROPPED', dropReason: 'SUSPENDED', payoutAmountCents: 0 })
    expect((await joinedBy(await t.signUp('TESTER'), live.id)).alias).toBe('Tester 2')
    await t.advance(0)
    expect(await emailsOf(t)).toContain(`${developer.user.email}: A seat is open again: ${live.title}`)
    expect((await developer.call('POST', `/campaign-testers/${submitted}/verify`)).status).toBe(200)
  })

  test('does not get into a campaign if the suspension comes while they join', async () => {
    const [tester, campaign] = [await t.signUp('TESTER'), await liveCampaign(developer, admin, {})]
    const path = `/testers/campaigns/${campaign.id}/join` as const
    // The join waits just before taking its seat.
    const [, suspension] = await overtaken(
      t,
      { rows: 'select from campaigns where id = $1', values: [campaign.id] },
      () => t.call('POST', path, { token: tester.accessToken, body: { deviceInfo: device } }),
      () => ban(tester),
    )
    expect(suspension.status).toBe(200)
    expect((await campaignOf(campaign.id))._count.campaignTesters).toBe(0)
    expect(
      await t.look('select id from participations where tester_id = $1 and closed_at is null', [tester.user.id]),
    ).toEqual([])
  })

  const inReview = async () => {
    const tester = await t.signUp('TESTER')
    const { id } = await liveCampaign(developer, admin, { durationDays: 1 })
    const { id: participationId } = await joinedBy(tester, id)
    await daysAndProof(t, [{ person: tester, participationId }], 1)
    const owner = await t.signIn(developer.user.email)
    const requestChanges = () =>
      owner.call('POST', `/campaign-testers/${participationId}/request-changes`, { note: 'Please say more.' })
    const shown = async () =>
      (await owner.call<{ actions: string[] }[]>('GET', `/campaigns/${id}/testers`)).body[0]!.actions
    return { tester, participationId, requestChanges, shown }
  }

  test('who is asked for changes at the same moment loses the seat because of the suspension, not for a missing proof', async () => {
    const { tester, participationId, requestChanges } = await inReview()
    const byAdmin = await t.signIn(admin.user.email)
    // The request waits just before it writes.
    const [requested, suspension] = await overtaken(
      t,
      { rows: 'select from participations where id = $1', values: [participationId] },
      requestChanges,
      () => ban(tester, byAdmin),
    )
    expect([requested.status, suspension.status]).toEqual([200, 200])
    expect(await t.look('select status, drop_reason from participations where id = $1', [participationId])).toEqual([
      { status: 'DROPPED', drop_reason: 'SUSPENDED' },
    ])
  })

  test('cannot be asked for changes: the proof stays in review until it is decided', async () => {
    const { tester, participationId, requestChanges, shown } = await inReview()
    expect(await shown()).toContain('requestChanges')
    await ban(tester, await t.signIn(admin.user.email))
    expect(await shown()).not.toContain('requestChanges')
    expect(await requestChanges()).toMatchObject({ status: 409, body: { code: 'WRONG_STATE' } })
    expect(await t.look('select status from participations where id = $1', [participationId])).toEqual([
      { status: 'SUBMITTED' },
    ])
  })

  test('cannot withdraw: the SQL function itself returns SUSPENDED', async () => {
    const tester = await paidTester(t, developer, admin, 5000)
    await ban(tester)
    const [answer] = await t.look<{ outcome: string }>(
      "select request_withdrawal(gen_random_uuid(), $1, 1000, interval '24 hours', now()) as outcome",
      [tester.user.id],
    )
    expect(answer!.outcome).toBe('SUSPENDED')
  })

  test('who withdraws at the same moment is refused or has to wait, and is never paid while suspended', async () => {
    for (let round = 0; round < 3; round++) {
      const tester = await paidTester(t, developer, admin, 5000)
      const ask = () => t.call('POST', '/testers/withdraw', { token: tester.accessToken, body: { amountCents: 1000 } })
      const [replies] = await Promise.all([inParallel(3, ask), ban(tester)])
      for (const { status } of replies) expect([201, 401, 403]).toContain(status)
      await t.advance(30)
      const paid = await t.look("select id from withdrawals where tester_id = $1 and status <> 'PENDING'", [
        tester.user.id,
      ])
      expect(paid).toEqual([])
    }
  })

  test('gets the waiting payout after being restored, exactly once', async () => {
    const tester = await paidTester(t, developer, admin, 2000)
    const { body } = await tester.call<Withdrawal>('POST', '/testers/withdraw', { amountCents: 1500 })
    await ban(tester)
    // Not yet so late that what lost its job is paid as overdue.
    await t.advance(20)
    const statusNow = async () =>
      (await t.look<{ status: string }>('select status from withdrawals where id = $1', [body.id]))[0]!.status
    expect(await statusNow()).toBe('PENDING')
    await unban(tester)
    await t.advance(1)
    expect(await statusNow()).toBe('COMPLETED')
    const back = await t.signIn(tester.user.email)
    expect((await back.call<Balance>('GET', '/testers/balance')).body).toMatchObject({
      balanceCents: 500,
      onTheWayCents: 0,
    })
  })

  test('does not delay overdue payouts of others, however many payouts are frozen', async () => {
    const frozen = await t.signUp('TESTER')
    await ban(frozen)
    const waiting = await paidTester(t, developer, admin, 2000)
    const { body } = await waiting.call<Withdrawal>('POST', '/testers/withdraw', { amountCents: 1000 })
    // The payout lost its job, and 150 older withdrawals of a suspended user come first; those are outside the books for a
    // moment.
    await t.look("delete from pgboss.job where name = 'ledger.pay-out'")
    await t.look(
      `insert into withdrawals (id, tester_id, amount_cents, destination, status, created_at)
        select ('00000000-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid, $1, 1000, 'x', 'PENDING', now() - interval '3 days'
        from generate_series(1, 150) n`,
      [frozen.user.id],
    )
    await t.look("update withdrawals set created_at = created_at - interval '2 days' where id = $1", [body.id])
    await settleOverdue.run({})
    await t.look('delete from withdrawals where tester_id = $1', [frozen.user.id])
    expect(
      (await t.look<{ status: string }>('select status from withdrawals where id = $1', [body.id]))[0]!.status,
    ).toBe('COMPLETED')
  })
})

test.each([
  ['TESTER', 'your places in line', 'Seats and places in line that you lost do not come back'],
  ['DEVELOPER', 'your live campaigns are paused', 'Campaigns that were paused stay paused until you resume them'],
] as const)('a %s is told what a suspension takes, and what its end does not give back', async (role, taken, kept) => {
  const person = await t.signUp(role)
  await ban(person)
  await unban(person)
  const told = await t.look<{ kind: string; text: string }>(
    `select kind, text from notifications where user_id = $1 and kind like 'ACCOUNT%' order by id`,
    [person.user.id],
  )
  expect(told).toEqual([
    { kind: 'ACCOUNT_SUSPENDED', text: expect.stringContaining(taken) },
    { kind: 'ACCOUNT_RESTORED', text: expect.stringContaining(kept) },
  ])
})

describe('a suspended developer', () => {
  test('takes no new testers: LIVE campaigns are paused, current testers continue, and only the developer can resume them', async () => {
    const owner = await t.signUp('DEVELOPER')
    const live = await liveCampaign(owner, admin, {})
    const draft = await draftOf(owner)
    const inside = await t.signUp('TESTER')
    const { id } = await joinedBy(inside, live.id)
    await ban(owner)
    expect([(await campaignOf(live.id)).status, (await campaignOf(draft.id)).status]).toEqual(['PAUSED', 'DRAFT'])
    expect((await inside.call('POST', `/testers/campaign-testers/${id}/check-ins`, {})).status).toBe(201)
    await unban(owner)
    expect((await campaignOf(live.id)).status).toBe('PAUSED')
    const back = await t.signIn(owner.user.email)
    expect((await back.call<Campaign>('POST', `/campaigns/${live.id}/start`)).body.status).toBe('LIVE')
  })

  test('is emailed what becomes of a campaign, but not what they cannot do; that is in the app when they are restored', async () => {
    const owner = await t.signUp('DEVELOPER')
    const { id, title } = await liveCampaign(owner, admin, { durationDays: 1, title: 'Left behind' })
    const inside = await t.signUp('TESTER')
    const participationId = (await joinedBy(inside, id)).id
    await ban(owner)
    await daysAndProof(t, [{ person: inside, participationId }], 1)
    expect((await admin.call('POST', `/campaigns/${id}/cancel`)).status).toBe(200)
    await t.advance(0)
    const mailed = (await emailsOf(t)).filter(line => line.startsWith(owner.user.email) && line.endsWith(title))
    expect(mailed).toContain(`${owner.user.email}: Cancelled: ${title}`)
    expect(mailed).not.toContain(`${owner.user.email}: Proof to review: ${title}`)
    await unban(owner)
    await t.advance(0)
    expect(await emailsOf(t)).not.toContain(`${owner.user.email}: Proof to review: ${title}`)
    const back = await t.signIn(owner.user.email)
    const { body } = await back.call<Notification[]>('GET', '/users/me/notifications')
    expect(body.find(({ subject }) => subject === `Proof to review: ${title}`)).toMatchObject({ readAt: null })
  })

  test('who is restored before the job has paused their campaigns keeps them LIVE', async () => {
    const owner = await t.signUp('DEVELOPER')
    const { id } = await liveCampaign(owner, admin, {})
    await leaveAllCampaigns.run({ userId: owner.user.id })
    expect((await campaignOf(id)).status).toBe('LIVE')
    await t.look("update users set suspended_at = now(), suspension_reason = 'Parted' where id = $1", [owner.user.id])
    await leaveAllCampaigns.run({ userId: owner.user.id })
    expect((await campaignOf(id)).status).toBe('PAUSED')
  })

  test('who starts a campaign at the same moment has no LIVE campaign afterwards', async () => {
    for (let round = 0; round < 6; round++) {
      const owner = await t.signUp('DEVELOPER')
      const { id } = await liveCampaign(owner, admin, {})
      await owner.call('POST', `/campaigns/${id}/pause`)
      const start = () => t.call('POST', `/campaigns/${id}/start`, { token: owner.accessToken })
      await Promise.all([start(), ban(owner), start()])
      expect((await campaignOf(id)).status).toBe('PAUSED')
    }
  })
})
