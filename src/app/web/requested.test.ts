import { expect, test, vi } from 'vitest'
import { requestedIn } from './requested.ts'

vi.stubGlobal('location', { origin: 'https://fieldtest.example' })

const query = (from: string) => `?${new URLSearchParams({ from })}`

test('the requested page is read from the query, with its own query and hash', () => {
  expect(requestedIn(query('/dashboard/campaigns?search=a%26b#top'))).toEqual({
    pathname: '/dashboard/campaigns',
    search: '?search=a%26b',
    hash: '#top',
  })
  expect(requestedIn(query('/dashboard'))).toMatchObject({ pathname: '/dashboard' })
})

test.each([
  'https://evil.example/dashboard',
  '//evil.example/dashboard',
  String.raw`\\evil.example/dashboard`,
  'javascript:alert(1)',
  '/dashboard/../login',
  '/dashboardish',
  '/login',
  'http://[',
  '',
])('%j is not a page of the app', from => expect(requestedIn(query(from))).toBeNull())

test('without the parameter there is no requested page', () => expect(requestedIn('?role=tester')).toBeNull())
