import { act, cleanup, renderHook } from '@testing-library/react'
import { BrowserRouter } from 'react-router'
import { afterEach, expect, test } from 'vitest'
import { useMatrixFilter } from './matrixFilter.ts'

const shownAt = (search: string) => {
  history.replaceState(null, '', `/campaigns/c1${search}`)
  return renderHook(useMatrixFilter, { wrapper: BrowserRouter }).result
}

afterEach(cleanup)

test.each(['AT_RISK', 'STUCK', 'SUBMITTED', 'WAITLISTED', 'CANCELLED'])('a link shows the testers of %s', filter => {
  expect(shownAt(`?testers=${filter}`).current[0]).toBe(filter)
})

test('an address without a filter, or with an unknown one, shows all', () => {
  expect(shownAt('').current[0]).toBeNull()
  cleanup()
  expect(shownAt('?testers=LATE').current[0]).toBeNull()
})

test('the filter that is chosen stands in the address', () => {
  const result = shownAt('')
  act(() => result.current[1]('STUCK'))
  expect([result.current[0], location.search]).toEqual(['STUCK', '?testers=STUCK'])
  act(() => result.current[1](null))
  expect([result.current[0], location.search]).toEqual([null, ''])
})
