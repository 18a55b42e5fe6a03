import { getHeapSpaceStatistics } from 'node:v8'
import { expect, test } from 'vitest'
import { giveBackMemory } from './memory.ts'

const spaceForNewObjects = () => getHeapSpaceStatistics().find(space => space.space_name === 'new_space')!.space_size

test('the space that many new objects took up is given back', () => {
  let kept: object[] = []
  for (let number = 0; number < 1_000_000; number++) kept.push({ number })
  expect(kept).toHaveLength(1_000_000)
  const taken = spaceForNewObjects()
  kept = []
  giveBackMemory()
  expect(spaceForNewObjects()).toBeLessThan(taken / 2)
})
