/**
 * Every POST either takes an Idempotency-Key or is listed here with the reason why it needs none (decision 012). Each new
 * endpoint needs this decision.
 */
import { expect, test } from 'vitest'
import { z } from 'zod'
import { everyStep } from '../../testing/walk.ts'

/** Why a repeated request without a key does no harm. */
type Reason =
  /**
   * The answer contains a token or a secret, so it is never stored: a repeat is carried out again, or refused with a sentence.
   */
  | 'SECRET'
  /** The answer contains Play addresses, so it is never stored: a repeat is carried out again, and recorded again. */
  | 'ADDRESSES'
  /** Moves something from one state to another: a repeat finds it there and changes nothing (409, or the same answer). */
  | 'STATE'
  /** Sets a state: a repeat sets the same one and gets the same answer. */
  | 'SAME_AGAIN'
  /** Anybody may call it, so a key would belong to nobody. A repeat gets the same answer and creates nothing. */
  | 'NOBODYS'
  /** Nobody sees what it creates until another call uses it; leftovers are deleted after a day. */
  | 'LEFT_OVER'

const withoutKey: Record<string, Reason> = {
  'accounts.register': 'SECRET',
  'accounts.login': 'SECRET',
  'accounts.refresh': 'SECRET',
  'accounts.resetPassword': 'SECRET',
  'accounts.verifyEmail': 'SECRET',
  'accounts.logout': 'STATE',
  'accounts.changePassword': 'STATE',
  'accounts.forgotPassword': 'NOBODYS',
  'accounts.undoEmailChange': 'STATE',
  'accounts.sendConfirmation': 'STATE',
  'accounts.confirmEmail': 'STATE',
  'accounts.changeEmail': 'SAME_AGAIN',
  'secondFactor.secondFactor': 'SECRET',
  'secondFactor.stepUp': 'STATE',
  'secondFactor.beginTotp': 'SECRET',
  'secondFactor.confirmTotp': 'SECRET',
  'secondFactor.renewRecoveryCodes': 'SECRET',
  'secondFactor.beginPasskey': 'SECRET',
  'secondFactor.addPasskey': 'SECRET',
  'people.ban': 'STATE',
  'people.unban': 'STATE',
  'notifications.read': 'STATE',
  'notifications.unsubscribe': 'SAME_AGAIN',
  'attachments.upload': 'LEFT_OVER',
  'campaigns.submit': 'STATE',
  'campaigns.start': 'STATE',
  'campaigns.pause': 'STATE',
  'campaigns.approve': 'STATE',
  'campaigns.reject': 'STATE',
  'campaigns.approveLink': 'STATE',
  'campaigns.rejectLink': 'STATE',
  'ledger.onboard': 'SECRET',
  'nda.export': 'SAME_AGAIN',
  'participations.openLink': 'ADDRESSES',
  'testerLists.export': 'ADDRESSES',
  'settings.confirmLimit': 'STATE',
  'settings.refuseLimit': 'STATE',
  'testerLists.confirm': 'STATE',
  'testerLists.applied': 'SAME_AGAIN',
  'operations.runChecks': 'SAME_AGAIN',
  'operations.pauseJobs': 'SAME_AGAIN',
  'operations.letWithdrawalsGoOn': 'STATE',
  'operations.resumeJobs': 'SAME_AGAIN',
  'fraud.resolve': 'STATE',
  'fraud.dismiss': 'STATE',
  'fraud.scan': 'SAME_AGAIN',
  'landing.joinWaitlist': 'NOBODYS',
}

const posts = everyStep.filter(({ endpoint }) => endpoint.method === 'POST')

test('every POST takes an Idempotency-Key, or has a reason to take none', () => {
  const keyless = posts.filter(({ endpoint }) => !endpoint.idempotent).map(({ name }) => name)
  expect(keyless.toSorted()).toEqual(Object.keys(withoutKey).toSorted())
  expect(posts.length).toBeGreaterThan(60)
})

test('an endpoint with a key is a POST, and its caller is signed in', () => {
  const keyed = everyStep.filter(({ endpoint }) => endpoint.idempotent)
  expect(keyed.filter(({ endpoint }) => endpoint.access === 'PUBLIC' || endpoint.method !== 'POST')).toEqual([])
})

const secrets = /^(accessToken|refreshToken|playEmail|secret|recoveryCodes|challenge)$/

/** The names of all fields of an answer, at any depth. */
const fieldsOf = (schema: unknown): string[] => {
  if (typeof schema !== 'object' || schema === null) return []
  return Object.entries(schema).flatMap(([key, value]) =>
    key === 'properties' ? [...Object.keys(value as object), ...fieldsOf(value)] : fieldsOf(value),
  )
}

test('no answer that is stored under a key has a field for a token, a secret or a Play address', () => {
  const kept = posts.filter(({ endpoint }) => endpoint.idempotent)
  const leaking = kept.filter(({ endpoint: { reply, file } }) => {
    const fields = reply ? fieldsOf(z.toJSONSchema(reply, { io: 'output', unrepresentable: 'any' })) : []
    return file !== undefined || fields.some(field => secrets.test(field))
  })
  expect(leaking.map(({ name }) => name)).toEqual([])
  // Proves that the search finds such fields.
  const shown = posts.filter(({ endpoint: { reply } }) =>
    reply
      ? fieldsOf(z.toJSONSchema(reply, { io: 'output', unrepresentable: 'any' })).some(f => secrets.test(f))
      : false,
  )
  expect(shown.map(({ name }) => name)).toContain('participations.openLink')
  expect(shown.map(({ name }) => name)).toContain('accounts.login')
})
