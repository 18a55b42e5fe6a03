import { afterEach, expect, test, vi } from 'vitest'
import { stubLocalStorage } from '../../testing/localStorage.ts'
import { deviceFingerprint } from './deviceFingerprint.ts'

afterEach(() => {
  vi.unstubAllGlobals()
})

test('a browser keeps its name on every visit, and another browser has another', () => {
  stubLocalStorage()
  const first = deviceFingerprint()
  expect(first).toMatch(/^[0-9a-f]{32}$/)
  expect(deviceFingerprint()).toBe(first)
  stubLocalStorage()
  expect(deviceFingerprint()).not.toBe(first)
})

test('a name stored on an earlier visit is kept', () => {
  stubLocalStorage().setItem('deviceFingerprint', 'earlier')
  expect(deviceFingerprint()).toBe('earlier')
})
