/** Guessing at a second factor in a stolen session locks only that session, and nobody can make the server hash forever. */
import { describe, expect, test } from 'vitest'
import { clock, daysAfter, hoursAfter } from '../../kit/clock.ts'
import type { ErrorBody } from '../../kit/errors.ts'
import type { Person, Reply } from '../../testing/app.ts'
import { emailsOf, inParallel, tally } from '../../testing/observed.ts'
import { testApp } from '../../testing/prologue.ts'
import { addPasskey, addTotp, codeOf, firstStep, secondStep } from '../../testing/secondFactor.ts'
import { factorLimits, tooManyCodes } from '../secondFactorRules.ts'
import { hashRecoveryCodes, passwordMatches } from './passwords.ts'

const t = testApp()

const { perWindow } = factorLimits.guesses
const renew = (token: string) =>
  t.call<ErrorBody & { recoveryCodes: string[] }>('POST', '/users/me/second-factor/recovery-codes', { token })
const answer = (token: string, body: object) => t.call<ErrorBody>('POST', '/auth/step-up', { token, body })
const challengeFor = async (token: string) => (await renew(token)).body.challenge ?? ''
const subjectsFor = async ({ user }: Person) => {
  await t.advance(0)
  return (await emailsOf(t)).filter(email => email.startsWith(`${user.email}: `)).map(email => email.split(': ')[1])
}

/** Sends wrong codes to this session's step-up until they are refused. */
const spendStepUp = async (token: string): Promise<Reply<ErrorBody>> => {
  for (let guess = 0; ; guess++) {
    const reply = await answer(token, { challenge: await challengeFor(token), code: '000000' })
    if (reply.status !== 400) return reply
    expect(guess).toBeLessThan(perWindow)
  }
}

const stale = () => t.advance((factorLimits.stepUpMinutes + 1) / 60)

test('wrong codes in a stolen session lock neither the sign-in nor the owner’s other sessions', async () => {
  const owner = await t.signUp('TESTER')
  const { secret } = await addTotp(owner)
  const { challenge } = await firstStep(t, owner.user.email)
  const { body: stolen } = await secondStep(t, { challenge, code: codeOf(secret) })
  await stale()
  expect(await spendStepUp(stolen.accessToken)).toMatchObject({ status: 429, body: { code: 'TOO_MANY_REQUESTS' } })
  const own = await challengeFor(owner.accessToken)
  expect((await answer(owner.accessToken, { challenge: own, code: codeOf(secret) })).status).toBe(204)
  const again = await firstStep(t, owner.user.email)
  await t.advance(1 / 60)
  expect((await secondStep(t, { challenge: again.challenge, code: codeOf(secret) })).status).toBe(200)
  // The owner's right answers do not give the thief new guesses.
  expect(
    (await answer(stolen.accessToken, { challenge: await challengeFor(stolen.accessToken), code: '000000' })).status,
  ).toBe(429)
})

test('wrong codes at a sign-in do not lock an open session', async () => {
  const owner = await t.signUp('TESTER')
  const { secret } = await addTotp(owner)
  await stale()
  for (let guess = 0; guess < perWindow; guess++) {
    const { challenge } = await firstStep(t, owner.user.email)
    await secondStep(t, { challenge, code: '000000' })
  }
  const asked = await firstStep(t, owner.user.email)
  expect((await secondStep(t, { challenge: asked.challenge, code: codeOf(secret) })).status).toBe(429)
  const challenge = await challengeFor(owner.accessToken)
  expect((await answer(owner.accessToken, { challenge, code: codeOf(secret) })).status).toBe(204)
})

test('guesses are also counted per day, and expire one by one', async () => {
  const owner = await t.signUp('TESTER')
  const { secret } = await addTotp(owner)
  const signIn = async () => {
    const { challenge } = await firstStep(t, owner.user.email)
    return secondStep(t, { challenge, code: codeOf(secret) })
  }
  // Long before the 15-minute window, but within the day.
  const earlier = hoursAfter(clock.now(), -23)
  const guess = `insert into factor_guesses (user_id, budget, at) select $1, 'SIGN_IN', $2 from generate_series(1, $3::int)`
  await t.look(guess, [owner.user.id, earlier, factorLimits.guesses.perDay])
  const refused = await signIn()
  expect([refused.status, refused.body.message]).toEqual([429, tooManyCodes(true).message])
  await t.advance(1)
  expect((await signIn()).status).toBe(200)
})

test('wrong codes are forgotten after 90 days, and challenges a day after they expire', async () => {
  const { user } = await t.signUp('TESTER')
  const now = clock.now()
  for (const days of [89, 91])
    await t.look(`insert into factor_guesses (user_id, budget, at) values ($1, $2, $3)`, [
      user.id,
      `${days} days`,
      daysAfter(now, -days),
    ])
  for (const hours of [23, 25])
    await t.look(
      `insert into factor_challenges (token_hash, purpose, user_id, password_hash_digest, device_fingerprint, created_at, expires_at)
        values (sha256($2::text::bytea), 'SIGN_IN', $1, '', $2, $3, $3)`,
      [user.id, `${hours} hours`, hoursAfter(now, -hours)],
    )
  await t.advance(0)
  const left = `select budget as kept from factor_guesses where user_id = $1
    union all select device_fingerprint from factor_challenges where user_id = $1`
  expect(await t.look(left, [user.id])).toEqual([{ kept: '89 days' }, { kept: '23 hours' }])
})

test('the warning about wrong codes in a session says that they came from a session', async () => {
  const owner = await t.signUp('TESTER')
  await addTotp(owner)
  await stale()
  const challenge = await challengeFor(owner.accessToken)
  for (let guess = 0; guess < factorLimits.wrongAnswers; guess++)
    await answer(owner.accessToken, { challenge, code: '000000' })
  expect(await subjectsFor(owner)).toContain('Wrong codes in one of your sessions')
})

test('an answer beyond the budget also counts against its challenge, and is not hashed', async () => {
  const owner = await t.signUp('TESTER')
  const { recoveryCodes } = await addTotp(owner)
  await stale()
  await spendStepUp(owner.accessToken)
  const challenge = await challengeFor(owner.accessToken)
  const replies = []
  for (let each = 0; each <= factorLimits.wrongAnswers; each++)
    replies.push(await answer(owner.accessToken, { challenge, code: recoveryCodes[0] }))
  // The open challenge may be the one that got the last answer of `spendStepUp`.
  expect([replies[0]!.status, replies.at(-1)!.status]).toEqual([429, 409])
})

describe('recovery codes', () => {
  test('are generated at most ten times an hour, even if the requests come at once', async () => {
    const owner = await t.signUp('TESTER')
    await addTotp(owner)
    const replies = await inParallel(12, () => renew(owner.accessToken))
    // The first set was generated with the app.
    expect(tally(replies)).toEqual({ 200: factorLimits.codeSetsPerHour - 1, 429: 13 - factorLimits.codeSetsPerHour })
    expect(replies.find(({ status }) => status === 429)!.headers['retry-after']).toBe('3600')
    const other = await t.signUp('TESTER')
    await addTotp(other)
    expect((await renew(other.accessToken)).status).toBe(200)
  })

  test('are hashed in a queue of 16 that does not hold up sign-ins', async () => {
    const salt = Buffer.alloc(16)
    const outcomes = await Promise.allSettled([
      ...Array.from({ length: 20 }, () => hashRecoveryCodes(['k7f2m9q4xz'], salt)),
      passwordMatches('a guess', undefined),
    ])
    const refused = outcomes.flatMap(outcome => (outcome.status === 'rejected' ? [outcome.reason as unknown] : []))
    expect(refused).toHaveLength(3)
    for (const reason of refused) expect(reason).toMatchObject({ code: 'UNAVAILABLE', retryAfterSeconds: 2 })
  })
})

describe('a passkey whose counter goes backwards', () => {
  const signIn = async (person: Person, counter: number, { passkey }: Awaited<ReturnType<typeof addPasskey>>) => {
    const { challenge } = await firstStep(t, person.user.email)
    return (await secondStep(t, { challenge, assertion: passkey.assert(challenge, { counter }) })).status
  }
  const warning = /A copy of your passkey may be in use/

  test('is refused, and its owner is warned', async () => {
    const owner = await t.signUp('TESTER')
    const factor = await addPasskey(owner)
    expect([await signIn(owner, 7, factor), await signIn(owner, 5, factor)]).toEqual([200, 401])
    expect(await subjectsFor(owner)).toContainEqual(expect.stringMatching(warning))
  })

  test('with a wrong signature warns nobody, because anybody can send that', async () => {
    const owner = await t.signUp('TESTER')
    const { passkey } = await addPasskey(owner)
    const { challenge } = await firstStep(t, owner.user.email)
    const assertion = passkey.assert('another challenge', { counter: 0 })
    expect((await secondStep(t, { challenge, assertion })).status).toBe(401)
    expect(await subjectsFor(owner)).not.toContainEqual(expect.stringMatching(warning))
  })
})
