/** Passkeys: what the server refuses, tested with a software passkey that does one thing wrong at a time (WebAuthn §7). */
import { describe, expect, test } from 'vitest'
import { password, type Person } from '../../testing/app.ts'
import { newAuthenticator } from '../../testing/authenticator.ts'
import { tally } from '../../testing/observed.ts'
import { testApp } from '../../testing/prologue.ts'
import { overtaken } from '../../testing/races.ts'
import { addPasskey, firstStep, secondStep } from '../../testing/secondFactor.ts'
import type { PasskeyInfo, SecondFactors } from '../secondFactorContract.ts'
import { factorLimits } from '../secondFactorRules.ts'

const t = testApp()

const begin = (person: Person, currentPassword: string | undefined = password) =>
  person.call<{ challenge: string; options: Record<string, unknown> }>('POST', '/users/me/passkeys/begin', {
    currentPassword,
  })
const listOf = async (person: Person) =>
  (await person.call<SecondFactors>('GET', '/users/me/second-factor')).body.passkeys

/** Signs in with the answer that `answer` makes for the challenge. */
const signIn = async (person: Person, answer: (challenge: string) => unknown) => {
  const { challenge } = await firstStep(t, person.user.email)
  return secondStep(t, { challenge, assertion: answer(challenge) })
}

describe('adding a passkey', () => {
  test('asks for this site, for user verification, and for an authenticator that is not registered yet', async () => {
    const person = await t.signUp('TESTER')
    const { passkey } = await addPasskey(person)
    const { body } = await begin(person, undefined)
    expect(body.options).toMatchObject({
      challenge: body.challenge,
      rp: { id: 'localhost', name: 'Fieldtest' },
      user: { name: person.user.email, displayName: person.user.name },
      authenticatorSelection: { userVerification: 'required' },
      attestation: 'none',
      excludeCredentials: [{ id: passkey.credentialId }],
    })
  })

  test('requires the password for the first factor', async () => {
    const person = await t.signUp('TESTER')
    for (const wrong of ['', 'not it']) {
      expect(await begin(person, wrong)).toMatchObject({
        status: 400,
        body: { fields: { currentPassword: expect.any(String) } },
      })
    }
  })

  const faults = {
    'of another origin': { origin: 'https://evil.example' },
    'of another port of this host': { origin: 'http://localhost:3001' },
    'of another RP id': { rpId: 'evil.example' },
    'without the person verified': { verified: false },
  }

  test.each(Object.entries(faults))(
    'an attestation %s is refused, and its challenge can still be used',
    async (_name, where) => {
      const person = await t.signUp('TESTER')
      const passkey = newAuthenticator()
      const { challenge } = (await begin(person)).body
      const add = (attestation: unknown) =>
        person.call('POST', '/users/me/passkeys', { challenge, name: 'Phone', attestation })
      expect((await add(passkey.attest(challenge, where))).status).toBe(400)
      expect(await listOf(person)).toEqual([])
      expect((await add(passkey.attest(challenge))).status).toBe(201)
    },
  )

  test('is refused with a made-up challenge, another session’s, or one that was used', async () => {
    const person = await t.signUp('TESTER')
    const passkey = newAuthenticator()
    const add = (who: Person, challenge: string, signed = challenge) =>
      who.call('POST', '/users/me/passkeys', { challenge, name: 'Phone', attestation: passkey.attest(signed) })
    const { challenge } = (await begin(person)).body
    const own = Buffer.alloc(32, 1).toString('base64url')
    expect((await add(person, own)).status).toBe(409)
    expect((await add(person, challenge, own)).status).toBe(400)
    expect((await add(await t.signIn(person.user.email), challenge)).status).toBe(409)
    expect((await add(person, challenge)).status).toBe(201)
    expect((await add(person, challenge)).status).toBe(409)
  })

  test('of two passkeys added with one challenge at the same moment, one is accepted', async () => {
    const person = await t.signUp('TESTER')
    const { challenge } = (await begin(person)).body
    const add = () => {
      const attestation = newAuthenticator().attest(challenge)
      return person.call('POST', '/users/me/passkeys', { challenge, name: 'Phone', attestation })
    }
    const row = { rows: 'select from users where id = $1', values: [person.user.id] }
    expect(tally(await overtaken(t, row, add, add))).toEqual({ 201: 1, 409: 1 })
    expect(await listOf(person)).toHaveLength(1)
  })

  test('a passkey belongs to one account', async () => {
    const { passkey } = await addPasskey(await t.signUp('TESTER'))
    const other = await t.signUp('TESTER')
    const { challenge } = (await begin(other)).body
    const attestation = passkey.attest(challenge)
    expect(await other.call('POST', '/users/me/passkeys', { challenge, name: 'Mine', attestation })).toMatchObject({
      status: 409,
      body: { message: 'This passkey is already registered.' },
    })
  })

  test(`there are at most ${factorLimits.passkeys}`, async () => {
    const person = await t.signUp('TESTER')
    for (let count = 0; count < factorLimits.passkeys; count++) await addPasskey(person)
    expect((await begin(person)).status).toBe(409)
    expect(await listOf(person)).toHaveLength(factorLimits.passkeys)
  })

  test('there are no more, even if several were begun before the last one was added', async () => {
    const person = await t.signUp('TESTER')
    for (let count = 1; count < factorLimits.passkeys; count++) await addPasskey(person)
    const begun = [(await begin(person)).body.challenge, (await begin(person)).body.challenge]
    const replies = []
    for (const challenge of begun) {
      const attestation = newAuthenticator().attest(challenge)
      replies.push(await person.call('POST', '/users/me/passkeys', { challenge, name: 'Phone', attestation }))
    }
    expect(replies).toMatchObject([{ status: 201 }, { status: 409, body: { code: 'WRONG_STATE' } }])
    expect(await listOf(person)).toHaveLength(factorLimits.passkeys)
  })
})

describe('signing in with a passkey', () => {
  test('works, and records when it was used', async () => {
    const person = await t.signUp('TESTER')
    const { passkey, id } = await addPasskey(person)
    const { challenge, factors, passkeyRequest } = await firstStep(t, person.user.email)
    expect(factors).toEqual(['PASSKEY', 'RECOVERY_CODE'])
    expect(passkeyRequest).toMatchObject({
      challenge,
      rpId: 'localhost',
      userVerification: 'required',
      allowCredentials: [{ id: passkey.credentialId, type: 'public-key', transports: ['internal'] }],
    })
    expect((await secondStep(t, { challenge, assertion: passkey.assert(challenge) })).status).toBe(200)
    expect(await listOf(person)).toMatchObject([{ id, name: 'Phone', lastUsedAt: expect.any(String) }])
  })

  const faults = {
    'of another origin': { origin: 'https://evil.example' },
    'of another RP id': { rpId: 'evil.example' },
    'without the person verified': { verified: false },
    'whose counter stands still': { counter: 1 },
    'whose counter went back': { counter: 0 },
  }

  test.each(Object.entries(faults))('an answer %s is refused', async (_name, where) => {
    const person = await t.signUp('TESTER')
    const { passkey } = await addPasskey(person)
    expect(await signIn(person, challenge => passkey.assert(challenge, where))).toMatchObject({
      status: 401,
      body: { code: 'WRONG_CREDENTIALS' },
    })
    expect((await signIn(person, challenge => passkey.assert(challenge, { counter: 9 }))).status).toBe(200)
  })

  test('an answer to another challenge, signed by another key, or of another person’s passkey, is refused', async () => {
    const [person, stranger] = [await t.signUp('TESTER'), await t.signUp('TESTER')]
    const { passkey } = await addPasskey(person)
    const { passkey: foreign } = await addPasskey(stranger)
    const earlier = await firstStep(t, person.user.email)
    const answers = {
      replayed: () => passkey.assert(earlier.challenge),
      forged: (challenge: string) => {
        const { id, rawId } = passkey.assert(challenge)
        return { ...newAuthenticator().assert(challenge), id, rawId }
      },
      foreign: (challenge: string) => foreign.assert(challenge),
      garbled: (challenge: string) => {
        const { response, ...rest } = passkey.assert(challenge)
        return { ...rest, response: { ...response, authenticatorData: 'AAAA' } }
      },
    }
    for (const [kind, answer] of Object.entries(answers)) {
      expect({ kind, status: (await signIn(person, answer)).status }).toEqual({ kind, status: 401 })
    }
  })

  test('of two answers of a copied passkey with the same counter, one is accepted', async () => {
    const person = await t.signUp('TESTER')
    const { passkey } = await addPasskey(person)
    const asked = await Promise.all([firstStep(t, person.user.email), firstStep(t, person.user.email)])
    const replies = await Promise.all(
      asked.map(({ challenge }) => secondStep(t, { challenge, assertion: passkey.assert(challenge, { counter: 7 }) })),
    )
    expect(tally(replies)).toEqual({ 200: 1, 401: 1 })
  })

  test('an authenticator without a counter is accepted every time', async () => {
    const person = await t.signUp('TESTER')
    const passkey = newAuthenticator()
    const { challenge } = (await begin(person)).body
    const attestation = passkey.attest(challenge, { counter: 0 })
    await person.call('POST', '/users/me/passkeys', { challenge, name: 'Synced', attestation })
    for (let time = 0; time < 2; time++) {
      expect((await signIn(person, asked => passkey.assert(asked, { counter: 0 }))).status).toBe(200)
    }
  })
})

describe('one’s own passkey', () => {
  test('can be renamed and removed, but nobody else’s', async () => {
    const [person, stranger] = [await t.signUp('TESTER'), await t.signUp('TESTER')]
    const { id } = await addPasskey(person)
    await addPasskey(person)
    const rename = (who: Person) => who.call<PasskeyInfo>('PATCH', `/users/me/passkeys/${id}`, { name: 'Blue key' })
    expect((await rename(stranger)).status).toBe(404)
    expect((await rename(person)).body.name).toBe('Blue key')
    await addPasskey(stranger)
    expect((await stranger.call('DELETE', `/users/me/passkeys/${id}`)).status).toBe(404)
    expect((await person.call('DELETE', `/users/me/passkeys/${id}`)).status).toBe(204)
    expect((await listOf(person)).map(({ name }) => name)).toEqual(['Phone'])
  })

  test('no longer signs in once it is removed', async () => {
    const person = await t.signUp('TESTER')
    const { passkey, id } = await addPasskey(person)
    await addPasskey(person)
    await person.call('DELETE', `/users/me/passkeys/${id}`)
    expect((await signIn(person, challenge => passkey.assert(challenge))).status).toBe(401)
  })
})
