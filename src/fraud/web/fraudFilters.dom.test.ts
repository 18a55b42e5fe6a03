import { act, renderHook } from '@testing-library/react'
import { BrowserRouter } from 'react-router'
import { expect, test } from 'vitest'
import { useFraudFilters } from './fraudFilters.ts'

test('Back closes a report that was opened, and does not reopen one that was closed', () => {
  history.pushState(null, '', '/dashboard/fraud?severity=HIGH')
  const { result } = renderHook(useFraudFilters, { wrapper: BrowserRouter })
  const steps = history.length
  const shown = () => [result.current.report, location.search, history.length - steps]
  expect(shown()).toEqual([null, '?severity=HIGH', 0])
  act(() => result.current.investigate('r1'))
  expect(shown()).toEqual(['r1', '?severity=HIGH&report=r1', 1])
  act(() => result.current.investigate(null))
  expect(shown()).toEqual([null, '?severity=HIGH', 1])
})
