import { expect, test } from 'vitest'
import { labelEvery, ticksOf } from './scale.ts'

test('ticks are round numbers that span zero and every value', () => {
  expect(ticksOf([166, 437], 1)).toEqual([0, 200, 400, 600])
  expect(ticksOf([3], 1)).toEqual([0, 1, 2, 3])
  expect(ticksOf([43_700, 16_000], 100)).toEqual([0, 20_000, 40_000, 60_000])
  expect(ticksOf([4], 1)).toEqual([0, 1, 2, 3, 4])
  expect(ticksOf([5], 1)).toEqual([0, 2, 4, 6])
  expect(ticksOf([20], 1)).toEqual([0, 5, 10, 15, 20])
  expect(ticksOf([24], 1)).toEqual([0, 10, 20, 30])
  expect(ticksOf([400], 1)).toEqual([0, 100, 200, 300, 400])
  expect(ticksOf([6], 1, 2)).toEqual([0, 5, 10])
})

test('a negative value has ticks below zero', () => {
  expect(ticksOf([1000, -500], 100)).toEqual([-500, 0, 500, 1000])
  expect(ticksOf([1000, -300], 100)).toEqual([-500, 0, 500, 1000])
  expect(ticksOf([-300, -100], 100)).toEqual([-300, -200, -100, 0])
})

test('an axis of dollars never repeats a label, and an axis without values still has a height', () => {
  expect(ticksOf([150], 100)).toEqual([0, 100, 200])
  expect(ticksOf([0, 0], 1)).toEqual([0, 1])
  expect(ticksOf([], 100)).toEqual([0, 100])
})

test('labels are skipped until each has enough room', () => {
  expect(labelEvery(6, 300, 34)).toBe(1)
  expect(labelEvery(24, 300, 34)).toBe(3)
  expect(labelEvery(24, 272, 34)).toBe(3)
  expect(labelEvery(24, 271, 34)).toBe(4)
  expect(labelEvery(24, 0, 34)).toBe(24)
  expect(labelEvery(0, 300, 34)).toBe(1)
})
