/**
 * Plays the model's actions all at once. Nobody can predict who wins, but whatever was acknowledged is there exactly once, to the
 * cent.
 */
import { expect, inject, test } from 'vitest'
import { cloneTemplate } from '../../testing/databases.ts'
import { historyOf } from '../../testing/model/histories.ts'
import { race } from '../../testing/model/race.ts'

const seeds = [1, 2, 3]
const actions = 480
const succeeded = new Set<string>()

test.each(seeds)(
  'races leave behind exactly what they acknowledged (seed %i)',
  async seed => {
    const raced = await race(await cloneTemplate(inject('serverUrl')), historyOf(seed, actions))
    expect(raced.actions).toBeGreaterThanOrEqual(actions)
    for (const name of raced.successes.keys()) succeeded.add(name)
    // The actions did collide.
    expect(raced.refusals.get('WRONG_STATE')).toBeGreaterThan(0)
  },
  300_000,
)

test('the important actions succeeded at least once', () => {
  expect([...succeeded]).toEqual(
    expect.arrayContaining(['fund', 'join', 'verify', 'withdraw', 'cancel', 'askAnew', 'disputeGoesOn']),
  )
})
