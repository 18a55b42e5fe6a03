/** The actions of the model all at once: nobody knows who wins, but what was acknowledged is there, once, to the cent. */
import { expect, inject, test } from 'vitest'
import { cloneTemplate } from '../../testing/databases.ts'
import { historyOf } from '../../testing/model/histories.ts'
import { race } from '../../testing/model/race.ts'

const seeds = [1, 2, 3]
const actions = 480

test.each(seeds)(
  'what races leave behind is what they acknowledged (seed %i)',
  async seed => {
    const raced = await race(await cloneTemplate(inject('serverUrl')), historyOf(seed, actions))
    expect(raced.actions).toBeGreaterThanOrEqual(actions)
    // They got somewhere, and they met.
    for (const name of ['fund', 'join', 'verify', 'withdraw', 'cancel'])
      expect(raced.successes.get(name)).toBeGreaterThan(0)
    expect(raced.refusals.get('WRONG_STATE')).toBeGreaterThan(0)
  },
  300_000,
)
