import { expect, test } from 'vitest'
import { allPages } from './csvExport.ts'

/** A list of so many numbers, and the pages of it that were requested. */
const listOf = (total: number, held = total) => {
  const pages: number[] = []
  const numbers = Array.from({ length: held }, (_, index) => index)
  const fetchPage = async ({ page, limit }: { page: number; limit: number }) => {
    pages.push(page)
    return { data: numbers.slice((page - 1) * limit, page * limit), total }
  }
  return { pages, numbers, fetchPage }
}

test('an export holds every page of the list, in order', async () => {
  const list = listOf(205)
  expect(await allPages(list.fetchPage)).toEqual(list.numbers)
  expect(list.pages).toEqual([1, 2, 3])
})

test('no page is requested after the last one', async () => {
  for (const total of [0, 1, 100]) {
    const list = listOf(total)
    expect(await allPages(list.fetchPage)).toHaveLength(total)
    expect(list.pages).toEqual([1])
  }
})

test('an export of a list that shrinks in the meantime still ends', async () => {
  const list = listOf(300, 150)
  expect(await allPages(list.fetchPage)).toHaveLength(150)
  expect(list.pages).toEqual([1, 2, 3])
})
