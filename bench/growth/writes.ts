/**
 * The writes of the product, each on objects of its own: a campaign from the draft to its end, with testers who have no test yet.
 * They leave a few campaigns behind; of the seeded rows, only two reports change, which are decided. Archiving all reports
 * (`fraud.clear`) is left out, because its cost depends only on how many there are.
 */
import { randomUUID } from 'node:crypto'
import type pg from 'pg'
import type { Method } from '../../src/kit/endpoint.ts'
import { median } from '../place.ts'
import { castOf, type Member } from './cast.ts'
import { type Measured, measured } from './measured.ts'
import type { Caller, Product } from './product.ts'

const device = { platform: 'android', osVersion: '14', model: 'Pixel 8', manufacturer: 'Google' }
const proof = 'I wrote a note on each of the days and found that the search forgets what was typed.'

type Body = { id: string; totalCostCents: number; outstandingCents: number }

type Act = <T = Body>(name: string, caller: Caller | null, method: Method, path: string, body?: unknown) => Promise<T>

/** Makes calls and records what each cost. A refusal is an error in the measurement. */
const actor = (product: Product, results: Map<string, Measured[]>, who: string): Act =>
  (async (name: string, caller: Caller | null, method: Method, path: string, body?: unknown) => {
    const heard = await product.call(caller, method, path, body)
    if (heard.status >= 400) throw new Error(`${name}: ${heard.status} ${JSON.stringify(heard.body).slice(0, 300)}`)
    const list = results.get(name) ?? []
    list.push({ ...measured(heard), call: name, who })
    results.set(name, list)
    return heard.body
  }) as Act

const draft = (seats: number, more: object = {}) => ({
  title: 'Growth of the tables',
  description: 'Use the app each day, and tell us what is in the way.',
  platform: 'android',
  distributionLink: 'https://play.google.com/apps/testing/com.example.growth',
  testersRequired: seats,
  payPerTesterCents: 1000,
  durationDays: 1,
  ...more,
})

const started = async (act: Act, developer: Member, admin: Member, terms: object): Promise<string> => {
  const { id, totalCostCents } = await act('campaigns.create', developer, 'POST', '/campaigns', terms)
  await act('campaigns.update', developer, 'PATCH', `/campaigns/${id}`, { description: 'Use the app twice a day.' })
  await act('campaigns.fund', developer, 'POST', `/campaigns/${id}/fund`, { amountCents: totalCostCents })
  await act('campaigns.approve', admin, 'POST', `/admin/campaigns/${id}/approve`)
  await act('campaigns.start', developer, 'POST', `/campaigns/${id}/start`)
  return id
}

type Joined = { tester: Caller; id: string }

const joinedBy = async (act: Act, campaign: string, testers: readonly Caller[], more: object = {}) => {
  const joined: Joined[] = []
  for (const tester of testers) {
    const path = `/testers/campaigns/${campaign}/join`
    const { id } = await act('participations.join', tester, 'POST', path, { deviceInfo: device, ...more })
    joined.push({ tester, id })
  }
  return joined
}

/** Makes the days pass for these tests, without moving the product's clock. */
const afterTheDays = (db: pg.Client, tests: readonly Joined[]) =>
  db.query(`update participations set proof_allowed_at = now() - interval '1 minute' where id = any ($1)`, [
    tests.map(({ id }) => id),
  ])

const review = async (act: Act, db: pg.Client, developer: Member, admin: Member, testers: readonly Caller[]) => {
  const id = await started(act, developer, admin, draft(8))
  await act('campaigns.pause', developer, 'POST', `/campaigns/${id}/pause`)
  await act('campaigns.start', developer, 'POST', `/campaigns/${id}/start`)
  const tests = await joinedBy(act, id, testers.slice(0, 6))
  const path = (test: Joined, action: string) => `/testers/campaign-testers/${test.id}/${action}`
  for (const test of tests) {
    await act('participations.checkIn', test.tester, 'POST', path(test, 'check-ins'), { minutes: 5 })
  }
  const [first, second, third, fourth, fifth, sixth] = tests as [Joined, Joined, Joined, Joined, Joined, Joined]
  await act('participations.leave', sixth.tester, 'POST', path(sixth, 'leave'))
  await afterTheDays(db, tests)
  for (const test of [first, second, third, fourth, fifth]) {
    await act('participations.submitProof', test.tester, 'POST', path(test, 'proof'), { proof: `${proof} ${test.id}` })
  }
  const decide = (test: Joined, action: string) => `/campaign-testers/${test.id}/${action}`
  for (const test of [first, second]) await act('participations.verify', developer, 'POST', decide(test, 'verify'))
  const rest = { ids: [third.id] }
  await act('participations.verifyAll', developer, 'POST', '/campaign-testers/verify-all', rest)
  await act('participations.requestChanges', developer, 'POST', decide(fourth, 'request-changes'), {
    note: 'Please add more.',
  })
  await act('participations.reject', developer, 'POST', decide(fifth, 'reject'), {
    code: 'OTHER',
    reason: 'Of another app than ours, with other screens.',
  })
  await act('ledger.withdraw', first.tester, 'POST', '/testers/withdraw', { amountCents: 1000 })
  await act('campaigns.closeSeat', developer, 'POST', `/campaigns/${id}/close-seat`)
  await act('campaigns.cancel', developer, 'POST', `/campaigns/${id}/cancel`)
}

const closedTest = async (act: Act, developer: Member, admin: Member, testers: readonly Caller[]) => {
  const id = await started(act, developer, admin, draft(2, { accessMode: 'EMAIL_LIST', durationDays: 14 }))
  const address = (place: number) => ({ playEmail: `growth.${place}@example.test`, consent: true })
  const [test] = await joinedBy(act, id, testers.slice(0, 1), address(1))
  await joinedBy(act, id, testers.slice(1, 2), address(2))
  await act('testerLists.export', developer, 'POST', `/campaigns/${id}/tester-list/export?form=play`)
  await act('testerLists.confirm', developer, 'POST', `/campaigns/${id}/tester-list/confirm`)
  const own = `/testers/campaign-testers/${test!.id}`
  await act('participations.openLink', test!.tester, 'POST', `${own}/open-link`)
  await act('participations.optIn', test!.tester, 'POST', `${own}/opt-in`, {})
  await act(
    'continuity.recordPlayCount',
    developer,
    'PUT',
    `/campaigns/${id}/play-counts/${new Date().toISOString().slice(0, 10)}`,
    { count: 2 },
  )
  await act('participations.contestOptIn', developer, 'POST', `/campaign-testers/${test!.id}/contest-opt-in`, {
    reason: 'Play Console shows one fewer.',
  })
  await act('participations.decideOptIn', admin, 'POST', `/admin/campaign-testers/${test!.id}/decide-opt-in`, {
    decision: 'CLEAR',
    note: 'It is there.',
  })
  await act('participations.optOut', test!.tester, 'POST', `${own}/opt-out`)
  const waits = testers[2]!
  await act('participations.join (bench)', waits, 'POST', `/testers/campaigns/${id}/join`, {
    deviceInfo: device,
    waitlist: true,
    ...address(3),
  })
  await act('campaigns.cancel', admin, 'POST', `/campaigns/${id}/cancel`)
}

const fullHouse = async (act: Act, developer: Member, admin: Member, testers: readonly Caller[]) => {
  const id = await started(act, developer, admin, draft(100, { durationDays: 14 }))
  await joinedBy(act, id, testers)
  await act('campaigns.cancel, 100 testers', developer, 'POST', `/campaigns/${id}/cancel`)
}

const byAdmins = async (act: Act, db: pg.Client, admin: Member, testers: readonly Caller[]) => {
  const { id } = testers.at(-1)!
  await act('people.message', admin, 'POST', `/admin/users/${id}/message`, { subject: 'Hello', message: 'A word.' })
  await act('people.ban', admin, 'POST', `/admin/users/${id}/ban`, { reason: 'Several accounts on one device.' })
  await act('people.unban', admin, 'POST', `/admin/users/${id}/unban`, { reason: 'It was a family.' })
  const { rows } = await db.query<{ id: string }>(
    `select id from fraud_reports where status = 'OPEN' order by id desc limit 2`,
  )
  await act('fraud.resolve', admin, 'POST', `/admin/fraud-reports/${rows[0]!.id}/resolve`, {
    resolution: 'Talked to them.',
  })
  await act('fraud.dismiss', admin, 'POST', `/admin/fraud-reports/${rows[1]!.id}/dismiss`, { reason: 'A family.' })
  await act('fraud.generateSamples', admin, 'POST', '/admin/fraud-reports/generate-samples')
  await act('settings.changeSettings', admin, 'PATCH', '/admin/settings', { reviewHours: 72 })
}

const byAnybody = async (act: Act, tester: Caller) => {
  await act('accounts.updateMe', tester, 'PATCH', '/users/me', { name: 'Somebody Else' })
  await act('notifications.read', tester, 'POST', '/users/me/notifications/read', {})
  const email = `growth-${randomUUID()}@example.test`
  await act('landing.joinWaitlist', null, 'POST', '/waitlist', { email, country: 'DE', role: 'tester' })
  const password = 'correct horse battery staple'
  await act('accounts.register', null, 'POST', '/auth/register', {
    email,
    password,
    name: 'Growth',
    role: 'TESTER',
    country: 'DE',
  })
  await act('accounts.login', null, 'POST', '/auth/login', { email, password })
}

export const measureWrites = async (
  product: Product,
  db: pg.Client,
  say: (line: string) => void,
): Promise<Measured[]> => {
  const cast = await castOf(db)
  const named = (name: string) => cast.find(member => member.name === name)!
  const admin = named('admin')
  const { rows } = await db.query<{
    id: string
  }>(`select u.id from users u where role = 'TESTER' and suspended_at is null
    and not exists (select from participations where tester_id = u.id)
    and not exists (select from bench_entries where tester_id = u.id) order by id desc limit 130`)
  const testers = rows.map(({ id }): Caller => ({ name: 'new tester', role: 'TESTER', id }))
  const all: Measured[] = []
  for (const developer of [named('busy developer'), named('small developer')]) {
    const results = new Map<string, Measured[]>()
    const act = actor(product, results, developer.name)
    const some = testers.splice(0, 10)
    for (const [name, work] of Object.entries({
      review: () => review(act, db, developer, admin, some),
      closedTest: () => closedTest(act, developer, admin, some.slice(6)),
      fullHouse: () =>
        developer.name === 'busy developer'
          ? fullHouse(act, developer, admin, testers.splice(0, 100))
          : Promise.resolve(),
      byAdmins: () => byAdmins(act, db, admin, testers),
      byAnybody: () => byAnybody(act, some[0]!),
    })) {
      await work().catch((error: unknown) =>
        say(`not measured to its end: ${name}, ${developer.name}: ${String(error)}`),
      )
    }
    for (const list of results.values()) {
      all.push({
        ...list.at(-1)!,
        ms: median(list.map(({ ms }) => ms)),
        buffers: median(list.map(({ buffers }) => buffers)),
      })
    }
  }
  return all
}
