/** What changes often is requested only as fast as answers arrive, and only while somebody looks. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { gather } from './gather.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

const gathered = () => {
  const asked: string[][] = []
  const answers: (() => void)[] = []
  const at = { looked: true }
  const gathering = gather<string>({
    work: items => {
      asked.push([...items])
      return new Promise<void>((resolve, reject) => {
        answers.push(asked.length % 2 === 0 ? () => reject(new Error('no network')) : resolve)
      })
    },
    isLookedAt: () => at.looked,
    soonMs: 100,
    restMs: 400,
    longestMs: 5000,
  })
  const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms)
  return { ...gathering, asked, answers, at, pass }
}

test('changes that arrive together are requested once', async () => {
  const { add, asked, pass } = gathered()
  for (const item of ['roster', 'balance', 'roster']) add(item)
  await pass(99)
  expect(asked).toEqual([])
  await pass(1)
  expect(asked).toEqual([['roster', 'balance']])
})

test('no new request starts while a slow answer is on its way, since it would otherwise never arrive', async () => {
  const { add, asked, answers, pass } = gathered()
  add('roster')
  await pass(100)
  for (let n = 0; n < 20; n++) {
    add('roster')
    await pass(100)
  }
  expect(asked).toHaveLength(1)
  answers[0]!()
  await pass(400)
  expect(asked).toEqual([['roster'], ['roster']])
  // The second request fails, and the third is made all the same.
  add('balance')
  answers[1]!()
  await pass(400)
  expect(asked[2]).toEqual(['balance'])
})

test('an answer that never arrives does not block later ones forever', async () => {
  const { add, asked, pass } = gathered()
  add('roster')
  await pass(100)
  add('balance')
  await pass(5400)
  expect(asked).toEqual([['roster'], ['balance']])
})

test('a page in the background requests nothing, and once it is visible again, requests everything together', async () => {
  const { add, asked, at, lookedAt, pass } = gathered()
  at.looked = false
  add('roster')
  add('balance')
  await pass(60_000)
  expect(asked).toEqual([])
  at.looked = true
  lookedAt()
  await pass(0)
  expect(asked).toEqual([['roster', 'balance']])
  lookedAt()
  await pass(60_000)
  expect(asked).toHaveLength(1)
})
