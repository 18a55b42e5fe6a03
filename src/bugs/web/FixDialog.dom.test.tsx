import { render, screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { withDialogs } from '../../testing/web/dialogs.ts'
import type { Bug } from '../contract.ts'
import { FixDialog } from './FixDialog.tsx'

withDialogs()

test.each([
  [0, 'We will ask Tester 1 whether it works now.'],
  [1, 'We will ask Tester 1 and whoever reported its duplicate whether it works now.'],
  [2, 'We will ask Tester 1 and whoever reported its 2 duplicates whether it works now.'],
])('%i duplicates count as reports, since several may come from one tester', async (count, sentence) => {
  const duplicates = Array.from({ length: count }, () => ({}))
  render(
    <FixDialog
      bug={{ number: 7, alias: 'Tester 1', canTestAgain: true, duplicates } as unknown as Bug}
      onClose={() => {}}
    />,
  )
  expect((await screen.findByRole('dialog')).textContent).toContain(sentence)
})

const cannot = 'Tester 1 can no longer test the app, so we cannot ask them for a retest.'
test.each([
  [0, cannot],
  [1, `${cannot} We will ask whoever reported its duplicate whether it works now.`],
])('a tester who has left is not asked anything, with %i duplicates', async (count, sentence) => {
  const duplicates = Array.from({ length: count }, () => ({}))
  const bug = { number: 7, alias: 'Tester 1', canTestAgain: false, duplicates } as unknown as Bug
  render(<FixDialog bug={bug} onClose={() => {}} />)
  const { textContent } = await screen.findByRole('dialog')
  expect(textContent).toContain(sentence)
  expect(textContent.includes('We will ask')).toBe(count > 0)
})
