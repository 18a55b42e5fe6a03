/**
 * A server that sends emails: withdrawals wait for a confirmed address, and a password reset separates an unconfirmed account
 * from its address.
 */
import { afterAll, describe, expect, test } from 'vitest'
import type { ErrorBody } from '../../kit/errors.ts'
import type { Campaign } from '../../campaigns/contract.ts'
import { draftOf, fundedBy, joinedBy, liveCampaign, paidTester, password, type Person } from '../../testing/app.ts'
import { accept, fullOfOne, leave, own, waitingFor } from '../../testing/bench.ts'
import { mailServer } from '../../testing/mailServer.ts'
import { tokenIn } from '../../testing/emailedLinks.ts'
import { brokenChecks, inParallel, tally } from '../../testing/observed.ts'
import { signedUp, testApp } from '../../testing/prologue.ts'
import { fraudScan } from '../../testing/fraudScan.ts'
import { addTotp } from '../../testing/secondFactor.ts'
import type { UserProfile } from '../../people/contract.ts'
import type { Session, User } from '../contract.ts'

const smtp = mailServer()
const t = testApp(() => ({ SMTP_URL: smtp.url(), PUBLIC_URL: 'https://fieldtest.test' }))
const admin = signedUp(t, 'ADMIN')
const developer = signedUp(t, 'DEVELOPER')
afterAll(async () => {
  expect(await brokenChecks()).toEqual([])
})

const mailsTo = async (address: string, subject: string) => {
  await t.advance(0)
  return smtp.received.filter(mail => mail.to === address && mail.subject === subject)
}
const linkTo = async (address: string, subject: string) => tokenIn((await mailsTo(address, subject)).at(-1)?.source)
/** With a new link, because the one sent at registration may have expired. */
const confirm = async ({ user, call }: Person) => {
  expect((await call('POST', '/users/me/verify-email')).status).toBe(204)
  const token = await linkTo(user.email, 'Confirm your email address')
  expect((await t.call('POST', '/auth/verify-email', { body: { token, password } })).status).toBe(200)
}
const resetLink = async (email: string) => {
  expect((await t.call('POST', '/auth/forgot-password', { body: { email } })).status).toBe(204)
  return linkTo(email, 'Reset your password')
}
const reset = (token: string, fresh = 'battery staple') =>
  t.call<{ email: string; newAccount: boolean }>('POST', '/auth/reset-password', { body: { token, password: fresh } })
const me = async (person: Person) => (await person.call<User>('GET', '/users/me')).body
const withdraw = (person: Person) => person.call<ErrorBody>('POST', '/testers/withdraw', { amountCents: 1000 })
const login = (email: string, secret: string) =>
  t.call<Session & ErrorBody>('POST', '/auth/login', { body: { email, password: secret } })
const profileOf = async ({ user }: Person) => (await admin.call<UserProfile>('GET', `/admin/users/${user.id}`)).body

test('the link leads to the server’s public address', async () => {
  const { user } = await t.signUp('TESTER')
  const [mail] = await mailsTo(user.email, 'Confirm your email address')
  expect(mail!.source).toContain(`\r\nhttps://fieldtest.test/verify-email#token=${tokenIn(mail!.source)}\r\n`)
})

describe('until the address is confirmed', () => {
  test('a withdrawal is refused with advice, and possible right after the confirmation', async () => {
    const tester = await paidTester(t, developer, admin, 2000)
    expect((await me(tester)).mustConfirmEmail).toBe(true)
    expect(await withdraw(tester)).toMatchObject({
      status: 409,
      body: { code: 'EMAIL_NOT_CONFIRMED', message: expect.stringContaining('Confirm your email address') },
    })
    await confirm(tester)
    expect((await me(tester)).mustConfirmEmail).toBe(false)
    expect((await withdraw(tester)).status).toBe(201)
  })

  test('joining and paying are possible unless the settings say otherwise', async () => {
    const { id } = await liveCampaign(developer, admin)
    const [early, late] = [await t.signUp('TESTER'), await t.signUp('TESTER')]
    await joinedBy(early, id)
    await admin.call('PATCH', '/admin/settings', { confirmedEmailRequired: true })
    try {
      const join = () => late.call('POST', `/testers/campaigns/${id}/join`, { deviceInfo: 'Pixel 8' })
      const draft = await draftOf(developer)
      const pay = () =>
        developer.call<Campaign>('POST', `/campaigns/${draft.id}/fund`, { amountCents: draft.totalCostCents })
      const refused = { status: 409, body: { code: 'EMAIL_NOT_CONFIRMED' } }
      expect(await join()).toMatchObject(refused)
      expect(await pay()).toMatchObject(refused)
      await confirm(late)
      await confirm(developer)
      expect((await join()).status).toBe(201)
      expect((await pay()).status).toBe(200)
    } finally {
      await admin.call('PATCH', '/admin/settings', { confirmedEmailRequired: false })
    }
  })
})

test('a seat of the bench is not accepted either until the address is confirmed, if the settings say so meanwhile', async () => {
  const { campaign, inside, insideId } = await fullOfOne(t, developer, admin)
  const [next] = await waitingFor(t, campaign.id, 1)
  await leave(inside, insideId)
  await admin.call('PATCH', '/admin/settings', { confirmedEmailRequired: true })
  try {
    const obstacle = {
      code: 'EMAIL_NOT_CONFIRMED',
      message: 'Confirm your email address before you join a campaign. The link is in the email that we sent you.',
    }
    expect(await accept(next!.person, next!.id)).toMatchObject({ status: 409, body: obstacle })
    expect(await own(next!.person, next!.id)).toMatchObject({ bench: { obstacle }, actions: ['leave'] })
    await confirm(next!.person)
    expect((await own(next!.person, next!.id)).bench?.obstacle).toBeNull()
    expect((await accept(next!.person, next!.id)).status).toBe(200)
  } finally {
    await admin.call('PATCH', '/admin/settings', { confirmedEmailRequired: false })
  }
})

describe('a password reset of a confirmed account', () => {
  test('keeps the account with its books, and its address confirmed', async () => {
    const tester = await paidTester(t, developer, admin, 2000)
    await confirm(tester)
    expect((await reset(await resetLink(tester.user.email))).body).toEqual({
      email: tester.user.email,
      newAccount: false,
    })
    const { body } = await login(tester.user.email, 'battery staple')
    expect(body.user).toMatchObject({ id: tester.user.id, payoutsPausedBecause: 'PASSWORD_RESET' })
    expect((await profileOf(tester)).balanceCents).toBe(2000)
  })
})

describe('a password reset of an unconfirmed account', () => {
  test('keeps the books in the old account, without the address, and gives the owner an empty, confirmed account', async () => {
    const impostor = await paidTester(t, developer, admin, 2000)
    const { email } = impostor.user
    expect(await reset(await resetLink(email))).toMatchObject({ status: 200, body: { email, newAccount: true } })
    expect((await t.call('GET', '/users/me', { token: impostor.accessToken })).status).toBe(401)
    expect((await login(email, password)).status).toBe(401)
    const { body } = await login(email, 'battery staple')
    expect(body.user.id).not.toBe(impostor.user.id)
    expect(body.user).toMatchObject({ role: 'TESTER', emailVerifiedAt: expect.any(String), payoutsPausedUntil: null })
    const balance = await t.call<{ balanceCents: number }>('GET', '/testers/balance', { token: body.accessToken })
    expect(balance.body.balanceCents).toBe(0)
    const old = await profileOf(impostor)
    expect(old).toMatchObject({ status: 'SUSPENDED', balanceCents: 2000 })
    expect(old.email).not.toBe(email)
    expect(old.suspension?.reason).toContain('never confirmed')
    // No link that was made for the old account does anything any more.
    const links = 'select purpose from email_links where user_id = $1 and used_at is null'
    expect(await t.look(links, [impostor.user.id])).toEqual([])
  })

  test('is announced in the email of its link, and only there', async () => {
    const saysSo = async (email: string) => {
      await resetLink(email)
      return (await mailsTo(email, 'Reset your password')).at(-1)!.source.includes('new, empty account')
    }
    const [unconfirmed, confirmed, banned] = [
      await t.signUp('TESTER'),
      await t.signUp('TESTER'),
      await t.signUp('TESTER'),
    ]
    await confirm(confirmed)
    await admin.call('POST', `/admin/users/${banned.user.id}/ban`, { reason: 'Looked at.' })
    const said = [unconfirmed, confirmed, banned].map(({ user }) => saysSo(user.email))
    expect(await Promise.all(said)).toEqual([true, false, false])
  })

  test('makes nobody a suspect for sharing a device with the old account', async () => {
    const impostor = await t.signUp('TESTER', { deviceFingerprint: 'the one phone' })
    await reset(await resetLink(impostor.user.email))
    const { body } = await t.call<Session>('POST', '/auth/login', {
      body: { email: impostor.user.email, password: 'battery staple', deviceFingerprint: 'the one phone' },
    })
    const found = await fraudScan(t, admin)
    expect(found.filter(({ user }) => [impostor.user.id, body.user.id].includes(user.id))).toEqual([])
  })

  test('leaves the owner without the impostor’s second factor, and the impostor without a confirmed address', async () => {
    const impostor = await t.signUp('TESTER')
    const { email } = impostor.user
    await addTotp(impostor)
    // The impostor's confirmation link must not work for the owner.
    const token = await linkTo(email, 'Confirm your email address')
    const press = { token, password: 'battery staple' }
    expect((await t.call('POST', '/auth/verify-email', { body: press })).status).toBe(400)
    expect((await reset(await resetLink(email))).body.newAccount).toBe(true)
    expect((await login(email, 'battery staple')).status).toBe(200)
  })

  test('tells the impostor the reason, and removes them from running campaigns', async () => {
    const { id } = await liveCampaign(developer, admin)
    const impostor = await t.signUp('TESTER')
    await joinedBy(impostor, id)
    const owner = await t.signUp('DEVELOPER')
    const live = await liveCampaign(owner, admin)
    await reset(await resetLink(impostor.user.email))
    await reset(await resetLink(owner.user.email))
    await t.advance(0)
    const refresh = { body: { refreshToken: impostor.refreshToken } }
    expect(await t.call('POST', '/auth/refresh', refresh)).toMatchObject({ status: 403, body: { code: 'SUSPENDED' } })
    expect((await profileOf(impostor)).tests.map(({ status }) => status)).toEqual(['DROPPED'])
    expect((await admin.call<Campaign>('GET', `/campaigns/${live.id}`)).body.status).toBe('PAUSED')
  })

  test('takes effect once even if the link is used many times at once, and creates no new account after a confirmation', async () => {
    const impostor = await t.signUp('TESTER')
    const token = await resetLink(impostor.user.email)
    expect(tally(await inParallel(5, () => reset(token)))).toEqual({ 200: 1, 400: 4 })
    expect(await t.look('select from users where email = $1', [impostor.user.email])).toHaveLength(1)
    const honest = await t.signUp('TESTER')
    const link = await resetLink(honest.user.email)
    await confirm(honest)
    expect((await reset(link)).body.newAccount).toBe(false)
    expect((await login(honest.user.email, 'battery staple')).body.user.id).toBe(honest.user.id)
  })

  test('does not lift a suspension', async () => {
    const banned = await t.signUp('TESTER')
    await addTotp(banned)
    await admin.call('POST', `/admin/users/${banned.user.id}/ban`, { reason: 'Two accounts on one device.' })
    expect((await reset(await resetLink(banned.user.email))).body.newAccount).toBe(false)
    expect(await login(banned.user.email, 'battery staple')).toMatchObject({ status: 403, body: { code: 'SUSPENDED' } })
    // A factor from before the reset is removed as well.
    expect(await t.look('select from totp_secrets where user_id = $1', [banned.user.id])).toEqual([])
  })

  test('does not use the name that a stranger typed, and leaves admins alone, who are always confirmed', async () => {
    const impostor = await t.signUp('DEVELOPER', { name: 'Call 555-0100' })
    await fundedBy(impostor)
    await reset(await resetLink(impostor.user.email))
    expect((await login(impostor.user.email, 'battery staple')).body.user).toMatchObject({
      role: 'DEVELOPER',
      name: impostor.user.email.split('@')[0],
    })
    const office = await t.signUp('ADMIN')
    expect((await reset(await resetLink(office.user.email))).body.newAccount).toBe(false)
  })
})

test('a change from an unconfirmed address sends no link there, because a stranger may read it', async () => {
  const person = await t.signUp('TESTER')
  await person.call('POST', '/users/me/email', { email: 'right@example.test', currentPassword: password })
  const token = await linkTo('right@example.test', 'Confirm your new email address')
  expect((await t.call('POST', '/auth/verify-email', { body: { token, password } })).status).toBe(200)
  expect(await mailsTo(person.user.email, 'Your email address was changed')).toEqual([])
  expect(await me(person)).toMatchObject({ email: 'right@example.test', mustConfirmEmail: false })
})
