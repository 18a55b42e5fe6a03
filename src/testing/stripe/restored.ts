/** A copy of an installation with Stripe, restored while the original continued. */
import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { inject } from 'vitest'
import type { Withdrawal } from '../../ledger/contract.ts'
import { compareWithProvider } from '../../ledger/server/books.ts'
import { stripeOrThrow } from '../../ledger/server/stripe/client.ts'
import { stripeHistory } from '../../ledger/server/stripe/history.ts'
import type { Person } from '../app.ts'
import { urlOf } from '../databases.ts'
import { startStripeApp, type StripeApp } from './app.ts'

/** The settings of the original and its copy. */
export const env = { ENCRYPTION_KEY: randomBytes(32).toString('base64'), JWT_SECRET: 'x'.repeat(40) }

export const on = async (connectionString: string, statement: string) => {
  const client = new pg.Client({ connectionString })
  await client.connect()
  await client.query(statement)
  await client.end()
}

/** Can be taken only while nobody is connected. */
export const copyOf = async (url: string): Promise<string> => {
  const name = `restored_${randomBytes(6).toString('hex')}`
  await on(inject('serverUrl'), `create database ${name} template ${new URL(url).pathname.slice(1)}`)
  return urlOf(inject('serverUrl'), name)
}
export const startOn = (t: StripeApp, url: string) =>
  startStripeApp({}, { fake: t.fake, env, via: () => Promise.resolve(url) })

/** As a restore leaves it, days later, when Stripe has forgotten the original's keys. */
export const restored = async (t: StripeApp, url: string): Promise<StripeApp> => {
  const pause = `insert into job_pauses (id, reason, note, paused_at) values (gen_random_uuid(), 'RESTORED', 'Restored', now())`
  await on(url, pause)
  const copy = await startOn(t, url)
  await copy.advance(72)
  return copy
}

export const history = () => stripeHistory(stripeOrThrow())

/** How the jobs of a copy resume. */
export const how = () => ({ history: history(), acceptDifferences: false, sendOldEmails: false, emailQueues: [] })

export const offCents = async () => (await compareWithProvider({ inFull: true })).offCents
export const withdraw = async (tester: Person, amountCents: number) =>
  (await tester.call<Withdrawal>('POST', '/testers/withdraw', { amountCents })).body.id
export const cancel = (developer: Person, id: string) => developer.call('POST', `/campaigns/${id}/cancel`)
