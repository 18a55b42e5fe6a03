/** What admins see of users: the list, the profile and messages. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { partOf } from '../../testing/emailedLinks.ts'
import { daysAndProof, draftOf, fundedBy, joinedBy, liveCampaign, paidTester, type Person } from '../../testing/app.ts'
import { signedUp, testApp } from '../../testing/prologue.ts'
import { connectBeside, emailsOf } from '../../testing/observed.ts'
import { untilWaiting } from '../../testing/races.ts'
import type { Notification } from '../../notifications/contract.ts'
import type { AdminUser, UserCounts, UserProfile } from '../contract.ts'

const t = testApp()
const developer = signedUp(t, 'DEVELOPER')
const admin = signedUp(t, 'ADMIN')

type UserPage = { data: AdminUser[]; page: number; limit: number; total: number }
const list = async (query = '') => (await admin.call<UserPage>('GET', `/admin/users${query}`)).body
const search = async (words: string) => (await list(`?search=${encodeURIComponent(words)}`)).data.map(user => user.name)
const listed = async ({ user }: Person) => (await list(`?search=${user.email}`)).data[0]
const profileOf = ({ user }: Person) => admin.call<UserProfile>('GET', `/admin/users/${user.id}`)

describe('the list of users', () => {
  test('finds users by name or email, in any case, and takes pattern characters literally', async () => {
    await t.signUp('TESTER', { name: 'Zoë Ångström', email: 'zoe@lab.example.test' })
    await t.signUp('TESTER', { name: '100% Real_Name\\', email: 'percent@example.test' })
    expect(await search('zoë å')).toEqual(['Zoë Ångström'])
    expect(await search('ZOE@LAB')).toEqual(['Zoë Ångström'])
    for (const words of ['100%', 'Real_', 'name\\']) expect(await search(words)).toEqual(['100% Real_Name\\'])
    for (const words of ['%%', 'real-name', 'a_b']) expect(await search(words)).toEqual([])
  })

  test('shows and counts only one role if it is filtered', async () => {
    const developers = await list('?role=DEVELOPER')
    expect(developers.data.every(user => user.role === 'DEVELOPER')).toBe(true)
    expect(developers.total).toBe(developers.data.length)
    expect((await admin.call('GET', '/admin/users?role=OWNER')).status).toBe(400)
  })

  test('has pages without gaps or repeats, 20 users each, newest first', async () => {
    await Promise.all(Array.from({ length: 22 }, () => t.signUp('TESTER', { country: 'DE' })))
    const first = await list()
    expect(first).toMatchObject({ page: 1, limit: 20 })
    const all = [first, await list('?page=2')].flatMap(page => page.data.map(user => user.id))
    expect(all).toHaveLength(first.total)
    expect(new Set(all).size).toBe(first.total)
    expect(all).toEqual(all.toSorted((a, b) => (a < b ? 1 : -1)))
  })

  test('shows balance, campaigns, tests, last activity and status of each user', async () => {
    const tester = await paidTester(t, developer, admin, 5000)
    const never = await t.signUp('TESTER')
    await t.look('delete from refresh_tokens where session_id in (select id from sessions where user_id = $1)', [
      never.user.id,
    ])
    await t.look('delete from sessions where user_id = $1', [never.user.id])
    await draftOf(developer)
    const campaigns = await t.look('select id from campaigns where developer_id = $1', [developer.user.id])
    expect(await listed(tester)).toMatchObject({
      balanceCents: 5000,
      totalTests: 1,
      totalCampaigns: 0,
      status: 'ACTIVE',
    })
    expect(await listed(developer)).toMatchObject({ balanceCents: 0, totalTests: 0, totalCampaigns: campaigns.length })
    expect((await listed(never))!.lastActive).toBeNull()
    expect((await listed(tester))!.lastActive).not.toBeNull()
  })
})

test('a tester’s first verified test makes them verified, and a developer’s first approved campaign does', async () => {
  const [owner, tester, other] = [await t.signUp('DEVELOPER'), await t.signUp('TESTER'), await t.signUp('TESTER')]
  const verified = async () =>
    Promise.all([owner, tester, other, admin].map(async person => (await profileOf(person)).body.isVerified))
  const draft = await fundedBy(owner)
  expect(await verified()).toEqual([false, false, false, false])
  await admin.call('POST', `/admin/campaigns/${draft.id}/approve`)
  expect(await verified()).toEqual([true, false, false, false])
  // Cancelled before it started.
  await owner.call('POST', `/campaigns/${draft.id}/cancel`)
  const { id } = await liveCampaign(developer, admin, { durationDays: 1 })
  const taken = await Promise.all(
    [tester, other].map(async person => ({ person, participationId: (await joinedBy(person, id)).id })),
  )
  await daysAndProof(t, taken, 1)
  await developer.call('POST', `/campaign-testers/${taken[0]!.participationId}/verify`)
  expect(await verified()).toEqual([true, true, false, false])
  // The last one has a campaign that is running.
  const shown = await Promise.all([owner, tester, other, admin, developer].map(listed))
  expect(shown.map(user => user!.isVerified)).toEqual([true, true, false, false, true])
})

test('deleted accounts are neither listed nor counted, and suspended ones not as active', async () => {
  const before = (await admin.call<UserCounts>('GET', '/admin/users/counts')).body
  const [gone, banned] = [await t.signUp('TESTER'), await t.signUp('DEVELOPER')]
  await gone.call('DELETE', '/users/me', { password: 'correct horse' })
  expect(await search(gone.user.id)).toEqual([])
  await admin.call('POST', `/admin/users/${banned.user.id}/ban`, { reason: 'Spam' })
  const after = (await admin.call<UserCounts>('GET', '/admin/users/counts')).body
  expect(after).toEqual({
    ...before,
    total: before.total + 1,
    developers: before.developers + 1,
    newThisMonth: before.newThisMonth + 1,
  })
})

describe('the profile', () => {
  test('contains the history: campaigns, tests, transactions, sessions and admin actions', async () => {
    const tester = await paidTester(t, developer, admin, 2000)
    const open = await liveCampaign(developer, admin, { title: 'Open one' })
    await joinedBy(tester, open.id)
    await admin.call('POST', `/admin/users/${tester.user.id}/message`, { subject: 'Hello', message: 'How are you?' })
    const { body } = await profileOf(tester)
    expect(body.tests.map(each => [each.campaign.title, each.status])).toEqual([
      ['Open one', 'ACTIVE'],
      ['Try our notes app', 'VERIFIED'],
    ])
    expect(body.transactions).toMatchObject([{ type: 'CREDIT', amountCents: 2000 }])
    expect(body.sessions.some(session => !session.ended)).toBe(true)
    expect(body.adminActions).toMatchObject([{ action: 'user.message', adminName: admin.user.name }])
    expect((await profileOf(developer)).body.campaigns[0]).toMatchObject({ title: 'Open one', status: 'LIVE' })
    expect(JSON.stringify(body)).not.toMatch(/argon2|token/i)
  })

  test('does not show an expired session as active, nor one that was signed out', async () => {
    const person = await t.signUp('TESTER')
    expect((await profileOf(person)).body).toMatchObject({ activeSessions: 1, sessions: [{ ended: false }] })
    await t.look("update sessions set expires_at = now() - interval '1 minute' where user_id = $1", [person.user.id])
    expect((await profileOf(person)).body).toMatchObject({ activeSessions: 0, sessions: [{ ended: true }] })
    // One that was signed out does not count either, although it has not expired.
    const again = await t.signIn(person.user.email)
    expect((await profileOf(person)).body.activeSessions).toBe(1)
    await again.call('POST', '/auth/logout')
    expect((await profileOf(person)).body).toMatchObject({
      activeSessions: 0,
      sessions: [{ ended: true }, { ended: true }],
    })
  })
})

describe('a message from an admin', () => {
  test('reaches the user once in the product and once by email, and is audited without its text', async () => {
    const person = await t.signUp('TESTER')
    const sent = await admin.call('POST', `/admin/users/${person.user.id}/message`, {
      subject: 'About your test',
      message: 'Please write.',
    })
    expect(sent).toMatchObject({ status: 200, body: { sentTo: person.user.email } })
    await t.advance(0)
    const { body } = await person.call<Notification[]>('GET', '/users/me/notifications')
    expect(body).toMatchObject([{ subject: 'About your test', text: 'Please write.', readAt: null }])
    expect((await emailsOf(t)).filter(email => email.startsWith(person.user.email))).toEqual([
      `${person.user.email}: About your test`,
    ])
    const entries = await t.look('select action, facts from audit_log where subject_id = $1', [person.user.id])
    expect(entries).toEqual([{ action: 'user.message', facts: { subject: 'About your test' } }])
  })

  test('is emailed at once to a suspended user, whatever they chose, because they cannot see it in the product', async () => {
    const person = await t.signUp('TESTER')
    const choose = (delivery: string) =>
      person.call('PUT', '/users/me/notification-choices', { choices: [{ topic: 'MESSAGES', delivery }] })
    const write = (subject: string) =>
      admin.call('POST', `/admin/users/${person.user.id}/message`, { subject, message: 'Please write.' })
    await choose('IN_APP')
    await write('Read before')
    await person.call('POST', '/users/me/notifications/read', {})
    expect((await write('In the app only')).body).toEqual({ sentTo: null })
    await choose('WEEKLY')
    expect((await write('For the digest')).body).toEqual({ sentTo: null })
    await admin.call('POST', `/admin/users/${person.user.id}/ban`, { reason: 'One device, two accounts.' })
    expect((await write('While suspended')).body).toEqual({ sentTo: person.user.email })
    // Past Monday morning, when a digest would repeat what was emailed.
    await t.advance(8 * 24)
    const subjects = (await emailsOf(t)).flatMap(line => line.split(`${person.user.email}: `).slice(1))
    expect(subjects.toSorted()).toEqual([
      'For the digest',
      'In the app only',
      'While suspended',
      'Your account is suspended',
    ])
  })

  test('that is written while its user is being suspended is emailed', async () => {
    const person = await t.signUp('TESTER')
    const choices = [{ topic: 'MESSAGES', delivery: 'IN_APP' }]
    await person.call('PUT', '/users/me/notification-choices', { choices })
    const [beside, observer] = await Promise.all([connectBeside(t), connectBeside(t)])
    try {
      await beside.query('begin')
      await beside.query(`update users set suspended_at = created_at, suspension_reason = 'Left.' where id = $1`, [
        person.user.id,
      ])
      const asked = { subject: 'Meanwhile', message: 'Please write.' }
      const writing = admin.call('POST', `/admin/users/${person.user.id}/message`, asked)
      await untilWaiting(observer, 1, writing)
      await beside.query('commit')
      expect((await writing).body).toEqual({ sentTo: person.user.email })
    } finally {
      await Promise.all([beside.end(), observer.end()])
    }
    const written = `select delivery from notifications where user_id = $1 and subject = 'Meanwhile'`
    expect(await t.look(written, [person.user.id])).toEqual([{ delivery: 'AT_ONCE' }])
  })

  test('says to a suspended user why it is emailed, and offers no way to turn that off', async () => {
    const person = await t.signUp('TESTER')
    const choices = [{ topic: 'MESSAGES', delivery: 'IN_APP' }]
    await person.call('PUT', '/users/me/notification-choices', { choices })
    await admin.call('POST', `/admin/users/${person.user.id}/message`, { subject: 'Unread', message: 'Please write.' })
    await admin.call('POST', `/admin/users/${person.user.id}/ban`, { reason: 'One device, two accounts.' })
    await t.advance(0)
    const [{ id }] = (await t.look<{ id: string }>(
      `select id from notifications where user_id = $1 and subject = 'Unread'`,
      [person.user.id],
    )) as [{ id: string }]
    const mail = await readFile(join(t.mailFolder, `${id}.eml`), 'utf8')
    expect(mail).not.toContain('List-Unsubscribe')
    expect(partOf(mail, 'text/html').replaceAll(/\s+/g, ' ')).toContain(
      'You get this email because you cannot read it in Fieldtest while your account is suspended.</p>',
    )
  })
})

test('a profile shows which withdrawals wait and which are with the provider, but not those paid out', async () => {
  const tester = await paidTester(t, developer, admin, 5000)
  const pending = async () => (await profileOf(tester)).body.payoutsPending
  const withdraw = (amountCents: number) => tester.call('POST', '/testers/withdraw', { amountCents })
  expect((await withdraw(2000)).status).toBe(201)
  expect(await pending()).toEqual({ waitingCents: 2000, withProviderCents: 0 })
  await t.advance(1)
  expect(await pending()).toEqual({ waitingCents: 0, withProviderCents: 0 })
  await withdraw(1000)
  await t.look(`update withdrawals set claimed_at = now() where tester_id = $1 and status = 'PENDING'`, [
    tester.user.id,
  ])
  expect(await pending()).toEqual({ waitingCents: 0, withProviderCents: 1000 })
})
