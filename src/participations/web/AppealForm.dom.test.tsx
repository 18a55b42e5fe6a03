import { fireEvent, render, screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { stubLocalStorage } from '../../testing/localStorage.ts'
import { Queries } from '../../testing/web/Queries.tsx'
import type { CampaignTester } from '../contract.ts'
import { AppealForm } from './AppealForm.tsx'

test('the form says how long an appeal has to be, and counts what is written', () => {
  stubLocalStorage()
  render(<AppealForm of={{ id: 't1' } as CampaignTester} onClose={() => {}} />, { wrapper: Queries })
  expect(screen.getByText('0 of at least 30 characters').isConnected).toBe(true)
  fireEvent.change(screen.getByLabelText('Your appeal'), { target: { value: 'I did    test it.' } })
  expect(screen.getByText('14 of at least 30 characters').isConnected).toBe(true)
})
