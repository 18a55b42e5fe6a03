import { expect, test } from 'vitest'
import { ApiError } from './apiError.ts'
import { allPages } from './csvExport.ts'

const noPause = async () => undefined

/** A list of this many numbers, whose cursor is the next number, and the cursors that it was asked for. */
const listOf = (total: number, onAsk: () => void = () => undefined) => {
  const cursors: (string | undefined)[] = []
  const numbers = Array.from({ length: total }, (_, index) => index)
  const fetchPage = async ({ cursor, limit }: { cursor: string | undefined; limit: number }) => {
    onAsk()
    cursors.push(cursor)
    const from = Number(cursor ?? 0)
    return { data: numbers.slice(from, from + limit), nextCursor: from + limit < total ? String(from + limit) : null }
  }
  return { cursors, numbers, fetchPage }
}

const all = async (list: ReturnType<typeof listOf>, pause: (ms: number) => Promise<void> = noPause) =>
  (await Array.fromAsync(allPages(list.fetchPage, pause))).flat()

test('an export has every row of the list in order, page after page', async () => {
  const list = listOf(205)
  expect(await all(list)).toEqual(list.numbers)
  expect(list.cursors).toEqual([undefined, '100', '200'])
})

test('no page is requested after the last one', async () => {
  for (const total of [0, 1, 100]) {
    const list = listOf(total)
    expect(await all(list)).toHaveLength(total)
    expect(list.cursors).toHaveLength(1)
  }
})

test('it continues where it was when the server was busy, and ends with any other refusal', async () => {
  const answers = [429, 503, 0]
  const waits: number[] = []
  const list = listOf(205, () => {
    const status = answers.pop()
    if (status !== undefined) throw new ApiError(status, 'Not now')
  })
  const pause = async (ms: number) => void waits.push(ms)
  expect(await all(list, pause)).toEqual(list.numbers)
  expect(waits).toEqual([5000, 5000, 5000])
  const refusing = listOf(205, () => {
    throw new ApiError(403, 'Not you')
  })
  await expect(all(refusing)).rejects.toThrow('Not you')
  const gone = listOf(205, () => {
    throw new ApiError(503, 'Restarting')
  })
  await expect(all(gone)).rejects.toThrow('Restarting')
})

test('a long export leaves the server time for others', async () => {
  const waits: number[] = []
  await all(listOf(30_000), async ms => void waits.push(ms))
  expect(waits).toHaveLength(99)
})
