import { renderHook } from '@testing-library/react'
import { expect, test } from 'vitest'
import { expectHeading } from './arrival.ts'
import { useDrawn, useDrawnFromTop } from './drawn.ts'

type Table = { rows: number; atATime: number; isSliced?: boolean }

/** How many rows each render of the list drew, for each of these tables in turn. */
const drawings = (first: Table, ...next: Table[]): number[][] => {
  let seen: number[] = []
  const { rerender } = renderHook(
    ({ rows, atATime, isSliced }: Table) => {
      seen.push(useDrawn(rows, atATime, isSliced))
    },
    { initialProps: first },
  )
  return [
    seen,
    ...next.map(table => {
      seen = []
      rerender(table)
      return seen
    }),
  ]
}
/** Without repeated renders of the same number. */
const distinct = (seen: number[]) => seen.filter((count, place) => count !== seen[place - 1])

test.each<[string, Table[], number[][]]>([
  ['in steps, up to the last row', [{ rows: 8, atATime: 3 }], [[3, 6, 8]]],
  [
    'in steps that go on when more rows come',
    [
      { rows: 6, atATime: 3 },
      { rows: 11, atATime: 3 },
    ],
    [
      [3, 6],
      [6, 9, 11],
    ],
  ],
  ['in one go where all of the screen is needed', [{ rows: 8, atATime: 3, isSliced: false }], [[8]]],
  [
    'in one go also when the rows come later, and in steps what follows them',
    [0, 8, 15].map(rows => ({ rows, atATime: 3, isSliced: false })),
    [[0], [8], [8, 11, 14, 15]],
  ],
  ['in steps after a single row', [1, 8].map(rows => ({ rows, atATime: 3, isSliced: false })), [[1], [1, 4, 7, 8]]],
  [
    'all at once without steps, also what follows',
    [5, 9].map(rows => ({ rows, atATime: Infinity, isSliced: false })),
    [[5], [9]],
  ],
  [
    'as many as are left',
    [
      { rows: 8, atATime: 4 },
      { rows: 2, atATime: 4 },
    ],
    [[4, 8], [2]],
  ],
])('a list is drawn %s', (_, [first, ...next], expected) => {
  expect(drawings(first!, ...next).map(distinct)).toEqual(expected)
})

test('a list is drawn in steps on a screen that is read from its top, and all at once elsewhere', () => {
  const seen: number[] = []
  const useList = () => {
    seen.push(useDrawnFromTop(8, 5))
  }
  renderHook(useList)
  expect(distinct(seen.splice(0))).toEqual([8])
  expectHeading()
  renderHook(useList)
  expect(distinct(seen)).toEqual([5, 8])
})
