/** Suspending and restoring a user: what ends, what waits, and what each leaves behind (product.md §5, §7). */
import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import {
  daysAndProof,
  device,
  draftOf,
  joinedBy,
  liveCampaign,
  paidTester,
  password,
  type Person,
  startTestApp,
  type TestApp,
} from '../../app/testing/app.ts'
import { type OtherServer, startOtherServer } from '../../app/testing/processes.ts'
import { atOnce, brokenChecks, connectBeside, lettersOf, tally } from '../../app/testing/witness.ts'
import type { Campaign } from '../../campaigns/contract.ts'
import type { Balance, Withdrawal } from '../../ledger/contract.ts'
import { settleOverdue } from '../../ledger/server/ledger.ts'
import type { CampaignTester } from '../../participations/contract.ts'
import type { UserProfile } from '../usersContract.ts'

const JWT_SECRET = 'one secret that both of the servers know'
const reason = 'Several accounts on one device.'
let t: TestApp
let developer: Person
let admin: Person
beforeAll(async () => {
  t = await startTestApp({ JWT_SECRET })
  ;[developer, admin] = (await Promise.all([t.signUp('DEVELOPER'), t.signUp('ADMIN')])) as [Person, Person]
})
afterAll(async () => {
  expect(await brokenChecks()).toEqual([])
  await t.stop()
})

const ban = (who: Person, by = admin) =>
  by.call<UserProfile & { code?: string }>('POST', `/admin/users/${who.user.id}/ban`, { reason })
const unban = (who: Person) =>
  admin.call<UserProfile>('POST', `/admin/users/${who.user.id}/unban`, { reason: 'A family.' })
const signInAs = ({ user }: Person, secret = password) =>
  t.call<{ accessToken?: string }>('POST', '/auth/login', { body: { email: user.email, password: secret } })
const meStatus = async (token: string) => (await t.call('GET', '/users/me', { token })).status
const auditOf = (who: Person) =>
  t.look<{ action: string; facts: object }>('select action, facts from audit_log where subject_id = $1 order by id', [
    who.user.id,
  ])
const liveSessionsOf = async (who: Person) =>
  (await t.look('select id from sessions where user_id = $1 and ended_at is null', [who.user.id])).length
const campaignOf = async (id: string) => (await admin.call<Campaign>('GET', `/campaigns/${id}`)).body

describe('a suspended user', () => {
  test('is out at once: every session, its access token and its refresh token alike', async () => {
    const person = await t.signUp('TESTER')
    const phone = await t.signIn(person.user.email)
    expect((await ban(person)).body).toMatchObject({ status: 'SUSPENDED', suspension: { reason } })
    expect([await meStatus(person.accessToken), await meStatus(phone.accessToken)]).toEqual([401, 401])
    expect(await liveSessionsOf(person)).toBe(0)
  })

  test('is told why by the refresh that the open tab tries, and by signing in with the right password only', async () => {
    const person = await t.signUp('TESTER')
    await ban(person)
    const told = { status: 403, body: { code: 'SUSPENDED', message: `Your account is suspended: ${reason}` } }
    expect(await t.call('POST', '/auth/refresh', { body: { refreshToken: person.refreshToken } })).toMatchObject(told)
    expect(await signInAs(person)).toMatchObject(told)
    expect(await signInAs(person, 'not it')).toMatchObject({ status: 401, body: { code: 'WRONG_CREDENTIALS' } })
    expect(await liveSessionsOf(person)).toBe(0)
  })

  test('who signs in in the same moment has no session left', async () => {
    for (let round = 0; round < 6; round++) {
      const person = await t.signUp('TESTER')
      const [tries] = await Promise.all([atOnce(4, () => signInAs(person)), ban(person)])
      expect(await liveSessionsOf(person)).toBe(0)
      for (const { body } of tries) if (body.accessToken) expect(await meStatus(body.accessToken)).toBe(401)
    }
  })

  test('is told by email and in the product', async () => {
    const person = await t.signUp('TESTER')
    await ban(person)
    await unban(person)
    await t.advance(0)
    const letters = (await lettersOf(t)).filter(letter => letter.startsWith(person.user.email))
    expect(letters).toEqual([
      `${person.user.email}: Your account is restored`,
      `${person.user.email}: Your account is suspended`,
    ])
  })
})

describe('on another server', () => {
  let other: OtherServer
  beforeAll(async () => {
    other = await startOtherServer({ DATABASE_URL: t.databaseUrl, JWT_SECRET, LOG_LEVEL: 'silent' })
  })
  afterAll(() => other.stop())

  test('the access token of a suspended user ends within a second', async () => {
    const person = await t.signUp('DEVELOPER')
    const there = async () =>
      (await fetch(`${other.url}/api/v1/users/me`, { headers: { authorization: `Bearer ${person.accessToken}` } }))
        .status
    expect(await there()).toBe(200)
    await ban(person)
    await vi.waitFor(async () => expect(await there()).toBe(401), { timeout: 1000, interval: 5 })
  })
})

describe('a suspended tester', () => {
  test('loses the seats where work goes on, and they are free again; a proof handed in is still reviewed', async () => {
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
    expect(await lettersOf(t)).toContain(`${developer.user.email}: A seat is free again: ${live.title}`)
    expect((await developer.call('POST', `/campaign-testers/${submitted}/verify`)).status).toBe(200)
  })

  test('whose join is under way when the suspension comes is in no campaign', async () => {
    const [tester, campaign] = [await t.signUp('TESTER'), await liveCampaign(developer, admin, {})]
    const beside = await connectBeside(t)
    try {
      // The join is held up just before its seat, and the suspension overtakes it, if it can.
      await beside.query('begin')
      await beside.query('select from campaigns where id = $1 for update', [campaign.id])
      const path = `/testers/campaigns/${campaign.id}/join` as const
      const join = t.call('POST', path, { token: tester.accessToken, body: { deviceInfo: device } })
      await wait(300)
      const suspension = ban(tester)
      await wait(300)
      await beside.query('commit')
      await Promise.all([join, suspension])
    } finally {
      await beside.end()
    }
    expect((await campaignOf(campaign.id))._count.campaignTesters).toBe(0)
    expect(
      await t.look('select id from participations where tester_id = $1 and closed_at is null', [tester.user.id]),
    ).toEqual([])
  })

  test('cannot withdraw: the SQL function itself answers SUSPENDED', async () => {
    const tester = await paidTester(t, developer, admin, 5000)
    await ban(tester)
    const [answer] = await t.look<{ outcome: string }>(
      "select request_withdrawal(gen_random_uuid(), $1, 1000, interval '24 hours', now()) as outcome",
      [tester.user.id],
    )
    expect(answer!.outcome).toBe('SUSPENDED')
  })

  test('who asks for money in the same moment gets it refused or waits: never paid while suspended', async () => {
    for (let round = 0; round < 3; round++) {
      const tester = await paidTester(t, developer, admin, 5000)
      const ask = () => t.call('POST', '/testers/withdraw', { token: tester.accessToken, body: { amountCents: 1000 } })
      const [replies] = await Promise.all([atOnce(3, ask), ban(tester)])
      for (const { status } of replies) expect([201, 401, 403]).toContain(status)
      await t.advance(30)
      const paid = await t.look("select id from withdrawals where tester_id = $1 and status <> 'PENDING'", [
        tester.user.id,
      ])
      expect(paid).toEqual([])
    }
  })

  test('gets the payout that waited once restored, and exactly once', async () => {
    const tester = await paidTester(t, developer, admin, 2000)
    const { body } = await tester.call<Withdrawal>('POST', '/testers/withdraw', { amountCents: 1500 })
    await ban(tester)
    await t.advance(100)
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

  test('does not hold up the overdue payouts of others, however many are suspended', async () => {
    const frozen = await t.signUp('TESTER')
    await ban(frozen)
    const waiting = await paidTester(t, developer, admin, 2000)
    const { body } = await waiting.call<Withdrawal>('POST', '/testers/withdraw', { amountCents: 1000 })
    // As if its job had been lost; before it 150 of a suspended user, older, and outside of the books for a moment.
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

describe('a suspended developer', () => {
  test('takes no new testers: LIVE campaigns are paused, those inside go on, and only the developer starts them again', async () => {
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

  test('who starts a campaign in the same moment has none that is LIVE', async () => {
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

describe('who and how often', () => {
  test('admins cannot be suspended, nor can an admin suspend themselves', async () => {
    const colleague = await t.signUp('ADMIN')
    for (const who of [colleague, admin]) {
      expect(await ban(who)).toMatchObject({ status: 409, body: { message: 'Admins cannot be suspended.' } })
      expect(await auditOf(who)).toEqual([])
    }
    expect((await admin.call('GET', '/users/me')).status).toBe(200)
  })

  test('twice is 409, 10 at once suspend once, and leave one entry in the audit log', async () => {
    const person = await t.signUp('TESTER')
    expect(tally(await atOnce(10, () => ban(person)))).toEqual({ 200: 1, 409: 9 })
    expect(await auditOf(person)).toEqual([{ action: 'user.ban', facts: { reason } }])
    expect(tally(await atOnce(10, () => unban(person)))).toEqual({ 200: 1, 409: 9 })
    expect(await auditOf(person)).toEqual([
      { action: 'user.ban', facts: { reason } },
      { action: 'user.unban', facts: { reason: 'A family.' } },
    ])
    expect((await unban(person)).status).toBe(409)
    expect((await signInAs(person)).status).toBe(200)
  })

  test('a reason is asked for, and whoever does not exist is 404', async () => {
    const person = await t.signUp('TESTER')
    const noReason = await admin.call('POST', `/admin/users/${person.user.id}/ban`, { reason: '  ' })
    expect(noReason).toMatchObject({ status: 400, body: { fields: { reason: 'Reason is required' } } })
    expect((await admin.call('POST', '/admin/users/019e8a00-0000-7000-8000-000000000000/ban', { reason })).status).toBe(
      404,
    )
  })
})
