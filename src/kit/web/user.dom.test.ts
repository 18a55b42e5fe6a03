import { act, cleanup, renderHook } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { session } from './session.ts'
import { useUser } from './user.ts'

const ann = { id: 'ann', email: 'ann@example.com', name: 'Ann', role: 'TESTER' } as const

afterEach(() => {
  cleanup()
  vi.restoreAllMocks()
  session.clear()
})

test('a screen knows who is signed in, and learns of changes to the profile', () => {
  session.signIn({ accessToken: 'access', refreshToken: 'refresh', user: ann })
  const { result } = renderHook(useUser)
  expect(result.current).toEqual(ann)
  act(() => session.update({ ...ann, name: 'Ann Archer' }))
  expect(result.current.name).toBe('Ann Archer')
})

test('a screen that needs a user is not rendered for a visitor', () => {
  vi.spyOn(console, 'error').mockImplementation(() => {})
  expect(() => renderHook(useUser)).toThrow('This screen needs a signed-in user')
})
