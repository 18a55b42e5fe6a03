/** What the page asks the server, query by query, and what it keeps of the answers. */
import { hashKey } from '@tanstack/react-query'
import { expect, test } from 'vitest'
import { ask, pageAsks, tidy, type Question } from '../../testing/web/pageAsks.ts'

const { answerBy, answerWith, asked, sent } = pageAsks()
const bugs = await import('../../bugs/web/calls.ts')
const changes = await import('../../changes/web/calls.ts')
const dashboards = await import('../../dashboards/web/calls.ts')
const reputation = await import('../../reputation/web/calls.ts')
const { isNumbered, isPaged, rows } = await import('../../testing/web/questions.ts')

test.each(rows)('to show $shown the page asks for $address', async ({ question, address }) => {
  await ask(question)
  expect(asked()).toEqual(address.split(' and ').map(tidy))
})

test.each(rows.filter(isPaged))('to show more of $shown, the page asks for the next one by its cursor', async row => {
  await ask(row.question, 'x2')
  expect(asked()).toEqual([tidy(`${row.address}${row.address.includes('?') ? '&' : '?'}cursor=x2`)])
})

test.each(rows.filter(isPaged))('$shown has more pages as long as an answer names the next one', ({ question }) => {
  const next = question.getNextPageParam as (last: object) => unknown
  expect(next({ items: [], nextCursor: 'x2' })).toBe('x2')
  expect(next({ items: [], nextCursor: null })).toBeUndefined()
})

test.each(rows)('the request for $shown is cancelled when nobody waits for it', async ({ question }) => {
  const given = new AbortController()
  await ask(question, undefined, given.signal)
  given.abort()
  expect(sent().map(({ signal }) => signal?.aborted ?? false)).not.toContain(false)
})

test.each(rows)('the answer with $shown is cached under a key of $slice', ({ slice, question }) => {
  expect(question.queryKey[0]).toBe(slice)
})

test('two queries share a key only if they ask for the same thing', () => {
  const addresses = new Map<string, Set<string>>()
  for (const { question, address } of rows) {
    const key = hashKey(question.queryKey)
    addresses.set(key, (addresses.get(key) ?? new Set()).add(address))
  }
  expect([...addresses].filter(([, each]) => each.size > 1)).toEqual([])
})

test.each(rows.filter(isNumbered))(
  'for $shown an invalid cursor leads to an empty page; any other refusal is an error',
  async ({ question }) => {
    answerWith({ code: 'VALIDATION', message: 'No', fields: { cursor: 'This is no cursor.' } }, 400)
    expect(await ask(question)).toMatchObject({ data: [], total: 0, nextCursor: null })
    answerWith({ code: 'VALIDATION', message: 'No', fields: { search: 'Too long.' } }, 400)
    await expect(ask(question)).rejects.toMatchObject({ status: 400 })
  },
)

test('a list keeps showing its items until those of the new choice have loaded', () => {
  const keeps = ({ placeholderData: keep }: Question) => typeof keep === 'function' && keep('before') === 'before'
  const others = [
    'bugs like the one being written',
    'the analytics of a period',
    'the answers to it',
    'the answers from one device',
  ]
  const lists = rows.filter(row => (isPaged(row) && row.shown !== 'the bell') || isNumbered(row))
  const kept = rows.filter(({ question }) => keeps(question)).map(({ shown }) => shown)
  expect(kept.toSorted()).toEqual([...lists.map(({ shown }) => shown), ...others].toSorted())
})

test('at most the first hundred developers are asked about, which is the server’s limit', async () => {
  const many = Array.from({ length: 130 }, (_, n) => `d${n + 100}`)
  await ask(reputation.developersQuery(many))
  expect(asked()).toEqual([`/developers/reputation?ids=${many.slice(0, 100).join('%2C')}`])
})

test('similar bugs are searched for from the fourth letter of the title on', () => {
  expect(['Cra', 'Cras'].map(title => bugs.similarQuery('c1', title).enabled)).toEqual([false, true])
})

test('of the newest campaigns and tests, only the items are cached', async () => {
  answerWith([{ id: 'c1' }])
  expect(await ask(dashboards.recentCampaignsQuery)).toEqual([{ id: 'c1' }])
  expect(await ask(dashboards.recentTestsQuery)).toEqual([{ id: 'c1' }])
})

test('the bugs that a change can answer are sorted by number, whatever their status', async () => {
  answerBy(address => Response.json((address.endsWith('OPEN') ? [9, 2] : [10, 3]).map(number => ({ number }))))
  expect(await ask(changes.undecidedQuery('c1'))).toEqual([2, 3, 9, 10].map(number => ({ number })))
})

test('each quotation of a tester comes with its question', async () => {
  const wrote = (alias: string) => ({ testId: `of ${alias}`, alias, text: `I am ${alias}`, more: true })
  const quotations = [wrote('Tester 1'), wrote('Tester 2')]
  answerWith({
    questions: [
      { question: { id: 'q1', text: 'Why?', kind: 'TEXT' }, quotations },
      { question: { id: 'q2', text: 'How often?' }, quotations: [] },
      { question: { id: 'q3', text: 'When?' }, quotations: quotations.slice(1) },
    ],
  })
  const two = { testId: 'of Tester 2', alias: 'Tester 2', text: 'I am Tester 2' }
  expect(await ask(changes.writtenQuery('c1'))).toEqual([
    { testId: 'of Tester 1', alias: 'Tester 1', text: 'I am Tester 1', questionId: 'q1', question: 'Why?' },
    { ...two, questionId: 'q1', question: 'Why?' },
    { ...two, questionId: 'q3', question: 'When?' },
  ])
})
