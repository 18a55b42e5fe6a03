import { cleanup, renderHook } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { usePaperColors } from './paperColors.ts'

const { dataset: look } = document.documentElement
const prints = (step: 'before' | 'after') => dispatchEvent(new Event(`${step}print`))

afterEach(() => {
  cleanup()
  delete look['theme']
})

test('paper is light, and the screen has its own theme again afterwards, also one chosen meanwhile', () => {
  look['theme'] = 'dark'
  renderHook(usePaperColors)
  prints('before')
  expect(look['theme']).toBe('light')
  prints('after')
  expect(look['theme']).toBe('dark')
  look['theme'] = 'light'
  prints('before')
  prints('after')
  expect(look['theme']).toBe('light')
})

test('a screen without a theme is not given one for good by the word undefined', () => {
  renderHook(usePaperColors)
  prints('before')
  prints('after')
  expect(look['theme']).toBe('light')
})

test.each(['before', 'after'] as const)('a screen that is gone changes nothing %s a print', step => {
  look['theme'] = 'dark'
  renderHook(usePaperColors).unmount()
  look['theme'] = 'sepia'
  prints(step)
  expect(look['theme']).toBe('sepia')
})
