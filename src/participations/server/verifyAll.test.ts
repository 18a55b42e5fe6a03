/** Verifying many proofs with one call: each verified or refused on its own, paid once, and finished after a crash. */
import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { prepareCrashes } from '../../testing/crashes.ts'
import { daysAndProof, joinedBy, liveCampaign, type Person } from '../../testing/app.ts'
import { brokenChecks, inParallel, tally } from '../../testing/observed.ts'
import { allSignedUp, signedUp, testApp } from '../../testing/prologue.ts'
import type { Balance } from '../../ledger/contract.ts'
import type { CampaignTester, VerifyResult } from '../contract.ts'
import { maxVerifiedAtOnce } from '../terms.ts'

const t = testApp()
const developer = signedUp(t, 'DEVELOPER')
const otherDeveloper = signedUp(t, 'DEVELOPER')
const admin = signedUp(t, 'ADMIN')
const testers = allSignedUp(t, 'TESTER', 3)

type Answer = { results: VerifyResult[]; fields?: Record<string, string> }
const verifyAll = (person: Person, ids: readonly string[], key?: string) =>
  person.call<Answer>('POST', '/campaign-testers/verify-all', { ids }, key)

const balances = () =>
  Promise.all(testers.map(async person => (await person.call<Balance>('GET', '/testers/balance')).body.balanceCents))

/** A campaign of one day with a seat for each tester, and their proofs but for those of the last `missing`. */
const submitted = async ({ missing = 0 } = {}) => {
  const campaign = await liveCampaign(developer, admin, { testersRequired: testers.length, durationDays: 1 })
  const ids: string[] = []
  for (const person of testers) ids.push((await joinedBy(person, campaign.id)).id)
  const proving = testers.slice(0, testers.length - missing)
  await daysAndProof(
    t,
    proving.map((person, at) => ({ person, participationId: ids[at]! })),
    1,
  )
  const statuses = async () =>
    (await developer.call<CampaignTester[]>('GET', `/campaigns/${campaign.id}/testers`)).body.map(
      ({ status }) => status,
    )
  return { ids, statuses }
}

const verified = (id: string) => ({ id, status: 'VERIFIED', message: null })

test('each is verified or refused with its reason, in the order named, and one refusal stops no other', async () => {
  const { ids, statuses } = await submitted({ missing: 1 })
  const before = await balances()
  const unknown = randomUUID()
  const { status, body } = await verifyAll(developer, [ids[2]!, ids[0]!, unknown, ids[1]!, ids[0]!])
  expect({ status, body }).toEqual({
    status: 200,
    body: {
      results: [
        { id: ids[2], status: 'REFUSED', message: 'This test is active, so you cannot verify it.' },
        verified(ids[0]!),
        { id: unknown, status: 'REFUSED', message: 'Test not found.' },
        verified(ids[1]!),
      ],
    },
  })
  expect(await statuses()).toEqual(['VERIFIED', 'VERIFIED', 'ACTIVE'])
  expect(await balances()).toEqual([before[0]! + 1000, before[1]! + 1000, before[2]])
  expect((await verifyAll(developer, [ids[0]!])).body.results).toEqual([
    { id: ids[0], status: 'REFUSED', message: 'This test is verified, so you cannot verify it.' },
  ])
})

test('another developer’s tests are refused in the words of tests that do not exist; admins and testers do not call it', async () => {
  const { ids, statuses } = await submitted()
  const unknown = randomUUID()
  const { results } = (await verifyAll(otherDeveloper, [ids[0]!, unknown])).body
  expect(results).toEqual([ids[0], unknown].map(id => ({ id, status: 'REFUSED', message: 'Test not found.' })))
  for (const person of [admin, testers[0]!]) expect((await verifyAll(person, ids)).status).toBe(403)
  expect(await statuses()).toEqual(['SUBMITTED', 'SUBMITTED', 'SUBMITTED'])
})

test(`from 1 to ${maxVerifiedAtOnce} tests are named`, async () => {
  const many = Array.from({ length: maxVerifiedAtOnce }, () => randomUUID())
  for (const wrong of [[], [...many, randomUUID()]]) {
    const { status, body } = await verifyAll(developer, wrong)
    expect({ status, fields: Object.keys(body.fields ?? {}) }).toEqual({ status: 400, fields: ['ids'] })
  }
  const { status, body } = await verifyAll(developer, many)
  expect([status, body.results.length]).toEqual([200, maxVerifiedAtOnce])
})

test('the same key, even five times at once, pays once and answers the same; other tests under it are 422', async () => {
  const { ids } = await submitted()
  const before = await balances()
  const key = randomUUID()
  const replies = await inParallel(5, () => verifyAll(developer, ids, key))
  for (const { status, body } of replies)
    expect({ status, body }).toEqual({ status: 200, body: { results: ids.map(verified) } })
  expect(await balances()).toEqual(before.map(cents => cents + 1000))
  expect((await verifyAll(developer, [ids[0]!], key)).status).toBe(422)
  expect((await verifyAll(developer, ids)).body.results.map(({ status }) => status)).toEqual(ids.map(() => 'REFUSED'))
})

test('after a crash in the middle the same key verifies the rest, and pays nobody twice', async () => {
  const { ids, statuses } = await submitted()
  const before = await balances()
  const key = randomUUID()
  const crashes = await prepareCrashes(t)
  const lock = 'select from participations where id = $1'
  const died = await crashes.crashAt(lock, [ids[1]], () => verifyAll(developer, ids, key))
  await crashes.stop()
  expect(died.status).toBe(503)
  expect(await statuses()).toEqual(['VERIFIED', 'SUBMITTED', 'SUBMITTED'])
  expect((await verifyAll(developer, ids, key)).body.results).toEqual(ids.map(verified))
  expect(await balances()).toEqual(before.map(cents => cents + 1000))
})

test('racing single reviews of the same proofs, each is decided once', async () => {
  const { ids, statuses } = await submitted()
  const before = await balances()
  const [all, ...single] = await Promise.all([
    verifyAll(developer, ids),
    ...ids.map(id => developer.call('POST', `/campaign-testers/${id}/verify`)),
  ])
  const { 200: won = 0, 409: lost = 0 } = tally(single)
  const byAll = all.body.results.filter(({ status }) => status === 'VERIFIED').length
  expect([won + byAll, won + lost]).toEqual([ids.length, ids.length])
  expect(await statuses()).toEqual(['VERIFIED', 'VERIFIED', 'VERIFIED'])
  expect(await balances()).toEqual(before.map(cents => cents + 1000))
})

test('the books balance', async () => expect(await brokenChecks()).toEqual([]))
