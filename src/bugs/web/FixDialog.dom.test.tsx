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
])('%i duplicates are counted as reports: several may be of one tester', async (count, sentence) => {
  const duplicates = Array.from({ length: count }, () => ({}))
  render(<FixDialog bug={{ number: 7, alias: 'Tester 1', duplicates } as unknown as Bug} onClose={() => {}} />)
  expect((await screen.findByRole('dialog')).textContent).toContain(sentence)
})
