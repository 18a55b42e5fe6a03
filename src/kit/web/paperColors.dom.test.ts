import { cleanup, renderHook } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { usePaperColors } from './paperColors.ts'

const { dataset: look } = document.documentElement
const prints = (step: 'before' | 'after') => dispatchEvent(new Event(`${step}print`))

afterEach(() => {
  cleanup()
  delete look['theme']
})

test('paper is light, and afterwards the screen has its theme again, even one chosen since the last print', () => {
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

test('a screen without a theme does not get the theme "undefined"', () => {
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
