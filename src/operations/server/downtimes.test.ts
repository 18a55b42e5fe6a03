/** What an admin and Prometheus see of times in which the product did not run. */
import { expect, test } from 'vitest'
import { joinedBy, liveCampaign } from '../../testing/app.ts'
import { downFor } from '../../testing/downtimes.ts'
import { signedUp, testApp } from '../../testing/prologue.ts'
import { transact } from '../../kit/server/db.ts'
import { endPause, pauseJobs } from '../../kit/server/pauses.ts'
import type { Operations } from '../contract.ts'

const t = testApp()
const admin = signedUp(t, 'ADMIN')
const developer = signedUp(t, 'DEVELOPER')
const tester = signedUp(t, 'TESTER')

const downtimes = async () => (await admin.call<Operations>('GET', '/admin/operations')).body.downtimes
const gauge = async (name: string) => {
  const { payload } = await t.app.inject({ method: 'GET', url: '/metrics' })
  return Number(new RegExp(`^fieldtest_${name} (.*)$`, 'm').exec(payload)![1])
}

test('each downtime shows its start, end and reason, and how many deadlines it has moved', async () => {
  expect(await downtimes()).toEqual([])
  const { id } = await liveCampaign(developer, admin)
  await joinedBy(tester, id)
  await downFor(10)
  expect(await downtimes()).toMatchObject([{ cause: 'DOWN', by: null, note: null, moved: 0, settled: false }])
  await t.advance(1)
  expect(await downtimes()).toMatchObject([{ cause: 'DOWN', moved: 1, settled: true }])
  const { id: by } = admin.user
  await transact(tx => pauseJobs(tx, { reason: 'ADMIN', note: 'The bank is closed.', by }))
  await t.advance(5)
  const paused = { cause: 'PAUSED', by: admin.user.name, note: 'The bank is closed.' }
  expect(await downtimes()).toMatchObject([{ ...paused, to: null, moved: 0, settled: false }, { cause: 'DOWN' }])
  await transact(tx => endPause(tx, { reason: 'ADMIN', by }))
  await t.advance(0)
  expect(await downtimes()).toMatchObject([
    { ...paused, moved: 1, settled: true },
    { cause: 'DOWN', moved: 1 },
  ])
})

test('a restored copy was down from its last heartbeat to its start', async () => {
  await transact(tx => pauseJobs(tx, { reason: 'RESTORED', note: 'Restored from a backup.' }))
  await downFor(20)
  await transact(tx => endPause(tx, { reason: 'RESTORED', by: null }))
  await t.advance(0)
  expect(await downtimes()).toMatchObject([
    { cause: 'RESTORED', settled: true },
    { cause: 'PAUSED', by: null, note: 'Restored from a backup.', settled: true },
    { cause: 'PAUSED' },
    { cause: 'DOWN' },
  ])
})

test('Prometheus gets how long the product did not run, and deadlines that wait to be moved', async () => {
  await t.look('delete from downtimes')
  await downFor(2)
  expect(Math.round((await gauge('downtime_30d_seconds')) / 60)).toBe(120)
  await t.look(`update downtimes set ended_at = ended_at - interval '20 minutes'`)
  expect(await gauge('downtime_unsettled_seconds')).toBeGreaterThan(1200)
  await t.advance(0)
  expect([await gauge('downtime_unsettled_seconds'), await gauge('heartbeat_age_seconds')]).toEqual([0, 0])
})
