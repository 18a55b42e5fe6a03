/** Jobs exist exactly when their cause does, and are tried until they succeed. */
import { afterEach, beforeAll, expect, test } from 'vitest'
import { testApp } from '../../testing/prologue.ts'
import { transact } from './db.ts'
import { bringJobsForward, enqueue, type Job, runDueJobs, runScheduledJobs, startJobs, stopJobs } from './jobs.ts'

const t = testApp()
let ran: string[] = []
/** How often `flaky` fails before it succeeds. */
let failures = 0
const errors: unknown[] = []

const write: Job<{ text: string }> = {
  name: 'test.write',
  run: async ({ text }) => {
    ran.push(text)
  },
}
const flaky: Job<{ text: string }> = {
  name: 'test.flaky',
  run: async ({ text }) => {
    ran.push(text)
    if (failures-- > 0) throw new Error('not yet')
  },
}
const first: Job<{ text: string }> = {
  name: 'test.first',
  run: async ({ text }) => {
    ran.push(text)
    await transact(tx => enqueue(tx, write, { text: `${text}, then the next` }))
  },
}
const nightly: Job<object> = { name: 'test.nightly', cron: '0 3 * * *', run: async () => void ran.push('nightly') }

const start = () => startJobs([write, flaky, first, nightly], { work: false, onError: error => errors.push(error) })

beforeAll(async () => {
  await stopJobs()
  await start()
})
afterEach(async () => {
  ran = []
  failures = 0
})

const waiting = async () =>
  (
    await t.look<{ name: string }>(
      "select name from pgboss.job where state in ('created', 'retry') and name like 'test.%'",
    )
  ).length

test('a job of a committed transaction runs once', async () => {
  await transact(tx => enqueue(tx, write, { text: 'hello' }))
  await runDueJobs()
  await runDueJobs()
  expect(ran).toEqual(['hello'])
})

test('a job of a transaction that was rolled back does not exist', async () => {
  const undone = transact(async tx => {
    await enqueue(tx, write, { text: 'never' })
    throw new Error('undone')
  })
  await expect(undone).rejects.toThrow('undone')
  expect(await waiting()).toBe(0)
  await runDueJobs()
  expect(ran).toEqual([])
})

test('of a transaction that was tried again only the last try’s job exists', async () => {
  let tries = 0
  await transact(async tx => {
    await enqueue(tx, write, { text: `try ${++tries}` })
    if (tries === 1) await tx.raw("do $$ begin raise exception 'x' using errcode = '40001'; end $$")
  })
  await runDueJobs()
  expect(ran).toEqual(['try 2'])
})

test('a failing job is tried again later, and then done', async () => {
  failures = 2
  await transact(tx => enqueue(tx, flaky, { text: 'again' }))
  await runDueJobs()
  // It waits before the next try: a provider that is down is not hammered.
  await runDueJobs()
  expect(ran).toEqual(['again'])
  for (let hour = 0; hour < 3; hour++) {
    await bringJobsForward(1)
    await runDueJobs()
  }
  expect(ran).toEqual(['again', 'again', 'again'])
  expect(await waiting()).toBe(0)
})

test('a job that never succeeds is given up after 16 more tries and stays to be looked at', async () => {
  failures = 1000
  await transact(tx => enqueue(tx, flaky, { text: 'hopeless' }))
  for (let day = 0; day < 30; day++) {
    await bringJobsForward(24)
    await runDueJobs()
  }
  expect(ran).toHaveLength(17)
  expect(
    await t.look("select state::text from pgboss.job where name = 'test.flaky' and state = 'failed'"),
  ).toHaveLength(1)
})

test('one failing job does not keep the others of its kind from running', async () => {
  failures = 1
  await transact(async tx => {
    await enqueue(tx, flaky, { text: 'fails' })
    await enqueue(tx, flaky, { text: 'works' })
  })
  await runDueJobs()
  expect(ran.toSorted()).toEqual(['fails', 'works'])
  expect(await waiting()).toBe(1)
  await bringJobsForward(24)
  await runDueJobs()
})

test('a job that waits for a time runs when the clock gets there, and not before', async () => {
  await transact(tx => enqueue(tx, write, { text: 'tomorrow' }, { afterSeconds: 24 * 3600 }))
  await runDueJobs()
  await bringJobsForward(23)
  await runDueJobs()
  expect(ran).toEqual([])
  await bringJobsForward(1)
  await runDueJobs()
  expect(ran).toEqual(['tomorrow'])
})

test('what a job enqueues runs in the same round', async () => {
  await transact(tx => enqueue(tx, first, { text: 'first' }))
  await runDueJobs()
  expect(ran).toEqual(['first', 'first, then the next'])
})

test('jobs that wait survive a restart', async () => {
  await transact(tx => enqueue(tx, write, { text: 'kept' }))
  await stopJobs()
  await start()
  await runDueJobs()
  expect(ran).toEqual(['kept'])
})

test('two that take jobs at once never take the same one', async () => {
  const wanted = Array.from({ length: 120 }, (_, index) => `job ${index}`)
  await transact(async tx => {
    for (const text of wanted) await enqueue(tx, write, { text })
  })
  await Promise.all([runDueJobs(), runDueJobs(), runDueJobs()])
  expect(ran.toSorted()).toEqual(wanted.toSorted())
})

test('scheduled jobs run once when they are asked to', async () => {
  await runScheduledJobs()
  expect(ran).toEqual(['nightly'])
})

test('nothing went wrong behind the scenes', () => {
  expect(errors).toEqual([])
})
