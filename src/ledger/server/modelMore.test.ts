/** The other half of the histories of model.test.ts, in a file of its own so that both run at the same time. */
import { expect, inject, test } from 'vitest'
import { cloneTemplate } from '../../testing/databases.ts'
import { playAll } from '../../testing/model/histories.ts'

const actions = 5000

// A retry would play the same history, so there is none.
const once = { retry: 0, timeout: 900_000 }

test('any other history keeps every cent and every answer, too', once, async () => {
  const newDatabase = () => cloneTemplate(inject('serverUrl'))
  const played = await playAll({ newDatabase, seed: 20270101, actions, shortenWithinMs: 60_000 })
  expect(played.actions).toBe(actions)
})
