/**
 * Compares our verification with jose's on 100,000 changed tokens: whatever we accept, jose accepts, and each token that only
 * jose accepts has one of the reasons below.
 */
import { type CryptoKey, errors, jwtVerify } from 'jose'
import { expect, test } from 'vitest'
import { changedToken, encode, nowMs, previous, secret, sub } from '../../testing/changedTokens.ts'
import { roles } from '../roles.ts'
import { audience, claimsOf, header, issuer, verifyKeyOf } from './accessToken.ts'
import { signAccessToken, useJwtSecret as keepJwtSecret } from './session.ts'

const keys = [verifyKeyOf(secret), verifyKeyOf(previous)]
const everyone = 100_000

const isCanonical = (part: string) => Buffer.from(part, 'base64url').toString('base64url') === part

const bodyOf = (token: string): Record<string, unknown> => {
  try {
    return Object(JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString())) as Record<string, unknown>
  } catch {
    return {}
  }
}

/** Tokens that jose accepts and we refuse on purpose: we sign none like them. */
const stricter: Record<string, (token: string, claims: Record<string, unknown>) => boolean> = {
  'a header that is not ours to the letter': token => !token.startsWith(`${encode(header)}.`),
  'padding, white space, or spare bits that are set': token => !token.split('.').every(isCanonical),
  'more than 1,024 characters': token => token.length > 1024,
  'several audiences': (_token, { aud }) => Array.isArray(aud),
  'a beginning (nbf)': (_token, { nbf }) => nbf !== undefined,
  'fractions of a second, or a year beyond all years': (_token, { iat, exp }) =>
    [iat, exp].some(time => typeof time === 'number' && !Number.isSafeInteger(time)),
  'a byte order mark': token => token.split('.')[1]!.startsWith(encode('\u{feff}')),
}

const reasonsFor = (token: string) => {
  const claims = bodyOf(token)
  return Object.keys(stricter).filter(reason => stricter[reason]!(token, claims))
}

const imported = (key: string): Promise<CryptoKey> =>
  crypto.subtle.importKey('raw', new TextEncoder().encode(key), { name: 'HMAC', hash: 'SHA-256' }, false, ['verify'])

/** The verification as jose did it before ours: the claims that it accepts, with the types that we need, or null. */
const oracle = async () => {
  const both = await Promise.all([secret, previous].map(imported))
  const options = {
    algorithms: ['HS256'],
    typ: header.typ,
    issuer,
    audience,
    currentDate: new Date(nowMs),
    requiredClaims: ['sub', 'iat', 'exp', 'sid', 'role'],
  }
  return async (token: string) => {
    for (const key of both) {
      try {
        const { sub: id, sid, role } = (await jwtVerify(token, key, options)).payload
        const isWhole = typeof id === 'string' && typeof sid === 'string' && roles.some(known => known === role)
        return isWhole ? { sub: id, sid, role } : null
      } catch (error) {
        if (!(error instanceof errors.JWSSignatureVerificationFailed)) return null
      }
    }
    return null
  }
}

test('of 100,000 changed tokens we accept exactly those that jose accepts, apart from those refused on purpose', async () => {
  const accepts = await oracle()
  // jose raises an error for each refusal.
  Error.stackTraceLimit = 0
  const seen = { accepted: 0, refused: 0, stricter: new Map<string, number>() }
  const compare = async (token: string) => {
    const [own, theirs] = [claimsOf(token, keys, nowMs), await accepts(token)]
    const reasons = theirs ? reasonsFor(token) : []
    const expected = reasons.length > 0 ? null : theirs
    if (JSON.stringify(own) !== JSON.stringify(expected))
      throw new Error(JSON.stringify({ token, own, theirs, reasons }))
    seen[own ? 'accepted' : 'refused']++
    for (const reason of reasons) seen.stricter.set(reason, (seen.stricter.get(reason) ?? 0) + 1)
  }
  const atOnce = 1000
  for (let done = 0; done < everyone; done += atOnce) {
    await Promise.all(Array.from({ length: atOnce }, (_, place) => compare(changedToken(place))))
  }
  // Neither outcome is rare, and each reason applied to at least one token that jose accepts.
  expect(seen.accepted).toBeGreaterThan(everyone / 10)
  expect(seen.refused).toBeGreaterThan(everyone / 2)
  expect([...seen.stricter.keys()].toSorted()).toEqual(Object.keys(stricter).toSorted())
}, 180_000)

test('a token that we sign has the header that we verify, and is valid until its last second is over', async () => {
  keepJwtSecret(secret)
  const token = await signAccessToken({ id: sub, role: 'TESTER', sessionId: 'a session' })
  expect(token.split('.')[0]).toBe(encode(header))
  const endS = Number(bodyOf(token)['exp'])
  expect(claimsOf(token, keys, endS * 1000 - 1)).toEqual({ sub, role: 'TESTER', sid: 'a session' })
  expect(claimsOf(token, keys, endS * 1000)).toBeNull()
})
