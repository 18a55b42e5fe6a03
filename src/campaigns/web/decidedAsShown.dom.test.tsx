/** Whatever an admin decides is what the screen showed when the dialog was opened, however the page behind it has changed since. */
import { fireEvent, render, screen, waitFor } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { endpointTable } from '../../app/web/endpointTable.ts'
import { provideCalls } from '../../kit/web/api.ts'
import { stubNetwork } from '../../testing/network.ts'
import { Queries } from '../../testing/web/Queries.tsx'
import { withDialogs } from '../../testing/web/dialogs.ts'
import type { Campaign } from '../contract.ts'
import { ActionDialog } from './ActionDialog.tsx'

provideCalls(endpointTable)
withDialogs()
afterEach(() => vi.unstubAllGlobals())

const shown = {
  id: 'c1',
  title: 'Notes',
  developer: { name: 'Dora' },
  submittedAt: '2026-11-21T08:00:00.000Z',
  distributionLink: 'https://play.example.test/old',
  pendingLink: 'https://play.example.test/shown',
  groupLink: null,
  pendingGroupLink: null,
} as unknown as Campaign
const later = { ...shown, submittedAt: '2026-11-21T09:00:00.000Z', pendingLink: 'https://play.example.test/later' }
const reason = 'The link is dead.'

test.each([
  ['approve', 'Approve', { submittedAt: shown.submittedAt }],
  ['reject', 'Reject campaign', { reason, submittedAt: shown.submittedAt }],
  ['approveLink', 'Approve link', { link: shown.pendingLink, groupLink: null }],
  ['rejectLink', 'Reject link', { reason, link: shown.pendingLink, groupLink: null }],
] as const)('%s decides on what was shown', async (action, label, body) => {
  const network = stubNetwork()
  const { rerender } = render(<ActionDialog action={action} campaign={shown} onClose={() => {}} />, {
    wrapper: Queries,
  })
  await screen.findByRole('button', { name: label })
  rerender(<ActionDialog action={action} campaign={later} onClose={() => {}} />)
  expect(screen.getByRole('dialog').textContent).not.toContain('later')
  const field = screen.queryByRole('textbox')
  if (field) fireEvent.change(field, { target: { value: reason } })
  fireEvent.click(screen.getByRole('button', { name: label }))
  await waitFor(() => expect(network.sent.filter(({ method }) => method === 'POST')).toMatchObject([{ body }]))
})
