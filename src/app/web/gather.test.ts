/** What changes often is asked for as often as answers come, and never for nobody. */
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

test('what comes together is asked for once', async () => {
  const { add, asked, pass } = gathered()
  for (const item of ['roster', 'balance', 'roster']) add(item)
  await pass(99)
  expect(asked).toEqual([])
  await pass(1)
  expect(asked).toEqual([['roster', 'balance']])
})

test('a slow answer is waited for, however much comes meanwhile: it would never arrive otherwise', async () => {
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
  // The second one fails: the third is asked for all the same.
  add('balance')
  answers[1]!()
  await pass(400)
  expect(asked[2]).toEqual(['balance'])
})

test('an answer that never comes holds up nothing for ever', async () => {
  const { add, asked, pass } = gathered()
  add('roster')
  await pass(100)
  add('balance')
  await pass(5400)
  expect(asked).toEqual([['roster'], ['balance']])
})

test('a page in the background asks for nothing, and once for all when it is looked at again', async () => {
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
