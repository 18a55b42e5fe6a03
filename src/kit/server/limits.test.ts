/** Work that waits too long for PostgreSQL ends, and does not hold up other work. */
import { type IncomingMessage, request } from 'node:http'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { password } from '../../testing/app.ts'
import { productUrlOf } from '../../testing/databases.ts'
import { connectBeside, atOnce, tally } from '../../testing/observed.ts'
import { signedUp, testApp } from '../../testing/prologue.ts'
import { recorded } from '../../testing/recorded.ts'
import { asOwner, autocommit, onQueue, sql, transact, usePreparedStatements } from './db.ts'
import { borrow } from './connections.ts'
import {
  beginWith,
  during,
  jobLimits,
  type PoolName,
  reportLimits,
  requestLimits,
  requestWork,
  untimed,
  workOf,
} from './limits.ts'
import { send } from './statement.ts'

const t = testApp({}, { onError: () => undefined })
const person = signedUp(t, 'TESTER')
const other = signedUp(t, 'DEVELOPER')
let beside: pg.Client
/** Sees current activity; inside a transaction, it would stay as it was at the first look. */
let watcher: pg.Client
let port: number
beforeAll(async () => {
  ;[beside, watcher] = await Promise.all([connectBeside(t), connectBeside(t)])
  port = Number(new URL(await t.app.listen({ port: 0, host: '127.0.0.1' })).port)
})
afterAll(() => Promise.all([beside.end(), watcher.end()]))

/** For a busy machine, since these tests are not about how long something takes. */
const patient = { timeout: 20_000 }

const settings = `select current_setting('statement_timeout') as statement, current_setting('lock_timeout') as lock,
  current_setting('idle_in_transaction_session_timeout') as idle`
const single = async () => (await autocommit.raw(settings)).rows[0]
const inTransaction = async () => (await transact(tx => tx.raw(settings))).rows[0]

/** Holds the row of `person` while `work` runs. */
const whileLocked = async <T>(work: () => Promise<T>): Promise<T> => {
  await beside.query('begin')
  await beside.query('select from users where id = $1 for update', [person.user.id])
  try {
    return await work()
  } finally {
    await beside.query('rollback')
  }
}

describe('the limits', () => {
  const ofRequests = { statement: '5s', lock: '3s', idle: '10s' }

  test.each([
    ['requests', () => requestWork('writes', undefined), ofRequests],
    ['reports', () => requestWork('reads', reportLimits), { ...ofRequests, statement: '15s' }],
    ['jobs', () => workOf('jobs', jobLimits), { statement: '10min', lock: '10s', idle: '1min' }],
  ])('for %s apply to single statements and to transactions', async (_name, begun, expected) => {
    expect(await during(begun(), single)).toEqual(expected)
    expect(await during(begun(), inTransaction)).toEqual(expected)
  })

  test('for jobs are kept on their connections, but not behind a transaction pooler, which would hand them to strangers', async () => {
    const asJob = () => during(workOf('jobs', jobLimits), single)
    await asJob()
    expect(await recorded(asJob)).toEqual([settings])
    usePreparedStatements(true, false)
    onTestFinished(() => usePreparedStatements(true, true))
    const behindPooler = await recorded(async () => expect(await asJob()).toMatchObject({ statement: '10min' }))
    expect(behindPooler).toEqual([beginWith(jobLimits), settings, 'commit'])
  })

  test('of a transaction end with it, so later users of the connection do not inherit them', async () => {
    const work = workOf('writes', jobLimits)
    const client = await borrow(work)
    await send(client, beginWith(jobLimits), work)
    expect((await client.query(settings)).rows[0]).toMatchObject({ statement: '10min' })
    await send(client, 'commit', work)
    expect((await client.query(settings)).rows[0]).toEqual(ofRequests)
    client.release()
  })

  test('are the defaults of our role in this database, for connections that this process did not open', async () => {
    const stranger = new pg.Client({ connectionString: t.databaseUrl })
    await stranger.connect()
    expect((await stranger.query(settings)).rows).toEqual([ofRequests])
    await stranger.end()
  })

  test('for jobs apply to pg-boss when it deletes and counts', async () => {
    const [, , , , last] = (await onQueue(`BEGIN;\n${settings};\nCOMMIT;`)) as unknown as { rows: unknown[] }[]
    expect(last?.rows).toEqual([{ statement: '10min', lock: '10s', idle: '1min' }])
  })

  test('for jobs are not left behind by a failed transaction of pg-boss', async () => {
    for (let time = 0; time < 50; time++) {
      await expect(onQueue('BEGIN;\nselect 1 / 0;\nCOMMIT;')).rejects.toThrow('division by zero')
      for (let use = 0; use < 4; use++) expect((await onQueue('select 1 as one')).rows).toEqual([{ one: 1 }])
    }
  })

  test('that are lifted for what runs beside all writes apply again to whoever has the connection next', async () => {
    const before = (await asOwner(settings)).rows
    await asOwner('drop index concurrently if exists no_such_index')
    expect((await asOwner(settings)).rows).toEqual(before)
  })

  test.each(['55P03', '57014', '25P03'])('%s is answered with 503 and Retry-After', async state => {
    await beside.query(`create or replace function refuse() returns trigger language plpgsql as
      $$ begin raise exception 'made for a test' using errcode = '${state}'; end $$`)
    await beside.query('create trigger refusing before update on users for each row execute function refuse()')
    const reply = await other.call('PATCH', '/users/me', { name: 'Other' })
    await beside.query('drop trigger refusing on users')
    expect(reply).toMatchObject({ status: 503, body: { code: 'UNAVAILABLE' }, headers: { 'retry-after': '2' } })
  })
})

test('forty writes that wait for one row get 503; meanwhile lists, sign-in and readiness go on', async () => {
  const login = { body: { email: other.user.email, password } }
  const { waiting, meanwhile } = await whileLocked(async () => {
    const writes = atOnce(40, () => person.call('PATCH', '/users/me', { name: 'Waiting' }))
    await expect.poll(blocked, patient).toBeGreaterThan(0)
    const [lists, signIn, health] = await Promise.all([
      atOnce(20, () => person.call('GET', '/users/me')),
      t.call('POST', '/auth/login', login),
      t.app.inject({ url: '/health/ready' }),
    ])
    const served = [...lists, signIn, { status: health.statusCode }]
    expect(await blocked()).toBeGreaterThan(0)
    return { waiting: await writes, meanwhile: served }
  })
  expect(tally(meanwhile)).toEqual({ 200: 22 })
  expect(tally(waiting)).toEqual({ 503: 40 })
  for (const { headers } of waiting) expect(headers['retry-after']).toBe('2')
  expect((await person.call('PATCH', '/users/me', { name: 'Afterwards' })).status).toBe(200)
})

/** Holds that many connections of a pool while `work` runs. */
const whileTaken = async <T>(pool: PoolName, count: number, work: () => Promise<T>): Promise<T> => {
  const held = await atOnce(count, () => borrow(workOf(pool, requestLimits)))
  try {
    return await work()
  } finally {
    for (const client of held) client.release()
  }
}

test('an export is a read: it works while every connection for writes is taken', async () => {
  const exported = await whileTaken('writes', 10, () => person.call('GET', '/users/me/export'))
  expect(exported.status).toBe(200)
})

test('signing in works while every connection for reads and writes is taken', async () => {
  const login = () => t.call('POST', '/auth/login', { body: { email: other.user.email, password } })
  const { status } = await whileTaken('writes', 10, () => whileTaken('reads', 8, login))
  expect(status).toBe(200)
})

describe('the time of a request', () => {
  const one = () => autocommit.value(sql`select 1 as one`)
  const outOfTime = { name: 'OutOfTime', code: 'ETIMEDOUT' }

  test('covers all its statements together: none begins after it is over', async () => {
    const over = { ...requestWork('reads'), until: performance.now() - 1 }
    await expect(during(over, one)).rejects.toMatchObject(outOfTime)
    const ending = requestWork('writes')
    const outcome = during(ending, () =>
      transact(async tx => {
        await tx.run(sql`update users set name = 'Too late' where id = ${other.user.id}`)
        ending.until = performance.now() - 1
        await tx.rows(sql`select 1`)
      }),
    )
    await expect(outcome).rejects.toMatchObject(outOfTime)
    expect(await autocommit.value(sql`select name from users where id = ${other.user.id}`)).not.toBe('Too late')
  })

  test('does not include other waits, such as for a password hash', async () => {
    const work = requestWork('reads')
    const left = () => work.until - performance.now()
    await during(work, async () => {
      const before = left()
      await untimed(async () => {
        work.until = performance.now() - 1
        // Concurrent waits count as the longest of them.
        await Promise.all([untimed(() => Promise.resolve()), untimed(() => Promise.resolve())])
      })
      expect(left()).toBeGreaterThan(before - 1_000)
      expect(left()).toBeLessThanOrEqual(before)
      expect(await one()).toBe(1)
    })
  })

  test('includes the wait for a connection, which is returned if it comes too late', async () => {
    const outcome = await whileTaken('reads', 8, () => {
      const ending = { ...requestWork('reads'), until: performance.now() + 10 }
      return during(ending, one).catch((error: unknown) => error)
    })
    expect(outcome).toMatchObject(outOfTime)
    expect(await whileTaken('reads', 7, () => during(requestWork('reads'), one))).toBe(1)
  })
})

const blocked = async () =>
  (
    await watcher.query(`select from pg_stat_activity where datname = current_database()
      and application_name = 'fieldtest' and wait_event_type = 'Lock'`)
  ).rowCount ?? 0

describe('a caller who closes the connection', () => {
  const ask = (method: string, path: string, body?: string) => {
    const call = request({ port, method, path: `/api/v1${path}`, agent: false })
    call.setHeader('authorization', `Bearer ${person.accessToken}`)
    if (body !== undefined) call.setHeader('content-type', 'application/json')
    call.on('error', () => undefined)
    call.on('response', (reply: IncomingMessage) => reply.resume())
    call.end(body)
    return call
  }
  const waitingPids = async () => {
    const { rows } = await watcher.query<{ pid: number }>(`select pid from pg_stat_activity
      where datname = current_database() and application_name = 'fieldtest' and wait_event_type = 'Lock'`)
    return rows.map(row => row.pid)
  }
  const stateOf = async (pid: number) =>
    (await watcher.query<{ state: string }>('select state from pg_stat_activity where pid = $1', [pid])).rows[0]?.state

  const pidOf = async (client: pg.Client) =>
    (await client.query<{ pid: number }>('select pg_backend_pid() as pid')).rows[0]?.pid
  /** So that only the caller's leaving ends a statement; our own limit would end the connection with it. */
  const withoutPostgresLimits = async () => {
    const database = new URL(t.databaseUrl).pathname.slice(1)
    const product = await connectBeside({ databaseUrl: productUrlOf(t.databaseUrl) })
    await product.query(`alter role current_user in database ${database} set statement_timeout = 0`)
    await product.query(`alter role current_user in database ${database} set lock_timeout = 0`)
    await product.end()
    await beside.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and backend_type = 'client backend' and pid not in (pg_backend_pid(), $1)`,
      [await pidOf(watcher)],
    )
    await expect.poll(async () => (await person.call('GET', '/users/me')).status, patient).toBe(200)
  }

  test.each([
    ['their read', '/users/me'],
    ['what is streamed to them', '/users/me/export'],
  ])('stops %s: PostgreSQL cancels it, and its connection serves the next request', async (_what, path) => {
    await withoutPostgresLimits()
    await beside.query('begin')
    await beside.query('lock table users in access exclusive mode')
    try {
      const call = ask('GET', path)
      await expect.poll(waitingPids, patient).toHaveLength(1)
      const [pid] = await waitingPids()
      call.destroy()
      await expect.poll(() => stateOf(pid!), patient).toBe('idle')
    } finally {
      await beside.query('rollback')
    }
    expect((await person.call('GET', '/users/me')).status).toBe(200)
  })

  test('does not stop their write, which is finished', async () => {
    await whileLocked(async () => {
      const call = ask('PATCH', '/users/me', '{"name":"Written"}')
      await expect.poll(waitingPids, patient).toHaveLength(1)
      const closed = new Promise(resolve => call.once('close', resolve))
      call.destroy()
      await closed
      expect(await waitingPids()).toHaveLength(1)
    })
    await expect
      .poll(() => autocommit.value(sql`select name from users where id = ${person.user.id}`), patient)
      .toBe('Written')
  })
})
