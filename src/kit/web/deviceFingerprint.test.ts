import { afterEach, expect, test, vi } from 'vitest'
import { stubLocalStorage } from '../../testing/localStorage.ts'
import { deviceFingerprint } from './deviceFingerprint.ts'

afterEach(() => {
  vi.unstubAllGlobals()
})

test('a browser is known by the same name on every visit, and another one by another', () => {
  stubLocalStorage()
  const first = deviceFingerprint()
  expect(first).toMatch(/^[0-9a-f]{32}$/)
  expect(deviceFingerprint()).toBe(first)
  stubLocalStorage()
  expect(deviceFingerprint()).not.toBe(first)
})

test('the name that an earlier visit left is kept', () => {
  stubLocalStorage().setItem('deviceFingerprint', 'earlier')
  expect(deviceFingerprint()).toBe('earlier')
})
