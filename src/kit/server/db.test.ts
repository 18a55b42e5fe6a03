/** Transactions, their retries, and connections that break. */
import pg from 'pg'
import { beforeAll, describe, expect, test } from 'vitest'
import { connectBeside } from '../../testing/observed.ts'
import { signedUp, testApp } from '../../testing/prologue.ts'
import { autocommit, sql, transact, type Tx } from './db.ts'

const t = testApp({}, { onError: () => undefined })
const person = signedUp(t, 'TESTER')
beforeAll(async () => {
  await t.look('create table notes (id int primary key, text text not null, seen bigint)')
})

const note = (tx: Tx, id: number, text = 'x') => tx.run(sql`insert into notes (id, text) values (${id}, ${text})`)
const notes = () => t.look<{ id: number }>('select id from notes order by id')
const touch = (tx: Tx, id: number) => tx.run(sql`update notes set text = text || '+' where id = ${id}`)
const waiting = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
const read = () => person.call('GET', '/users/me')
const write = (text: string) => person.call('PATCH', '/users/me', { name: text })
/** A real error, raised by PostgreSQL. */
const fail = (tx: Tx, state: string) =>
  tx.raw(`do $$ begin raise exception 'made for a test' using errcode = '${state}'; end $$`)

describe('a transaction', () => {
  test('is done completely or not at all', async () => {
    const error = new Error('no')
    await expect(
      transact(async tx => {
        await note(tx, 1)
        throw error
      }),
    ).rejects.toBe(error)
    expect(await notes()).toEqual([])
  })

  test.each([
    ['a serialization failure', '40001'],
    ['a deadlock', '40P01'],
  ])('is retried from its beginning after %s', async (_name, state) => {
    let tries = 0
    const result = await transact(async tx => {
      tries++
      await note(tx, 100 + tries)
      if (tries < 3) await fail(tx, state)
      return 'done'
    })
    expect([result, tries, await notes()]).toEqual(['done', 3, [{ id: 103 }]])
    await autocommit.raw('delete from notes')
  })

  test('is given up after 5 tries', async () => {
    let tries = 0
    await expect(
      transact(async tx => {
        tries++
        await fail(tx, '40001')
      }),
    ).rejects.toMatchObject({ code: '40001' })
    expect(tries).toBe(5)
  })

  test('is rolled back, and says so, if a statement failed that nobody waited for', async () => {
    await expect(
      transact(async tx => {
        await note(tx, 1)
        note(tx, 1).catch(() => undefined)
      }),
    ).rejects.toThrow('the transaction was rolled back')
    expect(await notes()).toEqual([])
  })

  test('accepts no statements once it is over', async () => {
    let kept: Tx | undefined
    const error = new Error('no')
    const ending = transact(async tx => {
      kept = tx
      throw error
    })
    await expect(ending).rejects.toBe(error)
    await expect(note(kept!, 1)).rejects.toThrow('is over')
    expect(await notes()).toEqual([])
  })

  test('that has committed stays so if its answer fails, and the work after the commit is done', async () => {
    const error = new Error('no answer')
    let done = false
    const ending = transact(
      async tx => {
        tx.afterCommit(() => {
          done = true
        })
        await note(tx, 1)
      },
      () => Promise.reject(error),
    )
    await expect(ending).rejects.toBe(error)
    expect([await notes(), done]).toEqual([[{ id: 1 }], true])
    await autocommit.raw('delete from notes')
  })

  test('is rolled back if the first statement of its answer fails', async () => {
    await expect(
      transact(
        tx => note(tx, 1),
        tx => fail(tx, '22012'),
      ),
    ).rejects.toMatchObject({ code: '22012' })
    expect(await notes()).toEqual([])
  })

  test('is not retried after any other error', async () => {
    let tries = 0
    await expect(
      transact(async tx => {
        tries++
        await fail(tx, '23505')
      }),
    ).rejects.toMatchObject({ code: '23505' })
    expect(tries).toBe(1)
  })

  test('succeeds after a real deadlock with another that locks in the opposite order', async () => {
    await transact(async tx => {
      await note(tx, 1)
      await note(tx, 2)
    })
    const { promise: met, resolve: bothHold } = Promise.withResolvers<void>()
    let holding = 0
    const work = (first: number, second: number) =>
      transact(async tx => {
        await touch(tx, first)
        if (++holding === 2) bothHold()
        await met
        await touch(tx, second)
      })
    await Promise.all([work(1, 2), work(2, 1)])
    expect(holding).toBeGreaterThan(2)
    expect(await t.look('select text from notes order by id')).toEqual([{ text: 'x++' }, { text: 'x++' }])
    await autocommit.raw('delete from notes')
  })

  test('of a single statement also succeeds after a real deadlock', async () => {
    // A sequence is not rolled back, so it counts the tries.
    await t.look('create sequence tries')
    await t.look(`create or replace function touch_both() returns void language plpgsql as $$ begin
      perform nextval('tries');
      update notes set text = text || '+' where id = 1; update notes set text = text || '+' where id = 2; end $$`)
    await transact(async tx => {
      await note(tx, 1)
      await note(tx, 2)
    })
    const other = await connectBeside(t)
    const tries = async () => (await t.look<{ tries: number }>('select last_value::int as tries from tries'))[0]
    // PostgreSQL cancels the wait that notices the deadlock: the single statement's, which began first, unless the machine is
    // slow.
    for (let before = 1, endedOther = true; endedOther; before++) {
      await other.query(`begin; update notes set text = 'x+' where id = 2`)
      const alone = autocommit.run(sql`select touch_both()`)
      await expect.poll(() => t.look(waiting), { interval: 5 }).toHaveLength(1)
      await other.query(`update notes set text = 'x+' where id = 1`).catch(() => undefined)
      await other.query('commit')
      await alone
      endedOther = (await tries())?.tries === before
    }
    await other.end()
    expect(await t.look('select text from notes order by id')).toEqual([{ text: 'x++' }, { text: 'x++' }])
    await t.look('drop function touch_both; drop sequence tries')
    await autocommit.raw('delete from notes')
  })

  test('gives its connection back when it fails: 50 failures do not exhaust the pool', async () => {
    const failures = Array.from({ length: 50 }, () => transact(tx => fail(tx, '23514')).catch(() => 'failed'))
    expect(new Set(await Promise.all(failures))).toEqual(new Set(['failed']))
    expect(await transact(tx => tx.rows(sql`select 1 as one`))).toEqual([{ one: 1 }])
  })
})

test('a value is the only column of a row, and may be null; anything else is an error', async () => {
  expect(await autocommit.value(sql`select count(*) from users where false`)).toBe(0)
  expect(await transact(tx => tx.value(sql`select null::text`))).toBeNull()
  for (const none of [sql`select name from users where false`, sql`select 1 as a, 2 as b`]) {
    await expect(autocommit.value(none)).rejects.toThrow('not one value')
  }
})

test('a sum too large for a safe integer is an error and not a wrong number', async () => {
  expect(await autocommit.rows(sql`select 9007199254740991::bigint as sum`)).toEqual([{ sum: 9_007_199_254_740_991 }])
  await expect(autocommit.rows(sql`select 9007199254740992::bigint as sum`)).rejects.toThrow(RangeError)
})

const served = () => transact(tx => tx.rows(sql`select 1 as one`)).catch(() => 'refused')
const cutAll = `select pg_terminate_backend(pid) from pg_stat_activity
  where datname = current_database() and application_name like 'fieldtest%' and pid <> pg_backend_pid()`
const cutConnections = () => t.look(cutAll)

describe('when the database cuts the connections', () => {
  test('while requests run, each is answered or told to come back, and afterwards everything works', async () => {
    const running = Array.from({ length: 60 }, (_, index) => (index % 2 ? read() : write(`Name ${index}`)))
    for (let round = 0; round < 3; round++) await cutConnections().catch(() => undefined)
    for (const { status, body, headers } of await Promise.all(running)) {
      expect([200, 503]).toContain(status)
      if (status === 200) continue
      expect(body).toMatchObject({ code: 'UNAVAILABLE', requestId: headers['x-request-id'] })
      expect(body.message).toMatch(
        /^The service is busy or restarting|^The connection was lost while this was being saved/,
      )
      expect(headers['retry-after']).toBe('2')
    }
    expect((await write('Afterwards')).status).toBe(200)
    expect((await read()).body).toMatchObject({ name: 'Afterwards' })
  })

  test('inside a transaction, it is undone and fails once, and the pool goes on', async () => {
    const before = await notes()
    await expect(
      transact(async tx => {
        await note(tx, 900)
        await cutConnections()
        await note(tx, 901)
      }),
    ).rejects.toBeInstanceOf(Error)
    expect(await notes()).toEqual(before)
  })

  test('just as they are handed out, again and again, the process lives on', async () => {
    // From outside the pool, whose connections do not live long enough.
    const outside = new pg.Client({ connectionString: t.databaseUrl })
    await outside.connect()
    for (let round = 0; round < 20; round++) {
      const running = Array.from({ length: 30 }, served)
      for (let cut = 0; cut < 6; cut++) await outside.query(cutAll)
      await Promise.all(running)
    }
    await outside.end()
    expect(await served()).toEqual([{ one: 1 }])
  })

  test('while they are idle, the process goes on and serves the next requests', async () => {
    await Promise.all(Array.from({ length: 10 }, read))
    await cutConnections()
    // A connection that was cut a moment ago may still be handed out once.
    const statuses = await Promise.all(Array.from({ length: 20 }, async () => (await read()).status))
    for (const status of statuses) expect([200, 503]).toContain(status)
    expect((await read()).status).toBe(200)
  })
})
