import { render, screen } from '@testing-library/react'
import { MemoryRouter } from 'react-router'
import { expect, test } from 'vitest'
import type { AppVersion } from '../contract.ts'
import { Versions } from './Versions.tsx'

const reporter = { bugId: 'b1', alias: 'Tester 1', own: true, result: null, open: true }
const shown = (reporters: object[]) => {
  const bug = { id: 'b1', number: 1, title: 'Crash', mayOpen: true, reporters }
  const version = {
    id: 'v1',
    version: '1.2',
    publishedAt: '2026-11-22T08:00:00.000Z',
    changes: [{ id: 'c1', text: 'No crash any more', bugs: [bug], feedback: [] }],
  } as unknown as AppVersion
  return render(<Versions of={[version]} />, { wrapper: MemoryRouter })
}

test('a tester is asked whether a change works only while the answer is awaited', () => {
  const { unmount } = shown([reporter, { ...reporter, bugId: 'b2', own: false, alias: 'Tester 2' }])
  expect(screen.getByRole('link', { name: 'Does it work now?' })).toBeTruthy()
  expect(screen.getByText('Tester 2: not tested yet')).toBeTruthy()
  unmount()
  shown([
    { ...reporter, open: false },
    { ...reporter, bugId: 'b2', own: false, alias: 'Tester 2', open: false },
  ])
  expect(screen.queryByRole('link', { name: 'Does it work now?' })).toBeNull()
  for (const who of ['You', 'Tester 2']) expect(screen.getByText(`${who}: no longer asked`)).toBeTruthy()
})
