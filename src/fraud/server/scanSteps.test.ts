/** A scan goes through the facts in steps: it finds what a single pass would, continues after a crash, and writes in sets. */
import { afterEach, expect, test } from 'vitest'
import { randomUUID } from 'node:crypto'
import { signedUp, testApp } from '../../testing/prologue.ts'
import { recorded } from '../../testing/recorded.ts'
import type { Tx } from '../../kit/server/db.ts'
import type { FraudScan } from '../contract.ts'
import { detectors } from './detectors.ts'
import { runScan } from './scan.ts'
import type { Step } from './steps.queries.ts'

const t = testApp({}, { fresh: true })
signedUp(t, 'ADMIN')

const { 'shared-device': sound } = detectors
afterEach(() => {
  detectors['shared-device'] = sound!
})

/** This many devices with two accounts each, all used within a few moments. */
const shareDevices = (count: number) =>
  t.look(
    `with people as (
      insert into users (id, email, name, role, password_hash, created_at)
        select gen_random_uuid(), 'sharer' || n || '.' || gen_random_uuid() || '@example.test', 'Sharer ' || n, 'TESTER', 'none',
          now() from generate_series(1, $1::int * 2) n returning id, name)
    insert into past_device_uses (device, user_id, first_at, first_seq)
      select 'phone-' || right(name, -7)::int / 2, id, '2026-01-01'::timestamptz + right(name, -7)::int / 3 * interval '1.0001 ms',
        nextval('device_uses_seq') from people`,
    [count],
  )

/** Makes steps of this many facts, records where each began, and fails in the step with the given number. */
const inSteps = (many: number, failingIn = Infinity): string[] => {
  const begun: string[] = []
  detectors['shared-device'] = {
    ...sound!,
    endOf: (tx, from) => sound!.endOf(tx, from, many),
    suspects: (tx, step) => {
      begun.push(step.from)
      return begun.length === failingIn ? Promise.reject(new Error('broken on purpose')) : sound!.suspects(tx, step)
    },
  }
  return begun
}

const scanned = async (id: string = randomUUID()): Promise<Pick<FraudScan, 'state' | 'found'> & { id: string }> => {
  await t.look(
    `insert into fraud_scans (id, state, requested_at) values ($1, 'QUEUED', now())
      on conflict (id) do update set state = 'RUNNING', finished_at = null, found = null`,
    [id],
  )
  await runScan.run({ scanId: id }).catch(() => undefined)
  const [scan] = await t.look<{ state: FraudScan['state']; found: number }>(
    'select state, found from fraud_scans where id = $1',
    [id],
  )
  return { id, ...scan! }
}
const devicesReported = async () =>
  (await t.look<{ key: string }>('select finding_key as key from fraud_reports order by 1')).map(({ key }) => key)

test('steps of one fact find what a single pass over all facts finds, even if facts have the same time', async () => {
  await shareDevices(10)
  const begun = inSteps(1)
  expect(await scanned()).toMatchObject({ state: 'DONE', found: 9 })
  expect(begun.length).toBeGreaterThan(5)
  expect(new Set(await devicesReported()).size).toBe(9)
  expect(await scanned()).toMatchObject({ state: 'DONE', found: 0 })
  await t.look('truncate fraud_finding_parts; delete from fraud_detectors')
  detectors['shared-device'] = sound!
  expect(await scanned()).toMatchObject({ state: 'DONE', found: 9 })
})

test('the next scan continues where one failed, and after that only looks at the last hour', async () => {
  await shareDevices(10)
  const before = inSteps(1, 4)
  const { state, found } = await scanned()
  expect([state, found !== null && found > 0 && found < 9]).toEqual(['FAILED', true])
  const after = inSteps(1)
  expect(await scanned()).toMatchObject({ state: 'DONE', found: 9 - found! })
  expect(after[0]).toBe(before.at(-1))
  const last = inSteps(1)
  await scanned()
  expect(Date.parse(last[0]!)).toBeGreaterThan(Date.now() - 2 * 3600 * 1000)
})

test('a scan whose server died continues where it was, and counts what it had found before', async () => {
  await shareDevices(10)
  inSteps(1, 4)
  const { id } = await scanned()
  const after = inSteps(1)
  expect(await scanned(id)).toMatchObject({ state: 'DONE', found: 9 })
  expect(Date.parse(after[0]!)).toBeGreaterThan(0)
  // Its job may run once more.
  const over = inSteps(1)
  await runScan.run({ scanId: id })
  expect(over).toEqual([])
})

test.each([
  ['in the middle', (_look: Step, steps: number) => steps === 3],
  ['in its last step', ({ until }: Step) => until === 'infinity'],
])('a scan that another one overtakes %s stops there, and leaves everything to the other', async (_when, isThere) => {
  await shareDevices(10)
  const id = randomUUID()
  const begun: string[] = []
  let other: (Awaited<ReturnType<typeof scanned>> & { after: number }) | undefined
  const slow = {
    ...sound!,
    endOf: (tx: Tx, from: string) => sound!.endOf(tx, from, 1),
    suspects: async (tx: Tx, look: Step) => {
      begun.push(look.from)
      if (isThere(look, begun.length)) {
        // It was given up after two hours.
        await t.look(`update fraud_scans set state = 'FAILED', finished_at = now() where id = $1`, [id])
        detectors['shared-device'] = sound!
        other = { ...(await scanned()), after: begun.length }
      }
      return sound!.suspects(tx, look)
    },
  }
  detectors['shared-device'] = slow
  await t.look(`insert into fraud_scans (id, state, requested_at) values ($1, 'QUEUED', now())`, [id])
  await expect(runScan.run({ scanId: id })).rejects.toThrow('detectors failed')
  expect(other).toMatchObject({ state: 'DONE', after: begun.length })
  expect(await devicesReported()).toHaveLength(9)
  expect(await t.look('select state, found from fraud_scans where id = $1', [id])).toEqual([
    { state: 'FAILED', found: null },
  ])
})

test('a hundred findings are written with one statement, just as two are', async () => {
  const writing = async () =>
    (await recorded(() => scanned())).filter(text => text.includes('insert into fraud_finding_parts')).length
  await shareDevices(3)
  expect(await writing()).toBe(1)
  await shareDevices(100)
  await t.look('delete from fraud_detectors')
  expect(await writing()).toBe(1)
  expect((await devicesReported()).length).toBeGreaterThan(90)
})
