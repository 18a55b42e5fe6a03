/** Lists with page numbers, tested on the waitlist: pages by number and by cursor, totals, links. */
import { beforeAll, describe, expect, test } from 'vitest'
import type { NumberedPage } from '../endpoint.ts'
import { signedUp, testApp } from '../../testing/prologue.ts'

type Entry = { id: string; email: string }
type Page = Omit<NumberedPage<Entry>, 'nextCursor' | 'previousCursor'>

const t = testApp()
const admin = signedUp(t, 'ADMIN')

const read = (query = '') => admin.call<Page>('GET', `/admin/waitlist${query}`)
const refused = (query: string) => admin.call('GET', `/admin/waitlist${query}`)

/** The addresses in a Link header, without the list's own path. */
const linksOf = ({ headers }: { headers: Record<string, unknown> }): Record<string, string> =>
  Object.fromEntries(
    [...((headers.link as string | undefined) ?? '').matchAll(/<\/api\/v1\/admin\/waitlist([^>]*)>; rel="(\w+)"/g)].map(
      ([, query, rel]) => [rel!, query!],
    ),
  )

const empty = () => t.look('delete from waitlist')
/** Adds p00001@… from `from` to `to`; higher numbers are newer, and every fifth is a tester. */
const fill = (from: number, to: number) =>
  t.look(
    `insert into waitlist (id, email, country, role, created_at)
      select lpad(n::text, 32, '0')::uuid, 'p' || lpad(n::text, 5, '0') || '@example.test', 'DE',
        case when n % 5 = 0 then 'tester' else 'developer' end, now()
      from generate_series($1::int, $2::int) n`,
    [from, to],
  )
const numbersOf = ({ data }: Page) => data.map(({ email }) => Number(email.slice(1, 6)))
const falling = (from: number, to: number) => Array.from({ length: from - to + 1 }, (_, at) => from - at)

describe('a long list', () => {
  beforeAll(async () => {
    await empty()
    await fill(1, 10_000)
  })

  test('has an exact total up to 10,000, and beyond that an estimate that is not lower', async () => {
    expect((await read()).body).toMatchObject({ total: 10_000, totalIsEstimate: false })
    await fill(10_001, 10_001)
    const beyond = (await read()).body
    expect(beyond).toMatchObject({ totalIsEstimate: true })
    expect(beyond.total).toBeGreaterThan(10_000)
    expect((await read('?role=tester')).body).toMatchObject({ total: 2000, totalIsEstimate: false })
  })

  test('has numbered pages up to 500; further ones are reached by the next link only', async () => {
    const last = await read('?page=500&limit=2')
    expect(numbersOf(last.body)).toEqual([9003, 9002])
    for (const query of ['?page=501', '?page=501&limit=2', '?page=1000000&role=tester']) {
      expect(await refused(query)).toMatchObject({
        status: 400,
        body: { code: 'INVALID_INPUT', fields: { page: 'For later pages, use the next link' } },
      })
    }
    expect(linksOf(await read('?page=500')).first).toBe('')
    const beyond = await read(linksOf(last).next)
    expect(beyond.body).toMatchObject({ page: 501, limit: 2 })
    expect(numbersOf(beyond.body)).toEqual([9001, 9000])
    const further = await read(linksOf(beyond).next)
    expect(further.body.page).toBe(502)
    const back = await read(linksOf(further).prev)
    expect([back.body.page, numbersOf(back.body)]).toEqual([501, [9001, 9000]])
    expect(linksOf(await read(linksOf(back).prev))).toHaveProperty('prev')
  })

  test('can be read to its end by the next links, far beyond the last numbered page', async () => {
    const seen: number[] = []
    let query: string | undefined = '?limit=100'
    let requests = 0
    while (query !== undefined) {
      const reply = await read(query)
      seen.push(...numbersOf(reply.body))
      query = linksOf(reply).next
      requests++
    }
    expect(seen).toEqual(falling(10_001, 1))
    expect(requests).toBe(101)
  })

  test('has roughly correct estimates, with filters as well', async () => {
    for (const from of [10_002, 15_002, 20_002, 25_002]) await fill(from, Math.min(from + 4999, 30_000))
    await t.look('analyze waitlist')
    for (const [query, about] of [
      ['', 30_000],
      ['?role=developer', 24_000],
      ['?search=example', 30_000],
    ] as const) {
      const { total, totalIsEstimate } = (await read(query)).body
      expect([query, totalIsEstimate]).toEqual([query, true])
      expect([query, Math.abs(total - about) < about / 4]).toEqual([query, true])
    }
  })
})

describe('a cursor', () => {
  beforeAll(async () => {
    await empty()
    await fill(1, 30)
  })

  test('shows each row once, while others are added and deleted', async () => {
    const seen: number[] = []
    let query: string | undefined = '?limit=4'
    for (let round = 1; query !== undefined; round++) {
      const reply = await read(query)
      seen.push(...numbersOf(reply.body))
      query = linksOf(reply).next
      await fill(30 + round, 30 + round)
      // Even the row that the cursor names may be deleted.
      await t.look('delete from waitlist where email = $1', [
        `p000${seen.at(-1)! < 10 ? '0' : ''}${seen.at(-1)}@example.test`,
      ])
    }
    expect(seen).toEqual(falling(30, 1))
    await empty()
    await fill(1, 30)
  })

  test('leads back over the same pages, and before the second page is the first', async () => {
    const pages: number[][] = []
    let reply = await read('?limit=8')
    expect(linksOf(reply)).toEqual({ next: expect.stringContaining('page=2') })
    for (;;) {
      pages.push(numbersOf(reply.body))
      const { next } = linksOf(reply)
      if (next === undefined) break
      reply = await read(next)
    }
    expect(pages.map(page => page.length)).toEqual([8, 8, 8, 6])
    expect(Object.keys(linksOf(reply)).toSorted()).toEqual(['first', 'prev'])
    for (const page of pages.slice(0, 3).toReversed()) {
      reply = await read(linksOf(reply).prev)
      expect(numbersOf(reply.body)).toEqual(page)
    }
    expect(reply.body.page).toBe(1)
    expect(linksOf(await read('?page=3&limit=8&role=tester')).first).toBe('?limit=8&role=tester')
  })

  test('is not needed if one page is enough: there is no Link header', async () => {
    expect((await read('?limit=30')).headers.link).toBeUndefined()
    expect((await read('?search=nobody')).headers.link).toBeUndefined()
  })

  test('that was changed, made up or taken from another list is refused with a sentence', async () => {
    const next = linksOf(await read('?limit=4')).next!
    const cursor = new URLSearchParams(next).get('cursor')!
    const flipped = (at: number) => cursor.slice(0, at) + (cursor[at] === 'A' ? 'B' : 'A') + cursor.slice(at + 1)
    const elsewhere = await admin.call('GET', '/admin/users?limit=1')
    expect(elsewhere.status).toBe(200)
    for (const query of [
      ...[0, 10, 20, 30, cursor.length - 1].map(at => `?limit=4&cursor=${flipped(at)}`),
      `?cursor=${cursor}A`,
      `?cursor=${cursor.slice(0, -2)}`,
      '?cursor=1',
      '?cursor=00000000-0000-7000-8000-000000000001',
      `?role=tester&cursor=${cursor}`,
      `?search=p&cursor=${cursor}`,
    ]) {
      expect([query, await refused(query)]).toMatchObject([
        query,
        {
          status: 400,
          body: { code: 'INVALID_INPUT', fields: { cursor: 'The cursor is not valid for this list' } },
        },
      ])
    }
    expect((await admin.call('GET', `/admin/users?cursor=${cursor}`)).status).toBe(400)
    expect((await read(`?limit=9&cursor=${cursor}`)).body.data).toHaveLength(9)
  })
})
