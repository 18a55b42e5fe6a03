import { act, cleanup, renderHook } from '@testing-library/react'
import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { afterEach, expect, test, vi } from 'vitest'
import { stubMedia } from '../../testing/media.ts'
import { useMedia } from './media.ts'

const narrow = '(width < 40rem)'

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

test('a screen knows whether the window matches, and learns when that changes', () => {
  const media = stubMedia(narrow)
  const { result } = renderHook(useMedia, { initialProps: narrow })
  expect(result.current).toBe(true)
  for (const matches of [false, true]) {
    act(() => media.set(narrow, matches))
    expect(result.current).toBe(matches)
  }
})

test('a screen that is gone no longer listens', () => {
  stubMedia()
  const list = matchMedia(narrow)
  const [begun, ended] = [vi.spyOn(list, 'addEventListener'), vi.spyOn(list, 'removeEventListener')]
  renderHook(useMedia, { initialProps: narrow }).unmount()
  expect(begun).toHaveBeenCalled()
  expect(ended.mock.calls).toEqual(begun.mock.calls)
})

test('without a window nothing matches', () => {
  const Screen = () => (useMedia(narrow) ? 'narrow' : 'wide')
  expect(renderToStaticMarkup(createElement(Screen))).toBe('wide')
})
