/**
 * Whatever people, jobs and the provider do, and in whatever order their transactions come, each answer and every balance is what a
 * small model in memory predicts. Each seed is one history that replays exactly; `npm run model` plays as many as you ask for.
 */
import { describe, expect, inject, test } from 'vitest'
import { cloneTemplate } from '../../testing/databases.ts'
import { historyOf, playAll, shortened } from '../../testing/model/histories.ts'
import { play } from '../../testing/model/play.ts'

const newDatabase = () => cloneTemplate(inject('serverUrl'))

/** Half of 10,000 actions; modelMore.test.ts plays the other half at the same time. */
const actions = 5000

// A retry would play the same history, so there is none.
const once = { retry: 0, timeout: 900_000 }

test(
  'any history of interleaved, repeated, dying and unanswered actions keeps every cent and every answer',
  once,
  async () => {
    const played = await playAll({ newDatabase, seed: 20261123, actions, shortenWithinMs: 60_000 })
    expect(played.actions).toBe(actions)
  },
)

describe('a seed', () => {
  test('is one history: played again, it is the same to the last line', async () => {
    const history = historyOf(7, 150)
    const [first, second] = [await play(await newDatabase(), history), await play(await newDatabase(), history)]
    expect(first.violation).toBeNull()
    expect(second.lines).toEqual(first.lines)
    expect(second.hash).toBe(first.hash)
  })

  test('of another number is another history', () => {
    expect(historyOf(8, 20)).not.toEqual(historyOf(7, 20))
    expect(historyOf(7, 20)).toEqual(historyOf(7, 20))
  })
})

test('a failing history is shortened to the actions that make it fail', async () => {
  const goesWrong = async (history: readonly number[]) => history.includes(3) && history.includes(70)
  const all = Array.from({ length: 100 }, (_, number) => number)
  expect(await shortened(all, goesWrong, 10_000)).toEqual([3, 70])
})
