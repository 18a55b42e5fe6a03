/** What the review desk says of a proof: only decisions that are still possible are named. */
import { cleanup, render, screen } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { endpointTable } from '../../app/web/endpointTable.ts'
import type { Campaign } from '../../campaigns/contract.ts'
import { provideCalls } from '../../kit/web/api.ts'
import { queryClient } from '../../kit/web/query.ts'
import { session } from '../../kit/web/session.ts'
import { Queries } from '../../testing/web/Queries.tsx'
import type { CampaignTester, ParticipationAction } from '../contract.ts'
import { ConsentNotice } from './ConsentNotice.tsx'
import { DecisionBar } from './DecisionBar.tsx'
import { participationKeys } from './keys.ts'

provideCalls(endpointTable)
afterEach(() => {
  cleanup()
  queryClient.clear()
  session.clear()
})

const none = () => {}
const proof = (actions: ParticipationAction[], more: object = {}) =>
  ({ status: 'SUBMITTED', alias: 'Tester 1', actions, changesRequested: 3, ...more }) as unknown as CampaignTester

test.each([
  [['verify', 'reject'], 'which is the limit. Verify or reject this proof.'],
  [['verify'], 'which is the limit. Verify this proof.'],
] as const)('after the last request for changes, with %j', (actions, words) => {
  const campaign = { payPerTesterCents: 1000 } as Campaign
  const open = proof([...actions])
  render(<DecisionBar campaign={campaign} open={open} onVerify={none} onChanges={none} onReject={none} onUndo={none} />)
  expect(screen.getByRole('region', { name: 'Decision' }).textContent).toContain(words)
})

test.each([
  [null, ['verify', 'requestChanges'], 'You can still verify it or request changes.'],
  [null, ['verify'], 'You can still verify it.'],
  ['REFUSED', ['verify', 'requestChanges'], 'Verify the proof, or request changes.'],
  ['REFUSED', ['verify'], 'Verify the proof.'],
] as const)('an admin’s consent that is %s, with %j', (outcome, actions, words) => {
  session.signIn({
    accessToken: 'access',
    refreshToken: 'refresh',
    user: { id: 'd1', name: 'Dora', email: 'dora@example.test', role: 'DEVELOPER' },
  })
  queryClient.setQueryData(participationKeys.consent, { needed: true, overturned: 3, of: 5 })
  const consentRequest = { reason: 'No.', note: 'It shows the app.', outcome }
  const test1 = proof([...actions], { consentRequest, deadlineAt: '2026-11-27T08:00:00.000Z' })
  render(<ConsentNotice of={test1} />, { wrapper: Queries })
  expect(screen.getByRole('note').textContent?.endsWith(words)).toBe(true)
})
