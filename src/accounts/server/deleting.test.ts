/** Changing one's password, exporting one's data, and deleting one's account (product.md §5, §10). */
import { afterAll, describe, expect, test } from 'vitest'
import {
  daysAndProof,
  device,
  draftOf,
  frozen,
  fundedBy,
  joinedBy,
  liveCampaign,
  paidTester,
  password,
  type Person,
  type Reply,
} from '../../testing/app.ts'
import { signedUp, testApp } from '../../testing/prologue.ts'
import { inParallel, brokenChecks, tally } from '../../testing/observed.ts'
import { overtaken } from '../../testing/races.ts'
import type { Campaign } from '../../campaigns/contract.ts'
import type { PersonalData, SessionInfo } from '../contract.ts'
import { disputesIn } from '../../testing/disputes.ts'
import { assertOwnPassword } from './ownPassword.ts'
import { forgetAgain } from './deleting.ts'

const t = testApp()
const developer = signedUp(t, 'DEVELOPER')
const admin = signedUp(t, 'ADMIN')
afterAll(async () => {
  expect(await brokenChecks()).toEqual([])
})

const changePassword = (who: Person, currentPassword: string, newPassword: string) =>
  who.call('POST', '/users/me/password', { currentPassword, newPassword })
const leave = (who: Person, secret = password, givesUpCents?: number) =>
  who.call('DELETE', '/users/me', { password: secret, ...(givesUpCents !== undefined && { givesUpCents }) })
const login = async (email: string, secret: string) =>
  (await t.call('POST', '/auth/login', { body: { email, password: secret } })).status
const withPassword = { currentPassword: password }
const meStatus = async (token: string) => (await t.call('GET', '/users/me', { token })).status

describe('changing the password', () => {
  test('ends every other session at once and keeps the caller’s', async () => {
    const here = await t.signUp('TESTER')
    const there = await t.signIn(here.user.email)
    expect((await changePassword(here, password, 'battery staple')).status).toBe(204)
    expect([await meStatus(here.accessToken), await meStatus(there.accessToken)]).toEqual([200, 401])
    expect((await t.call('POST', '/auth/refresh', { body: { refreshToken: there.refreshToken } })).status).toBe(401)
    expect([await login(here.user.email, password), await login(here.user.email, 'battery staple')]).toEqual([401, 200])
  })

  test('requires the current password, and at least six characters', async () => {
    const person = await t.signUp('TESTER')
    expect(await changePassword(person, 'not it', 'battery staple')).toMatchObject({
      status: 400,
      body: { fields: { currentPassword: 'The current password is not correct.' } },
    })
    expect(await changePassword(person, password, 'short')).toMatchObject({
      status: 400,
      body: { fields: { newPassword: 'Password must be at least 6 characters' } },
    })
    expect(await login(person.user.email, password)).toBe(200)
  })

  test('leaves no session open for someone who signs in with the old password at the same moment', async () => {
    for (let round = 0; round < 5; round++) {
      const person = await t.signUp('TESTER')
      await Promise.all([
        changePassword(person, password, 'battery staple'),
        inParallel(4, () => login(person.user.email, password)),
      ])
      const { body } = await person.call<SessionInfo[]>('GET', '/users/me/sessions')
      expect(body.map(session => session.current)).toEqual([true])
    }
  })
})

describe('one’s own sessions', () => {
  test('are listed with the current one marked; another one can be ended, but nobody else’s', async () => {
    const [here, stranger] = [await t.signUp('TESTER'), await t.signUp('TESTER')]
    const there = await t.signIn(here.user.email)
    const { body } = await here.call<SessionInfo[]>('GET', '/users/me/sessions')
    expect(body).toHaveLength(2)
    const elsewhere = body.find(session => !session.current)!
    expect((await stranger.call('DELETE', `/users/me/sessions/${elsewhere.id}`, withPassword)).status).toBe(404)
    // PostgreSQL compares UUIDs in either case; an access token contains the id in lower case.
    const { status } = await here.call('DELETE', `/users/me/sessions/${elsewhere.id.toUpperCase()}`, withPassword)
    expect(status).toBe(204)
    expect([await meStatus(here.accessToken), await meStatus(there.accessToken)]).toEqual([200, 401])
  })
})

describe('the export', () => {
  test('contains everything about the user, and no secret', async () => {
    const tester = await paidTester(t, developer, admin, 5000)
    const { id } = await joinedBy(tester, (await liveCampaign(developer, admin, { title: 'Second' })).id)
    await tester.call('POST', `/testers/campaign-testers/${id}/check-ins`, { note: 'All went well.' })
    await tester.call('POST', '/testers/withdraw', { amountCents: 1000 })
    await admin.call('POST', `/admin/users/${tester.user.id}/message`, { subject: 'Hello', message: 'How are you?' })
    const { body } = await tester.call<PersonalData>('GET', '/users/me/export')
    expect(body.user.email).toBe(tester.user.email)
    expect(body.tests).toHaveLength(2)
    expect(body.checkIns.map(day => day['note'])).toContain('All went well.')
    expect(body.transactions.map(line => line['type'])).toEqual(['CREDIT', 'PAYOUT'])
    expect(body.withdrawals).toMatchObject([{ amount_cents: 1000, destination: tester.user.email }])
    expect(body.notifications.map(each => each['subject'])).toContain('Hello')
    expect(body.sessions).toHaveLength(1)
    expect(JSON.stringify(body)).not.toMatch(/argon2|token|hash|secret/i)
    const own = (await developer.call<PersonalData>('GET', '/users/me/export')).body
    expect(own.campaigns.map(campaign => campaign['title'])).toContain('Second')
    expect(own.tests).toEqual([])
    const charged = { amount_cents: 3450, counterparty: developer.user.email, status: 'COMPLETED' }
    expect(own.payments).toContainEqual(expect.objectContaining(charged))
    const { id: cancelled } = await fundedBy(developer)
    await developer.call('POST', `/campaigns/${cancelled}/cancel`)
    const { refunds } = (await developer.call<PersonalData>('GET', '/users/me/export')).body
    expect(refunds).toMatchObject([{ campaign_id: cancelled, amount_cents: 3450, counterparty: developer.user.email }])
  })
})

/** The text of every row of every table that this product owns. */
const everythingSaid = async () => {
  const tables = await t.look<{ name: string }>(
    "select quote_ident(tablename) as name from pg_tables where schemaname = 'public'",
  )
  const rows = await Promise.all(
    tables.map(({ name }) => t.look<{ row: string }>(`select t::text as row from ${name} t`)),
  )
  return rows.flat().map(({ row }) => row)
}

const moneyOf = async ({ user }: Person) =>
  (
    await t.look(
      `select balance_of_tester($1)::int as balance, (select coalesce(sum(amount_cents), 0)::int from transfers
        where credit_account_id = account_of('GIVEN_UP', null) and debit_account_id = account_of('TESTER_BALANCE', $1)) as "givenUp"`,
      [user.id],
    )
  )[0]

describe('deleting the account', () => {
  test('erases the person everywhere, and the books stay balanced', async () => {
    const tester = await paidTester(t, developer, admin, 2000)
    await tester.call('PATCH', '/users/me', {
      name: 'Penelope Unforgettable',
      paymentMethod: 'penelope@pay.test',
      currentPassword: password,
      country: 'GR',
    })
    await t.advance(25)
    // Both admins are notified of the withdrawal with the tester's name.
    await t.look('update settings set payout_approval_cents = 1500')
    await tester.call('POST', '/testers/withdraw', { amountCents: 2000 }, 'a-key')
    await t.look('update settings set payout_approval_cents = null')
    expect((await everythingSaid()).join()).toContain('Penelope Unforgettable wants to withdraw')
    await t.look(`update payout_approvals set outcome = 'LAPSED', decided_at = now()`)
    await t.advance(26)
    const { email } = tester.user
    await t.look(
      `insert into waitlist (id, email, country, role, created_at) values (gen_random_uuid(), $1, 'GR', 'tester', now())`,
      [email],
    )
    await t.look(
      `insert into email_links (id, token_hash, purpose, user_id, email, created_at, expires_at)
        values (gen_random_uuid(), 'x', 'UNDO_EMAIL_CHANGE', $1, 'penelope@before.test', now(), now())`,
      [tester.user.id],
    )
    await t.look(
      `insert into digests (id, user_id, period, day, notification_ids, made_at) values (gen_random_uuid(), $1, 'DAILY', now(), '{}', now())`,
      [tester.user.id],
    )
    await t.look('insert into bench_passes (campaign_id, tester_id, passes) select id, $1, 1 from campaigns limit 1', [
      tester.user.id,
    ])
    await tester.call('PUT', '/users/me/notification-choices', { choices: [{ topic: 'SEATS', delivery: 'DAILY' }] })
    await login('penelope@before.test', 'a guess')
    expect((await tester.call<PersonalData>('GET', '/users/me/export')).body.waitlist).toMatchObject([{ email }])
    // Withdrawing so early raises a fraud report, which would keep the account from being deleted.
    await t.look('update fraud_reports set archived_at = now()')
    expect((await leave(tester)).status).toBe(204)
    const said = await everythingSaid()
    for (const trace of [email, 'Penelope', 'penelope@pay.test', 'penelope@before.test']) {
      expect(said.filter(row => row.includes(trace))).toEqual([])
    }
    expect(await brokenChecks()).toEqual([])
    for (const [rows, owner] of [
      ['digests', 'user_id'],
      ['bench_passes', 'tester_id'],
      ['idempotency_keys', 'user_id'],
      ['notification_choices', 'user_id'],
      ['notifications', 'user_id'],
    ])
      expect([rows, await t.look(`select from ${rows} where ${owner} = $1`, [tester.user.id])]).toEqual([rows, []])
    expect(await meStatus(tester.accessToken)).toBe(401)
    expect(await login(tester.user.email, password)).toBe(401)
    expect(await login(`deleted-${tester.user.id}@deleted.invalid`, '')).toBe(400)
    expect(await login(`deleted-${tester.user.id}@deleted.invalid`, 'anything')).toBe(401)
    expect((await admin.call('GET', `/admin/users/${tester.user.id}`)).status).toBe(404)
    expect((await admin.call<{ total: number }>('GET', '/admin/users?search=Deleted%20user')).body.total).toBe(0)
    const again = { email: tester.user.email, password, name: 'Penelope', role: 'TESTER' }
    expect((await t.call('POST', '/auth/register', { body: again })).status).toBe(201)
  })

  test('leaves neither addresses nor devices of sessions and tests, nor where the user lived', async () => {
    const { id: campaignId } = await liveCampaign(developer, admin)
    const tester = await t.signUp('TESTER', { deviceFingerprint: 'a phone', country: 'GR', timeZone: 'Europe/Athens' })
    const { id } = await joinedBy(tester, campaignId)
    await t.look(`update participations set device_fingerprint = 'a phone' where id = $1`, [id])
    await tester.call('POST', `/testers/campaign-testers/${id}/leave`)
    expect((await leave(tester)).status).toBe(204)
    const left = (what: string, of: string) => t.look(`select ${what} $1`, [of])
    expect(
      await left('ip, network, user_agent, device_fingerprint from sessions where user_id =', tester.user.id),
    ).toEqual([{ ip: '', network: null, user_agent: '', device_fingerprint: null }])
    expect(
      await left('device_model, device_manufacturer, device_fingerprint from participations where id =', id),
    ).toEqual([{ device_model: 'Deleted', device_manufacturer: null, device_fingerprint: null }])
    expect(await left('country, time_zone, password_hash from users where id =', tester.user.id)).toEqual([
      { country: null, time_zone: 'UTC', password_hash: '' },
    ])
  })

  test('keeps the count of guesses at other people’s passwords', async () => {
    const tester = await t.signUp('TESTER')
    await login(developer.user.email, 'a guess')
    expect((await leave(tester)).status).toBe(204)
    expect(await t.look('select from login_failures where email = $1', [developer.user.email])).toHaveLength(1)
  })

  test('requires the password', async () => {
    const person = await t.signUp('TESTER')
    expect(await leave(person, 'not it')).toMatchObject({
      status: 400,
      body: { fields: { password: 'The current password is not correct.' } },
    })
    expect(await meStatus(person.accessToken)).toBe(200)
  })

  test('is refused with the reasons, and changes nothing', async () => {
    const sentBack = await t.signUp('DEVELOPER')
    const rejected = await fundedBy(sentBack)
    await admin.call('POST', `/admin/campaigns/${rejected.id}/reject`, { reason: 'Say what to test.' })
    const reviewing = await t.signUp('DEVELOPER')
    const reviewed = await liveCampaign(reviewing, admin, { durationDays: 1, testersRequired: 1 })
    const handedIn = await t.signUp('TESTER')
    const { id: participationId } = await joinedBy(handedIn, reviewed.id)
    await daysAndProof(t, [{ person: handedIn, participationId }], 1)
    await reviewing.call('POST', `/campaigns/${reviewed.id}/cancel`)
    const [owner, payer] = [await t.signUp('DEVELOPER'), await t.signUp('DEVELOPER')]
    const live = await liveCampaign(owner, admin, {})
    await fundedBy(payer)
    const approved = await t.signUp('DEVELOPER')
    await admin.call('POST', `/admin/campaigns/${(await fundedBy(approved)).id}/approve`)
    const inside = await t.signUp('TESTER')
    await joinedBy(inside, live.id)
    const paid = await paidTester(t, developer, admin, 2000)
    const waiting = await paidTester(t, developer, admin, 2000)
    await waiting.call('POST', '/testers/withdraw', { amountCents: 2000 })
    const cases: [Person, string][] = [
      [sentBack, 'Cancel your campaigns, or wait until they are completed.'],
      [reviewing, 'Proofs of your cancelled campaigns are still open: review them, or wait until they are decided.'],
      [owner, 'Cancel your campaigns, or wait until they are completed.'],
      [payer, 'Cancel your campaigns, or wait until they are completed.'],
      [approved, 'Cancel your campaigns, or wait until they are completed.'],
      [inside, 'Leave your tests, or finish them.'],
      [paid, 'Withdraw your balance.'],
      [waiting, 'Wait until the money on its way has arrived.'],
    ]
    // Withdrawing so early raises fraud reports, which would keep the accounts from being deleted.
    await t.look('update fraud_reports set archived_at = now()')
    for (const [who, obstacle] of cases) {
      const message = `Your account cannot be deleted yet. ${obstacle}`
      expect(await leave(who)).toMatchObject({ status: 409, body: { message } })
      expect((await who.call('GET', '/users/me')).status).toBe(200)
    }
    // The campaign is a draft again, and still paid for.
    await sentBack.call('PATCH', `/campaigns/${rejected.id}`, { title: 'Edited' })
    expect((await leave(sentBack)).body?.message).toContain('Cancel your campaigns')
  })

  test('works for a developer whose campaign has ended and whose refund has arrived, even with an unpaid draft', async () => {
    const owner = await t.signUp('DEVELOPER', { name: 'Odysseus Nobody' })
    await owner.call('PATCH', '/users/me', { paymentMethod: 'odysseus@pay.test', currentPassword: password })
    const { id } = await liveCampaign(owner, admin, {})
    await draftOf(owner)
    await owner.call('POST', `/campaigns/${id}/cancel`)
    expect((await leave(owner)).status).toBe(409)
    await t.advance(1)
    expect((await leave(owner)).status).toBe(204)
    const said = await everythingSaid()
    for (const trace of [owner.user.email, 'Odysseus', 'odysseus@pay.test']) {
      expect(said.filter(row => row.includes(trace))).toEqual([])
    }
  })

  test('cancels unpaid drafts and erases their texts, also those of drafts that were cancelled earlier', async () => {
    const owner = await t.signUp('DEVELOPER')
    const written = { title: 'Kassandra foresees', description: 'Kassandra tells what comes.', features: ['Kassandra'] }
    const links = { accessMode: 'GOOGLE_GROUP', groupLink: 'https://groups.google.com/g/kassandra' }
    const draft = await draftOf(owner, { ...written, ...links, distributionLink: 'https://kassandra.example/app' })
    const question = { kind: 'SHORT_TEXT', text: 'Do you believe Kassandra?', required: true }
    const form = await owner.call('PUT', `/campaigns/${draft.id}/feedback-form`, { questions: [question] })
    const nda = await owner.call('PUT', `/campaigns/${draft.id}/nda`, { text: 'Nobody may tell what Kassandra said.' })
    expect([form.status, nda.status]).toEqual([200, 200])
    const before = await draftOf(owner, written)
    await owner.call('POST', `/campaigns/${before.id}/cancel`)
    expect((await everythingSaid()).some(row => row.includes('assandra'))).toBe(true)
    expect((await leave(owner)).status).toBe(204)
    expect((await everythingSaid()).filter(row => row.toLowerCase().includes('kassandra'))).toEqual([])
    const { body } = await admin.call<Campaign>('GET', `/campaigns/${draft.id}`)
    expect(body).toMatchObject({ status: 'CANCELLED', title: 'Deleted draft', features: [] })
    const events = await t.look('select kind from campaign_events where campaign_id = $1 order by id desc', [draft.id])
    expect(events[0]).toEqual({ kind: 'CANCELLED' })
  })

  test('erases the texts of campaigns that were paid, refunded and never started, but keeps their titles and payments', async () => {
    const owner = await t.signUp('DEVELOPER')
    const written = {
      description: 'Laocoon fears the Greeks.',
      features: ['Laocoon'],
      distributionLink: 'https://laocoon.example/app',
      accessMode: 'GOOGLE_GROUP',
      groupLink: 'https://groups.google.com/g/laocoon',
    }
    const paid = await fundedBy(owner, { ...written, title: 'Paid and refunded' })
    const approved = await fundedBy(owner, { ...written, title: 'Approved and refunded' })
    const question = { kind: 'SHORT_TEXT', text: 'Do you fear as Laocoon does?', required: true }
    for (const { id } of [paid, approved]) {
      await t.look(
        `insert into nda_texts (campaign_id, version, text, set_at) values ($1, 1, 'Nobody may quote Laocoon.', now())`,
        [id],
      )
      const form = await owner.call('PUT', `/campaigns/${id}/feedback-form`, { questions: [question] })
      expect(form.status).toBe(200)
    }
    expect((await admin.call('POST', `/admin/campaigns/${approved.id}/approve`)).status).toBe(200)
    for (const { id } of [paid, approved]) await owner.call('POST', `/campaigns/${id}/cancel`)
    const started = await liveCampaign(owner, admin, { description: 'Aeneas went ahead, and testers saw it.' })
    await owner.call('POST', `/campaigns/${started.id}/cancel`)
    await t.advance(1)
    const books = () =>
      t.look(
        `select campaign_id, status, amount_cents::int as cents from payments where campaign_id = any($1)
          union all select campaign_id, status, amount_cents::int from refunds where campaign_id = any($1) order by 1, 2, 3`,
        [[paid.id, approved.id]],
      )
    const before = await books()
    expect(before).toHaveLength(4)
    // As an admin was told of one of these refunds, and of somebody else's, while they were stuck.
    const toldOfStuck = (about: string) =>
      t.look(
        `insert into notifications (id, user_id, subject, text, about_kind, about_id, created_at)
          select gen_random_uuid(), $1, 'Refund to confirm: $34.50', 'To Laocoon', 'STUCK_REFUND', ${about}, now()`,
        [admin.user.id],
      )
    await toldOfStuck(
      `(select p.id from refund_parts p join refunds r on r.id = p.refund_id where r.campaign_id = '${paid.id}')`,
    )
    await toldOfStuck('gen_random_uuid()')
    expect((await leave(owner)).status).toBe(204)
    const left = `delete from notifications where about_kind = 'STUCK_REFUND' returning id`
    expect(await t.look(left)).toHaveLength(1)
    expect((await everythingSaid()).filter(row => row.toLowerCase().includes('laocoon'))).toEqual([])
    for (const [id, title] of [
      [paid.id, 'Paid and refunded'],
      [approved.id, 'Approved and refunded'],
    ]) {
      const { body } = await admin.call<Campaign>('GET', `/campaigns/${id}`)
      expect(body).toMatchObject({ status: 'CANCELLED', title, features: [] })
    }
    expect(await books()).toEqual(before)
    const { body } = await admin.call<Campaign>('GET', `/campaigns/${started.id}`)
    expect(body.description).toBe('Aeneas went ahead, and testers saw it.')
  })

  test('cancels drafts in a restored copy as well', async () => {
    const owner = await t.signUp('DEVELOPER')
    const draft = await draftOf(owner)
    expect(await forgetAgain(owner.user.id)).toBe(true)
    const left = await t.look('select status, title from campaigns where id = $1', [draft.id])
    expect(left).toEqual([{ status: 'CANCELLED', title: 'Deleted draft' }])
  })

  test('waits while an open report of severity HIGH or above is about the user, but not while one only names them', async () => {
    const [suspect, named] = [await t.signUp('TESTER'), await t.signUp('TESTER')]
    const facts = { device: 'a', accounts: 2, people: [{ at: '2026-11-22T00:00:00.000Z', userId: named.user.id }] }
    const report = (severity: string, isSample = false) =>
      t.look(
        `insert into fraud_reports (id, user_id, status, severity, kind, facts, finding_key, is_sample, created_at)
          values (gen_random_uuid(), $1, 'OPEN', $2, 'SHARED_DEVICE', $3, $4, $5, now())`,
        [suspect.user.id, severity, JSON.stringify(facts), isSample ? null : severity, isSample],
      )
    await report('HIGH')
    expect(await leave(suspect)).toMatchObject({
      status: 409,
      body: { message: expect.stringContaining('We are looking into a report about your account.') },
    })
    expect((await leave(named)).status).toBe(204)
    await t.look(
      `update fraud_reports set status = 'DISMISSED', resolution = 'No.', decided_at = now(), decided_by = $1`,
      [admin.user.id],
    )
    await report('CRITICAL')
    expect((await leave(suspect)).status).toBe(409)
    await t.look(`update fraud_reports set archived_at = now() where severity = 'CRITICAL'`)
    await report('MEDIUM')
    await report('CRITICAL', true)
    expect((await leave(suspect)).status).toBe(204)
  })

  test('gives up a balance that is too small to withdraw, only if the user confirms the amount, and not as a fee', async () => {
    const tester = await paidTester(t, developer, admin, 500)
    const sentence =
      'Your balance is $5.00, which is too little to withdraw. Confirm that you give up $5.00 when your account is deleted.'
    for (const seen of [undefined, 0, 499, 501]) {
      expect(await leave(tester, password, seen)).toMatchObject({
        status: 422,
        body: { code: 'WRONG_AMOUNT', message: sentence, fields: { givesUpCents: sentence } },
      })
    }
    const revenue = () =>
      t.look(
        `select sum(amount_cents) as cents from transfers where credit_account_id = account_of('PLATFORM_REVENUE', null)`,
      )
    const fees = await revenue()
    expect((await leave(tester, password, 500)).status).toBe(204)
    expect(await moneyOf(tester)).toEqual({ balance: 0, givenUp: 500 })
    expect(
      await t.look(
        `select type, status, amount_cents::int as cents, description from transactions where user_id = $1 order by seq`,
        [tester.user.id],
      ),
    ).toMatchObject([
      { type: 'CREDIT', cents: 500 },
      { type: 'DEBIT', status: 'COMPLETED', cents: 500, description: 'Given up with the account' },
    ])
    expect(await revenue()).toEqual(fees)
  })

  test('does not give up a balance that can be withdrawn, or more than there is', async () => {
    const [rich, poor] = [await paidTester(t, developer, admin, 1000), await t.signUp('TESTER')]
    expect(await leave(rich, password, 1000)).toMatchObject({
      status: 409,
      body: { message: 'Your account cannot be deleted yet. Withdraw your balance.' },
    })
    expect(await leave(poor, password, 1)).toMatchObject({ status: 422, body: { code: 'WRONG_AMOUNT' } })
    expect((await leave(poor)).status).toBe(204)
  })

  test('leaves no balance behind if a payout comes back later', async () => {
    const tester = await paidTester(t, developer, admin, 2000)
    const method = { paymentMethod: 'returned@example.test', currentPassword: password }
    expect((await tester.call('PATCH', '/users/me', method)).status).toBe(200)
    await t.advance(25)
    expect((await tester.call('POST', '/testers/withdraw', { amountCents: 2000 })).status).toBe(201)
    await t.advance(1)
    // Withdrawing so early raises a fraud report, which would keep the account from being deleted.
    await t.look('update fraud_reports set archived_at = now() where user_id = $1', [tester.user.id])
    expect((await leave(tester)).status).toBe(204)
    await t.advance(49)
    expect(await moneyOf(tester)).toEqual({ balance: 0, givenUp: 2000 })
  })

  test('waits while a dispute holds the refund of a campaign that has ended', async () => {
    const disputes = disputesIn(t, admin)
    const { developer: owner, id } = await disputes.begun({ testersRequired: 2 })
    await disputes.news(id, 'OPEN')
    await owner.call('POST', `/campaigns/${id}/cancel`)
    await t.advance(1)
    expect((await leave(owner)).body?.message).toContain('Wait until the money on its way has arrived.')
    await disputes.news(id, 'WON')
    // The refund has not been made yet.
    expect((await leave(owner)).body?.message).toContain('Wait until the money on its way has arrived.')
    await disputes.settled()
    await t.advance(1)
    const [dispute] = await t.look<{ id: string }>('select id from disputes where campaign_id = $1', [id])
    await admin.call('PUT', `/admin/disputes/${dispute!.id}/note`, { note: 'Oli Owner sent his bank’s letter.' })
    expect((await leave(owner)).status).toBe(204)
    // What admins wrote about a person goes with the account.
    expect((await admin.call('GET', `/admin/disputes/${dispute!.id}`)).body).toMatchObject({ note: null })
  })

  test('in a restored copy takes the user, and nobody else, off the benches, which erases their address and device there', async () => {
    const { id } = await liveCampaign(developer, admin, { testersRequired: 2, accessMode: 'EMAIL_LIST' })
    for (let taken = 0; taken < 2; taken++) await joinedBy(await t.signUp('TESTER'), id)
    const entered = async () => {
      const waiting = await t.signUp('TESTER')
      const { status } = await waiting.call('POST', `/testers/campaigns/${id}/join`, {
        deviceInfo: device,
        waitlist: true,
        playEmail: waiting.user.email,
        consent: true,
      })
      expect(status).toBe(201)
      return waiting.user
    }
    const [deleted, other] = [await entered(), await entered()]
    expect(await forgetAgain(deleted.id)).toBe(true)
    expect(await t.look('select tester_id as id from bench_entries where campaign_id = $1', [id])).toEqual([
      { id: other.id },
    ])
  })

  test.each([
    ['an appeal that is under way', true],
    ['a deletion that is under way', false],
  ])('leaves no open appeal behind: %s is waited for', async (_name, appealFirst) => {
    const tester = await t.signUp('TESTER')
    const { id } = await frozen(t, tester, (await liveCampaign(developer, admin)).id)
    const appeal = () =>
      tester.call('POST', `/testers/campaign-testers/${id}/appeal`, { reason: 'The second picture shows the search.' })
    const [first, second] = await overtaken<Reply<unknown>, Reply<unknown>>(
      t,
      appealFirst
        ? { rows: 'select from participations where id = $1', values: [id] }
        : { rows: 'select from sessions where user_id = $1', values: [tester.user.id] },
      appealFirst ? appeal : () => leave(tester),
      appealFirst ? () => leave(tester) : appeal,
    )
    expect([first.status, second.status]).toEqual(appealFirst ? [200, 409] : [204, 401])
  })

  test('tells a tester what prevents it, and what they can do about each reason', async () => {
    const terms = { durationDays: 1, testersRequired: 1 }
    const whyNot = async (who: Person) => (await leave(who)).body?.message.replace(/^.*yet\. /, '') ?? 'deleted'
    const toLeave = 'Leave your tests, or finish them.'
    const toWaitFor =
      'One of your proofs is under review: wait for the decision. Without one, the proof is verified automatically.'
    const inLine = 'Leave the benches where you are waiting for a seat.'
    const tester = await t.signUp('TESTER')
    const { id } = await liveCampaign(developer, admin, terms)
    const participationId = (await joinedBy(tester, id)).id
    expect(await whyNot(tester)).toBe(toLeave)
    await daysAndProof(t, [{ person: tester, participationId }], 1)
    expect(await whyNot(tester)).toBe(toWaitFor)
    const waiting = await t.signUp('TESTER')
    const join = { deviceInfo: device, waitlist: true }
    for (const person of [tester, waiting]) {
      const full = await liveCampaign(developer, admin, { testersRequired: 1 })
      await joinedBy(await t.signUp('TESTER'), full.id)
      expect((await person.call('POST', `/testers/campaigns/${full.id}/join`, join)).status).toBe(201)
    }
    expect([await whyNot(tester), await whyNot(waiting)]).toEqual([`${toWaitFor} ${inLine}`, inLine])
    await joinedBy(tester, (await liveCampaign(developer, admin)).id)
    expect(await whyNot(tester)).toBe(`${toLeave} ${toWaitFor} ${inLine}`)
    const changes = { note: 'Show the search as well.' }
    await developer.call('POST', `/campaign-testers/${participationId}/request-changes`, changes)
    expect(await whyNot(tester)).toBe(`${toLeave} ${inLine}`)
    const appealing = await t.signUp('TESTER')
    const appealed = await frozen(t, appealing, (await liveCampaign(developer, admin)).id)
    const reason = 'The second picture shows the search.'
    await appealing.call('POST', `/testers/campaign-testers/${appealed.id}/appeal`, { reason })
    expect(await whyNot(appealing)).toBe('You have appealed a rejection: wait for the decision.')
  })
})

test('only the first of concurrent deletions of an account finds a session, even if others were already admitted', async () => {
  const person = await t.signUp('TESTER')
  const replies = await inParallel(4, () => leave(person))
  expect(replies.map(({ status }) => status).filter(status => status !== 401)).toEqual([204])
  const letIn = { id: person.user.id, role: 'TESTER', sessionId: person.user.id } as const
  await expect(assertOwnPassword(letIn, password, 'password')).rejects.toMatchObject({ code: 'UNAUTHENTICATED' })
})

// This test comes last, because nobody knows which of the two admins remains.
test('one admin always remains, even if the last two delete their accounts at once', async () => {
  const second = await t.signUp('ADMIN')
  // This renews the token now, because renewing it later would wait for the lock as well.
  await admin.call('GET', '/users/me')
  // The lock holds up the first deletion at its end.
  const sessions = { rows: 'select from sessions where user_id = $1', values: [admin.user.id] }
  const replies = await overtaken(
    t,
    sessions,
    () => leave(admin),
    () => leave(second),
  )
  expect(tally(replies)).toEqual({ 204: 1, 409: 1 })
  expect(await t.look("select id from users where role = 'ADMIN' and deleted_at is null")).toHaveLength(1)
})
