import { cleanup, renderHook } from '@testing-library/react'
import { useLayoutEffect } from 'react'
import { afterEach, expect, test, vi } from 'vitest'
import { refuseLocalStorage } from '../../testing/localStorage.ts'
import { type ScreenKey, screenKeys, singleKeys, useScreenKeys } from './screenKeys.ts'

const key = (letter: string): ScreenKey[] => [{ key: letter, label: letter, press: () => {} }]
const shown = (initialProps: ScreenKey[]) => renderHook(useScreenKeys, { initialProps })
const letters = () => screenKeys().map(of => of.key)

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

test('a screen has its keys while it is shown, and always its current ones', () => {
  const { rerender, unmount } = shown(key('a'))
  expect(letters()).toEqual(['a'])
  rerender(key('b'))
  expect(letters()).toEqual(['b'])
  unmount()
  expect(letters()).toEqual([])
})

test('a key acts on what is shown from the first moment, before the browser has painted it', () => {
  const seen: string[][] = []
  const { rerender } = renderHook(
    (keys: ScreenKey[]) => {
      useScreenKeys(keys)
      useLayoutEffect(() => void seen.push(letters()))
    },
    { initialProps: key('a') },
  )
  rerender(key('b'))
  expect(seen).toEqual([['a'], ['b']])
})

test('a screen that is removed after the next one appeared leaves that one’s keys alone', () => {
  const old = shown(key('a'))
  shown(key('b'))
  old.unmount()
  expect(letters()).toEqual(['b'])
})

test('single keys are on until they are switched off, which this browser remembers after a reload', async () => {
  expect(singleKeys.on()).toBe(true)
  singleKeys.set(false)
  expect(singleKeys.on()).toBe(false)
  vi.resetModules()
  expect((await import('./screenKeys.ts')).singleKeys.on()).toBe(false)
  singleKeys.set(true)
  expect(singleKeys.on()).toBe(true)
})

test('they are on if nothing can be stored', () => {
  refuseLocalStorage()
  expect(singleKeys.on()).toBe(true)
})
