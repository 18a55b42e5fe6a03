import { act, cleanup, renderHook } from '@testing-library/react'
import { BrowserRouter } from 'react-router'
import { afterEach, expect, test } from 'vitest'
import { useOpenedTester } from './openedTester.ts'

const shownAt = (search: string) => {
  history.replaceState(null, '', `/campaigns/c1${search}`)
  const { result } = renderHook(useOpenedTester, { wrapper: BrowserRouter })
  return {
    opened: () => result.current[0],
    open: (opened: Parameters<(typeof result.current)[1]>[0]) => act(() => result.current[1](opened)),
  }
}

afterEach(cleanup)

test('a link opens its tester, and without one nobody is open', () => {
  expect(shownAt('?tester=t1').opened()).toEqual({ id: 't1', day: null })
  cleanup()
  expect(shownAt('').opened()).toBeNull()
})

test('the tester that is open stands in the address, and Back leads past it', () => {
  const { opened, open } = shownAt('?testers=AT_RISK')
  const before = history.length
  open({ id: 't2', day: '2026-11-22' })
  expect(opened()).toEqual({ id: 't2', day: '2026-11-22' })
  expect([location.search, history.length]).toEqual(['?testers=AT_RISK&tester=t2', before])
  open(null)
  expect([opened(), location.search, history.length]).toEqual([null, '?testers=AT_RISK', before])
})

test('the day is that of what was opened last', () => {
  const { opened, open } = shownAt('')
  open({ id: 't1', day: '2026-11-22' })
  open({ id: 't1', day: null })
  expect(opened()).toEqual({ id: 't1', day: null })
  open({ id: 't1', day: '2026-11-23' })
  open(null)
  open({ id: 't2', day: null })
  expect(opened()).toEqual({ id: 't2', day: null })
})
