/** The same key and body get the same answer and have one effect; the same key with another body gets 422 (product.md §4). */
import { randomUUID } from 'node:crypto'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { DomainError } from '../errors.ts'
import { signedUp, testApp } from '../../testing/prologue.ts'
import { autocommit, sql, type Tx } from './db.ts'
import { forgetOldKeys, type OnceOnly, transactOnce } from './idempotency.ts'

const t = testApp()
const person = signedUp(t, 'TESTER')
beforeAll(async () => {
  await t.look('create table effects (id uuid primary key, text text not null)')
})
beforeEach(async () => {
  await autocommit.raw('delete from effects')
})
const look = () => t.look<{ text: string }>('select text from effects')

type Answer = { id: string; text: string; count: number }
/** Inserts a row, and answers with it and the number of rows there are by then. */
const once = (key: string | null, text: string, more: Partial<OnceOnly<Answer, undefined>> = {}): Promise<Answer> => {
  const id = randomUUID()
  return transactOnce({
    userId: person.user.id,
    key,
    call: 'test',
    asked: { text },
    subjectId: id,
    effect: async tx => {
      await tx.run(sql`insert into effects values (${id}, ${text})`)
    },
    answer: async subjectId => {
      const rows = await t.look<{ id: string; text: string }>('select id, text from effects')
      const { text: found } = rows.find(row => row.id === subjectId)!
      return { id: subjectId, text: found, count: rows.length }
    },
    ...more,
  })
}
const refusing = async () => {
  throw new DomainError('WRONG_STATE', 'Not now.')
}
const dying = async (): Promise<Answer> => {
  throw new Error('the process died here')
}
const reused = { code: 'IDEMPOTENCY_KEY_REUSED' }

test('the same request again gets the first answer and has no second effect', async () => {
  const key = randomUUID()
  const answer = await once(key, 'a')
  await once(randomUUID(), 'another')
  expect(await once(key, 'a')).toEqual(answer)
  expect(await look()).toHaveLength(2)
})

describe('a repeated request whose rows are locked', () => {
  const fail = (tx: Tx, state: string) =>
    tx.raw(`do $$ begin raise exception 'made for a test' using errcode = '${state}'; end $$`)
  const loading = (load: (tx: Tx) => Promise<unknown>) => ({ load }) as unknown as Partial<OnceOnly<Answer, undefined>>

  test.each([
    ['alone', (tx: Tx) => fail(tx, '55P03')],
    ['beside others', (tx: Tx) => Promise.allSettled([fail(tx, '55P03'), tx.rows(sql`select`)])],
  ])('fails with the error of what it loads %s', async (_name, load) => {
    const key = randomUUID()
    await once(key, 'a')
    await expect(once(key, 'a', loading(load))).rejects.toMatchObject({ code: '55P03' })
  })

  test('does not wait for them a second time where the effect is a single statement', async () => {
    const atOnce = async () => (await fail(autocommit, '55P03')) as never
    await expect(once(randomUUID(), 'a', { atOnce })).rejects.toMatchObject({ code: '55P03' })
    expect(await look()).toEqual([])
  })

  test('is retried after a deadlock, and gets the first answer', async () => {
    const key = randomUUID()
    const answer = await once(key, 'a')
    let tries = 0
    const load = async (tx: Tx) => (++tries < 3 ? fail(tx, '40P01') : undefined)
    expect([await once(key, 'a', loading(load)), tries]).toEqual([answer, 3])
  })
})

test('20 equal concurrent requests have one effect and one answer', async () => {
  const key = randomUUID()
  const answers = await Promise.all(Array.from({ length: 20 }, () => once(key, 'a')))
  expect(new Set(answers.map(answer => JSON.stringify(answer)))).toHaveLength(1)
  expect(await look()).toEqual([{ text: 'a' }])
})

test('another body or another call under the same key is refused', async () => {
  const key = randomUUID()
  await once(key, 'a')
  await expect(once(key, 'b')).rejects.toMatchObject(reused)
  await expect(once(key, 'a', { call: 'another' })).rejects.toMatchObject(reused)
  expect(await look()).toEqual([{ text: 'a' }])
})

test('of different bodies sent at once under one key, one takes effect', async () => {
  const key = randomUUID()
  const outcomes = await Promise.allSettled(['a', 'b', 'c', 'd'].map(text => once(key, text)))
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  for (const outcome of outcomes) if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject(reused)
  expect(await look()).toHaveLength(1)
})

test('the same key sent by another user is a different key', async () => {
  const key = randomUUID()
  const other = await t.signUp('TESTER')
  await once(key, 'mine')
  await once(key, 'theirs', { userId: other.user.id })
  expect((await look()).map(({ text }) => text).toSorted()).toEqual(['mine', 'theirs'])
})

test('a call that takes no key does not look at it', async () => {
  expect((await person.call('PATCH', '/users/me', { name: 'Ann' }, 'with space')).status).toBe(200)
})

test('without a key, every request takes effect', async () => {
  await once(null, 'a')
  await once(null, 'a')
  expect(await look()).toHaveLength(2)
})

test('a refusal by our own rules stores no key: the same key may be tried again', async () => {
  const key = randomUUID()
  await expect(once(key, 'a', { effect: refusing })).rejects.toMatchObject({ code: 'WRONG_STATE' })
  expect((await once(key, 'a')).text).toBe('a')
  expect(await look()).toEqual([{ text: 'a' }])
})

test('a provider’s refusal is kept with what was written, and repeated, also to requests that waited', async () => {
  const key = randomUUID()
  const declining = async (tx: Tx) => {
    await tx.run(sql`insert into effects values (${randomUUID()}, 'declined')`)
    return new DomainError('PAYMENT_DECLINED', 'No.', { fields: { amountCents: 'No.' } })
  }
  const outcomes = await Promise.allSettled(
    Array.from({ length: 5 }, (_, index) => once(key, 'a', { effect: declining, requestId: `request-${index}` })),
  )
  const reasons = outcomes.map(outcome => (outcome.status === 'rejected' ? (outcome.reason as DomainError) : null))
  const asTold = (error: DomainError | null) => [error?.code, error?.message, error?.fields]
  for (const each of reasons) expect(asTold(each)).toEqual(['PAYMENT_DECLINED', 'No.', { amountCents: 'No.' }])
  // All of them name the one request that was refused.
  expect(new Set(reasons.map(each => each?.requestId)).size).toBe(1)
  await expect(once(key, 'a')).rejects.toMatchObject({ code: 'PAYMENT_DECLINED', requestId: reasons[0]?.requestId })
  await expect(once(key, 'b')).rejects.toMatchObject(reused)
  expect(await look()).toEqual([{ text: 'declined' }])
  await expect(once(null, 'a', { effect: declining })).rejects.toMatchObject({ code: 'PAYMENT_DECLINED' })
  expect(await look()).toHaveLength(2)
})

test('a request that waited for one that was then refused is carried out', async () => {
  const key = randomUUID()
  let refused = 0
  const refuseFirst = async (): Promise<void> => {
    if (refused++ === 0) throw new DomainError('WRONG_STATE', 'Not now.')
  }
  const outcomes = await Promise.allSettled([
    once(key, 'a', { effect: refuseFirst, answer: async id => ({ id, text: 'a', count: 0 }) }),
    once(key, 'a', { effect: refuseFirst, answer: async id => ({ id, text: 'a', count: 0 }) }),
  ])
  expect(outcomes.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
})

test('after a process died between effect and answer, the next request with its key answers and does not act again', async () => {
  const key = randomUUID()
  await expect(once(key, 'a', { answer: dying })).rejects.toThrow('died')
  const answer = await once(key, 'a')
  expect(answer).toMatchObject({ text: 'a', count: 1 })
  expect(await once(key, 'a')).toEqual(answer)
  expect(await look()).toEqual([{ text: 'a' }])
})

test('a key is kept for 48 hours', async () => {
  const key = randomUUID()
  await once(key, 'a')
  await t.advance(47)
  await forgetOldKeys.run({})
  expect((await once(key, 'a')).count).toBe(1)
  await t.advance(1)
  await forgetOldKeys.run({})
  await once(key, 'a')
  expect(await look()).toHaveLength(2)
})

test('a key that is older and not deleted yet belongs to a new request, and all that ask it get one answer', async () => {
  const key = randomUUID()
  await once(key, 'a')
  await t.look(`update idempotency_keys set created_at = created_at - interval '48 hours' where key = $1`, [key])
  const answers = await Promise.all([1, 2, 3].map(() => once(key, 'b')))
  expect(answers).toEqual([1, 2, 3].map(() => answers[0]))
  expect(await look()).toEqual([{ text: 'a' }, { text: 'b' }])
})

test('two requests that answer for a process that died both get the reply that was stored first', async () => {
  const key = randomUUID()
  await expect(once(key, 'a', { answer: dying })).rejects.toThrow('died')
  const both = Promise.withResolvers<void>()
  let waiting = 0
  const answer = async (id: string): Promise<Answer> => {
    const count = ++waiting
    if (count === 2) both.resolve()
    await both.promise
    return { id, text: 'a', count }
  }
  const [first, second] = await Promise.all([once(key, 'a', { answer }), once(key, 'a', { answer })])
  expect(second).toEqual(first)
  expect(await once(key, 'a')).toEqual(first)
})

test('of two requests with one key, the first to be answered decides what both get', async () => {
  const late = () => Promise.withResolvers<void>()
  const declined = new DomainError('PAYMENT_DECLINED', 'Declined.')
  const refusedAfter = (wait: Promise<void>) => async () => {
    await wait
    return declined
  }
  const answeredAfter = (wait: Promise<void>) => async () => {
    await wait
    return undefined
  }
  const [first, second] = [late(), late()]
  const [key, other] = [randomUUID(), randomUUID()]

  const refused = once(key, 'a', { afterwards: refusedAfter(first.promise) })
  const answer = await once(key, 'a', { afterwards: answeredAfter(Promise.resolve()) })
  first.resolve()
  expect(await refused).toEqual(answer)

  const answered = once(other, 'b', { afterwards: answeredAfter(second.promise) })
  await expect(once(other, 'b', { afterwards: refusedAfter(Promise.resolve()) })).rejects.toMatchObject(declined)
  second.resolve()
  await expect(answered).rejects.toMatchObject({ code: 'PAYMENT_DECLINED', message: 'Declined.' })
})
