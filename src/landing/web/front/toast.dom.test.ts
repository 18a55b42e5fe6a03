import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { showLandingPage, theOne } from '../../../testing/web/landingPage.ts'
import { toast } from './toast.ts'

const shown = () => [...theOne('#toasts').children].map(({ children }) => [...children].map(line => line.textContent))

beforeEach(() => {
  vi.useFakeTimers()
  showLandingPage()
})
afterEach(() => {
  vi.useRealTimers()
})

test('each toast shows its title and text for four seconds', () => {
  toast('Saved', 'It is kept.')
  vi.advanceTimersByTime(1000)
  toast('Sent', 'It is on its way.')
  expect(shown()).toEqual([
    ['Saved', 'It is kept.'],
    ['Sent', 'It is on its way.'],
  ])
  expect(document.querySelectorAll('#toasts > .toast')).toHaveLength(2)
  vi.advanceTimersByTime(2999)
  expect(shown()).toHaveLength(2)
  vi.advanceTimersByTime(1)
  expect(shown()).toEqual([['Sent', 'It is on its way.']])
})

test('a page without a place for toasts does not break', () => {
  theOne('#toasts').remove()
  toast('Saved', 'It is kept.')
  expect(() => vi.runAllTimers()).not.toThrow()
})
