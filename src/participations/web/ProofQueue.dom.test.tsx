/** What the overview asks of a campaign's proofs: only those that wait for its developer are to review. */
import { cleanup, render, screen } from '@testing-library/react'
import { MemoryRouter } from 'react-router'
import { afterEach, expect, test } from 'vitest'
import { endpointTable } from '../../app/web/endpointTable.ts'
import type { Campaign } from '../../campaigns/contract.ts'
import { provideCalls } from '../../kit/web/api.ts'
import { queryClient } from '../../kit/web/query.ts'
import { Queries } from '../../testing/web/Queries.tsx'
import type { CampaignTester } from '../contract.ts'
import { ProofQueue } from './ProofQueue.tsx'
import { rosterPages } from './calls.ts'

provideCalls(endpointTable)
afterEach(() => {
  cleanup()
  queryClient.clear()
})

const proof = (number: number, outcome?: 'REFUSED' | null) =>
  ({
    id: `t${number}`,
    alias: `Tester ${number}`,
    deadlineAt: `2026-11-2${number}T12:00:00.000Z`,
    proof: null,
    consentRequest: outcome === undefined ? null : { outcome },
    campaign: { id: 'c1' },
  }) as unknown as CampaignTester

test.each([
  [[proof(1, null), proof(2), proof(3, 'REFUSED')], '2 proofs to review', ['Review', 'Review', 'See']],
  [[proof(1, null), proof(2)], 'Proof to review', ['Review', 'See']],
  [[proof(1, null)], 'Rejection waiting for an admin', ['See']],
  [[proof(1, null), proof(2, null)], '2 rejections waiting for an admin', ['See', 'See']],
])('of %# proofs, those whose rejection waits for an admin come last and are not to review', (proofs, head, links) => {
  queryClient.setQueryData(rosterPages('c1', 'SUBMITTED').queryKey, {
    pages: [{ items: proofs, nextCursor: null }],
    pageParams: [undefined],
  })
  render(
    <Queries>
      <MemoryRouter>
        <ProofQueue campaign={{ id: 'c1', reviewHours: 72 } as Campaign} />
      </MemoryRouter>
    </Queries>,
  )
  expect(screen.getByRole('heading').textContent).toBe(head)
  const shown = screen.getAllByRole('listitem').map(item => item.querySelector('a')!.textContent!.split(' ')[0])
  expect(shown).toEqual(links)
  expect(screen.getAllByText(/An admin decides on the rejection/)).toHaveLength(
    links.filter(link => link === 'See').length,
  )
})
