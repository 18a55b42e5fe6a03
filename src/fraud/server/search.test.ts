import { expect, test } from 'vitest'
import { clock } from '../../kit/clock.ts'
import type { ErrorBody } from '../../kit/errors.ts'
import { signedUp, testApp } from '../../testing/prologue.ts'
import type { FraudReport } from '../contract.ts'

const t = testApp({}, { fresh: true })
const admin = signedUp(t, 'ADMIN', { name: 'Ada Admin' })

const list = async (query = '') =>
  (await admin.call<{ data: FraudReport[]; total: number }>('GET', `/admin/fraud-reports${query}`)).body
const samples = () => admin.call<{ created: number }>('POST', '/admin/fraud-reports/generate-samples')

test('the list filters by severity and status in the database; empty or ALL means no filter', async () => {
  await t.signUp('TESTER')
  await samples()
  expect((await list('?severity=HIGH')).total).toBe(2)
  expect((await list('?severity=HIGH')).data.map(({ eventData }) => eventData.severity)).toEqual(['HIGH', 'HIGH'])
  for (const none of ['', '?severity=', '?severity=ALL', '?status=', '?status=ALL', '?severity=&status=ALL&search=']) {
    expect([none, (await list(none)).total]).toEqual([none, 5])
  }
  const [report] = (await list('?severity=MEDIUM')).data
  await admin.call('POST', `/admin/fraud-reports/${report!.id}/resolve`, { resolution: 'Done.' })
  expect((await list('?status=RESOLVED')).data.map(({ id }) => id)).toEqual([report!.id])
  expect((await list('?severity=MEDIUM&status=OPEN')).total).toBe(0)
  const wrong = await admin.call<ErrorBody>('GET', '/admin/fraud-reports?severity=SEVERE')
  expect(wrong).toMatchObject({ status: 400, body: { fields: { severity: 'Unknown severity' } } })
})

test('a search matches name, email and reason regardless of case, and treats wildcards literally', async () => {
  const { user } = await t.signUp('TESTER', { name: 'Zoë 100%_Sure' })
  await samples()
  for (const words of ['zoë', '100%_s', user.email.slice(0, 6).toUpperCase(), 'SAME PROOF']) {
    expect([words, (await list(`?search=${encodeURIComponent(words)}`)).total > 0]).toEqual([words, true])
  }
  expect((await list('?search=same%20proof')).total).toBe(1)
  for (const words of ['nobody', '100x', '%25%25', '\\']) {
    expect([words, (await list(`?search=${encodeURIComponent(words)}`)).total]).toEqual([words, 0])
  }
})

test('a search matches the sentences of reason and details and the texts in facts, and nothing else', async () => {
  await t.signUp('TESTER', { name: 'Sam' })
  await samples()
  const totals = async (...searches: string[]) =>
    Promise.all(searches.map(async text => [text, (await list(`?search=${encodeURIComponent(text)}`)).total]))
  const expected = {
    'One device': 3,
    'joined campaigns from': 2,
    'case and spaces were': 1,
    'notes FOR android': 2,
    'Weather at a': 1,
    'found no problem': 1,
    '5A3C91F0': 2,
    // Keys, kinds and times of the stored facts, and words from two separate ones.
    SHARED_DEVICE: 0,
    campaignId: 0,
    [clock.now().slice(0, 8)]: 0,
    'Android Weather': 0,
  }
  expect(await totals(...Object.keys(expected))).toEqual(Object.entries(expected))
})

test('sentences are not stored: a report keeps its kind and its facts', async () => {
  await t.signUp('TESTER')
  await samples()
  const stored = JSON.stringify(await t.look('select * from fraud_reports'))
  for (const { eventData } of (await list()).data) {
    expect(stored).not.toContain(eventData.reason)
    expect(stored).not.toContain(eventData.details)
  }
})

test('a report is found by the current name and email of its user, and by one or two letters of them', async () => {
  const person = await t.signUp('TESTER', { name: 'Wanda Qvist' })
  await samples()
  const totals = async (...searches: string[]) =>
    Promise.all(searches.map(async words => (await list(`?search=${encodeURIComponent(words)}`)).total > 0))
  expect(await totals('wanda qvist', 'qv', 'Q')).toEqual([true, true, true])
  expect((await person.call('PATCH', '/users/me', { name: 'Wanda Jönsson' })).status).toBe(200)
  expect(await totals('qvist', 'qv', 'wanda jö', 'jö', 'ö')).toEqual([false, false, true, true, true])
  await person.call('DELETE', '/users/me', { password: 'correct horse' })
  expect(await totals('wanda', 'jö', person.user.email)).toEqual([false, false, false])
})
