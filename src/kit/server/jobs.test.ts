/** Jobs exist if and only if their cause does, and are retried until they succeed. */
import { afterEach, beforeAll, expect, test } from 'vitest'
import { testApp } from '../../testing/prologue.ts'
import { transact } from './db.ts'
import { bringJobsForward, runDueJobs, runScheduledJobs } from './dueJobs.ts'
import { forItself } from './jobRuns.ts'
import { enqueue, enqueueMany, type Job, startJobs, stopJobs } from './jobs.ts'
import { allDue, eachDue } from './eachDue.ts'
import { until } from '../../testing/until.ts'

const t = testApp()
let ran: string[] = []
/** How often `flaky` fails before it succeeds. */
let failures = 0
const errors: unknown[] = []

const write: Job<{ text: string }> = {
  name: 'test.write',
  expireMinutes: 1,
  atOnce: 5,
  run: async ({ text }) => {
    ran.push(text)
  },
}
const flaky: Job<{ text: string }> = {
  name: 'test.flaky',
  expireMinutes: 1,
  run: async ({ text }) => {
    ran.push(text)
    if (failures-- > 0) throw new Error('not yet')
  },
}
const first: Job<{ text: string }> = {
  name: 'test.first',
  expireMinutes: 1,
  run: async ({ text }) => {
    ran.push(text)
    await transact(tx => enqueue(tx, write, { text: `${text}, then the next` }))
  },
}
const nightly: Job<object> = {
  name: 'test.nightly',
  expireMinutes: 1,
  cron: '0 3 * * *',
  run: async () => void ran.push('nightly'),
}

const unrepeated: Job<object> = {
  name: 'test.unrepeated',
  expireMinutes: 1,
  retried: false,
  run: async () => {
    ran.push('unrepeated')
    throw new Error('not now')
  },
}

/** What a test has some of the special jobs do. */
const doing = new Map<string, () => Promise<void>>()
const special: Job<{ text: string }> = {
  name: 'test.special',
  expireMinutes: 1,
  atOnce: 5,
  run: async ({ text }) => {
    ran.push(text)
    await doing.get(text)?.()
  },
}

/** What the jobs of a batch ask once. */
let answering = async () => 'an answer'
const asking: Job<{ text: string }> = {
  name: 'test.asking',
  expireMinutes: 1,
  atOnce: 3,
  run: async ({ text }, once = forItself) => void ran.push(`${text}: ${await once(answering)}`),
}

const all = [write, flaky, first, nightly, unrepeated, special, asking]
const start = () => startJobs(all, { work: false, onError: error => errors.push(error) })

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

test('a job from a committed transaction runs once', async () => {
  await transact(tx => enqueue(tx, write, { text: 'hello' }))
  await runDueJobs()
  await runDueJobs()
  expect(ran).toEqual(['hello'])
})

test('a job from a transaction that was rolled back does not exist', async () => {
  const undone = transact(async tx => {
    await enqueue(tx, write, { text: 'never' })
    throw new Error('undone')
  })
  await expect(undone).rejects.toThrow('undone')
  expect(await waiting()).toBe(0)
  await runDueJobs()
  expect(ran).toEqual([])
})

test('after a transaction was retried, only the last try’s job exists', async () => {
  let tries = 0
  await transact(async tx => {
    await enqueue(tx, write, { text: `try ${++tries}` })
    if (tries === 1) await tx.raw("do $$ begin raise exception 'x' using errcode = '40001'; end $$")
  })
  await runDueJobs()
  expect(ran).toEqual(['try 2'])
})

test('a failing job is retried later and then succeeds', async () => {
  failures = 2
  await transact(tx => enqueue(tx, flaky, { text: 'again' }))
  await runDueJobs()
  // It waits before the next try, to spare a provider that is down.
  await runDueJobs()
  expect(ran).toEqual(['again'])
  for (let hour = 0; hour < 3; hour++) {
    await bringJobsForward(1)
    await runDueJobs()
  }
  expect(ran).toEqual(['again', 'again', 'again'])
  expect(await waiting()).toBe(0)
})

test('a job that never succeeds is given up after about two days and kept for inspection', async () => {
  failures = 1000
  await transact(tx => enqueue(tx, flaky, { text: 'hopeless' }))
  let hours = 0
  for (;;) {
    await runDueJobs()
    const [retry] = await t.look<{ inHours: number }>(
      `select extract(epoch from start_after - now())::float8 / 3600 as "inHours" from pgboss.job
        where name = 'test.flaky' and state = 'retry'`,
    )
    if (!retry) break
    hours += retry.inHours
    await bringJobsForward(24)
  }
  expect(ran).toHaveLength(21)
  expect(hours).toBeGreaterThan(44)
  expect(hours).toBeLessThan(52)
  expect(
    await t.look("select state::text from pgboss.job where name = 'test.flaky' and state = 'failed'"),
  ).toHaveLength(1)
})

test('a job whose next run makes up for a failed one is not retried', async () => {
  await transact(tx => enqueue(tx, unrepeated, {}))
  await runDueJobs()
  await bringJobsForward(24)
  await runDueJobs()
  expect(ran).toEqual(['unrepeated'])
})

test('a failing job does not keep other jobs of its kind from running', async () => {
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

test('a job that waits for a time runs at that time, and not before', async () => {
  await transact(tx => enqueue(tx, write, { text: 'tomorrow' }, { afterSeconds: 24 * 3600 }))
  await runDueJobs()
  await bringJobsForward(23)
  await runDueJobs()
  expect(ran).toEqual([])
  await bringJobsForward(1)
  await runDueJobs()
  expect(ran).toEqual(['tomorrow'])
})

test('jobs that a job enqueues run in the same round', async () => {
  await transact(tx => enqueue(tx, first, { text: 'first' }))
  await runDueJobs()
  expect(ran).toEqual(['first', 'first, then the next'])
})

test('waiting jobs survive a restart', async () => {
  await transact(tx => enqueue(tx, write, { text: 'kept' }))
  await stopJobs()
  await start()
  await runDueJobs()
  expect(ran).toEqual(['kept'])
})

test('servers that take jobs at the same time never take the same one', async () => {
  const wanted = Array.from({ length: 120 }, (_, index) => `job ${index}`)
  await transact(async tx => {
    for (const text of wanted) await enqueue(tx, write, { text })
  })
  await Promise.all([runDueJobs(), runDueJobs(), runDueJobs()])
  expect(ran.toSorted()).toEqual(wanted.toSorted())
})

test('scheduled jobs run once on request', async () => {
  await runScheduledJobs()
  expect(ran).toEqual(['nightly'])
})

const stateOf = async (job: { name: string }, text: string) =>
  (
    await t.look<{ state: string }>("select state::text from pgboss.job where name = $1 and data->>'text' = $2", [
      job.name,
      text,
    ])
  )[0]?.state

test('the failure of one job does not repeat others that were taken with it', async () => {
  await stopJobs()
  await start()
  doing.set('fails', async () => {
    doing.delete('fails')
    throw new Error('fails once')
  })
  const others = ['one', 'two', 'three', 'four']
  await transact(async tx => {
    for (const text of ['fails', ...others]) await enqueue(tx, special, { text })
  })
  await stopJobs()
  const failed: unknown[] = []
  await startJobs(all, { work: true, onError: error => failed.push(error) })
  await until(async () => (await stateOf(special, 'fails')) === 'retry')
  await bringJobsForward(1)
  await until(async () => (await stateOf(special, 'fails')) === 'completed')
  await stopJobs()
  await start()
  expect(ran.toSorted()).toEqual([...others, 'fails', 'fails'].toSorted())
  expect(failed).toHaveLength(1)
})

test('a full queue is drained without waiting for the next poll', async () => {
  const texts = Array.from({ length: 23 }, (_, index) => `burst ${index}`)
  await transact(async tx => {
    for (const text of texts) await enqueue(tx, write, { text })
  })
  await stopJobs()
  // The next poll would come long after the test's time.
  await startJobs(all, { work: true, pollSeconds: 3600, onError: error => errors.push(error) })
  await until(async () => (await waiting()) === 0)
  await stopJobs()
  await start()
  expect(ran.toSorted()).toEqual(texts.toSorted())
})

test('a job is recorded as done as soon as it has run, whatever runs beside it', async () => {
  let release = () => {}
  doing.set('slow', () => new Promise(resolve => (release = resolve)))
  await transact(async tx => {
    await enqueue(tx, special, { text: 'slow' })
    await enqueue(tx, special, { text: 'quick' })
  })
  const running = runDueJobs()
  await until(async () => (await stateOf(special, 'quick')) === 'completed')
  expect(await stateOf(special, 'slow')).toBe('active')
  release()
  await running
  expect(await stateOf(special, 'slow')).toBe('completed')
})

const takenByAnother = async (text: string, heartbeat: string) => {
  await transact(tx => enqueue(tx, write, { text }))
  await t.look(
    `update pgboss.job set state = 'active', started_on = now(), heartbeat_on = now() - $2::interval
      where name = 'test.write' and data->>'text' = $1`,
    [text, heartbeat],
  )
}

test('a job that a dead server held is run', async () => {
  await takenByAnother('left behind', '11 seconds')
  await runDueJobs()
  expect(ran).toEqual(['left behind'])
})

test('a job that a dead server held is run although its pause before the retry has begun', async () => {
  await takenByAnother('given up', '11 seconds')
  await t.look(`update pgboss.job set state = 'retry', start_after = now() + interval '1 hour',
    output = '{"value": {"message": "job heartbeat timeout"}}' where data->>'text' = 'given up'`)
  await runDueJobs()
  expect(ran).toEqual(['given up'])
})

test('while another server holds a job, the caller is not told that all are done', async () => {
  await takenByAnother('held', '0 seconds')
  await expect(runDueJobs({ waitMs: 100 })).rejects.toMatchObject({ code: 'UNAVAILABLE', retryAfterSeconds: 5 })
  expect(ran).toEqual([])
  await t.look(`update pgboss.job set heartbeat_on = now() - interval '1 minute' where data->>'text' = 'held'`)
  await runDueJobs()
  expect(ran).toEqual(['held'])
})

test('a long job sends heartbeats while it runs', async () => {
  const heartbeat = async () =>
    (
      await t.look<{ at: string }>(
        "select heartbeat_on::text as at from pgboss.job where name = 'test.special' and state = 'active'",
      )
    )[0]?.at
  doing.set('long', async () => {
    const begun = String(await heartbeat())
    await until(async () => String(await heartbeat()) !== begun)
  })
  await transact(tx => enqueue(tx, special, { text: 'long' }))
  await runDueJobs()
  expect(await stateOf(special, 'long')).toBe('completed')
})

test('queues of an earlier version, and the jobs waiting in them, get the current settings; a job that runs keeps its own', async () => {
  for (const text of ['old', 'running']) await transact(tx => enqueue(tx, write, { text }, { afterSeconds: 3600 }))
  await t.look("update pgboss.queue set heartbeat_seconds = null, expire_seconds = 900 where name = 'test.write'")
  await t.look(
    "update pgboss.job set heartbeat_seconds = null, expire_seconds = 900 where data->>'text' in ('old', 'running')",
  )
  await t.look("update pgboss.job set state = 'active', started_on = now() where data->>'text' = 'running'")
  await stopJobs()
  await start()
  const settings = 'select heartbeat_seconds as heartbeat, expire_seconds as expire'
  const today = [{ heartbeat: 10, expire: 60 }]
  expect(await t.look(`${settings} from pgboss.queue where name = 'test.write'`)).toEqual(today)
  expect(await t.look(`${settings} from pgboss.job where data->>'text' = 'old'`)).toEqual(today)
  // The server that runs it sends no heartbeats, so with one it would be considered dead and run again.
  expect(await t.look(`${settings} from pgboss.job where data->>'text' = 'running'`)).toEqual([
    { heartbeat: null, expire: 900 },
  ])
  await t.look("delete from pgboss.job where data->>'text' = 'running'")
  await bringJobsForward(1)
  await runDueJobs()
})

const askAll = (...texts: string[]) =>
  transact(tx =>
    enqueueMany(
      tx,
      asking,
      texts.map(text => ({ text })),
    ),
  )

test('jobs that were taken together ask once, and each batch asks again', async () => {
  let asked = 0
  answering = async () => `answer ${++asked}`
  await askAll('a', 'b', 'c', 'd')
  await runDueJobs()
  expect(ran.toSorted()).toEqual(['a: answer 1', 'b: answer 1', 'c: answer 1', 'd: answer 2'])
})

test('if the answer they share fails, each of them fails, and their next try asks again', async () => {
  let asked = 0
  answering = async () => {
    if (++asked === 1) throw new Error('nobody answers')
    return 'an answer'
  }
  await askAll('a', 'b')
  await runDueJobs()
  expect(ran).toEqual([])
  await bringJobsForward(1)
  await runDueJobs()
  expect(ran.toSorted()).toEqual(['a: an answer', 'b: an answer'])
  expect(asked).toBe(2)
})

test('every queue has a heartbeat, including pg-boss’s own', async () => {
  await stopJobs()
  await startJobs(all, { work: true, onError: error => errors.push(error) })
  await stopJobs()
  await start()
  expect(await t.look('select name from pgboss.queue where heartbeat_seconds is distinct from 10')).toEqual([])
})

test('a schedule that no server has asked for in a week is deleted; a newer one stays, even if this release does not know it', async () => {
  const [gone, newer] = ['test.gone', 'test.newer'].map(name => ({ ...nightly, name }))
  const schedules = () => t.look("select name from pgboss.schedule where name like 'test.%' order by name")
  const asked = (days: number, job: Job<object>) =>
    t.look(`update pgboss.schedule set updated_on = now() - $1 * interval '1 day' where name = $2`, [days, job.name])
  await stopJobs()
  await startJobs([...all, gone!, newer!], { work: true, onError: error => errors.push(error) })
  await stopJobs()
  await asked(8, gone!)
  await asked(6, newer!)
  await asked(8, nightly)
  await startJobs(all, { work: true, onError: error => errors.push(error) })
  expect(await schedules()).toEqual([{ name: 'test.newer' }, { name: 'test.nightly' }])
  await stopJobs()
  await start()
})

test('a server keeps asking for its schedules as long as it runs', async () => {
  const schedule = () =>
    t.look<{ isNew: boolean }>(`select updated_on > now() - interval '1 minute' as "isNew"
    from pgboss.schedule where name = 'test.nightly'`)
  await stopJobs()
  await startJobs(all, { work: true, askEveryMs: 20, onError: error => errors.push(error) })
  await t.look("update pgboss.schedule set updated_on = now() - interval '6 days'")
  await until(async () => (await schedule())[0]!.isNew)
  await stopJobs()
  await start()
})

test('failing rows do not hold up the others, however many fail; each is tried once, and the next page begins after the last', async () => {
  const rows = Array.from({ length: 351 }, (_, index) => ({ id: `${index}`, fails: index < 250 }))
  const tried: string[] = []
  const done = new Set<string>()
  const pages: unknown[] = []
  const job = eachDue<(typeof rows)[0]>(
    async ({ limit, after }) => {
      pages.push(after)
      return rows.filter(({ id }) => !done.has(id) && Number(id) > Number(after?.id ?? -1)).slice(0, limit)
    },
    async ({ id, fails }) => {
      tried.push(id)
      if (fails) throw new Error(`${id} fails`)
      // The last row stays due although it was done.
      if (id !== '350') done.add(id)
    },
  )
  await expect(job).rejects.toThrow('250 of 351 failed')
  expect(tried).toEqual(rows.map(({ id }) => id))
  expect(pages).toEqual([undefined, rows[99], rows[199], rows[299]])
})

test('a part of a job that fails does not hold up the other parts, and the job fails', async () => {
  const done: string[] = []
  const part = (name: string, fails: boolean) => async () => {
    done.push(name)
    if (fails) throw new Error(`${name} failed`)
  }
  await expect(allDue([part('payouts', true), part('refunds', false), part('charges', true)])).rejects.toThrow(
    'Error: payouts failed; Error: charges failed',
  )
  expect(done).toEqual(['payouts', 'refunds', 'charges'])
  await allDue([part('payouts', false)])
})

test('no unexpected error was reported', () => {
  expect(errors).toEqual([])
})
