import { render, screen } from '@testing-library/react'
import type { UseQueryResult } from '@tanstack/react-query'
import { MemoryRouter } from 'react-router'
import { expect, test } from 'vitest'
import { Queries } from '../../testing/web/Queries.tsx'
import { signedInAs } from '../../testing/web/signedIn.ts'
import type { Need, Needs } from '../contract.ts'
import { NeedsYou } from './NeedsYou.tsx'

signedInAs('ADMIN')

const need = (kind: Need['kind'], title: string | null): Need => ({
  kind,
  count: 2,
  campaign: title === null ? null : { id: '01a22865-434c-7ca6-8fb3-b88d586226f1', title },
  testId: null,
  bugId: null,
  user: null,
  severity: null,
  since: null,
  dueAt: null,
})

test('a list of links tells what each opens, where a need is about a campaign and where it is about many', () => {
  const data = { needs: [need('APPEALS', null), need('PAYOUTS', null), need('PROOFS', 'Tide Tables')], next: null }
  const loaded = { data, isPending: false, isError: false } as unknown as UseQueryResult<Needs>
  render(
    <MemoryRouter>
      <NeedsYou of={loaded} />
    </MemoryRouter>,
    { wrapper: Queries },
  )
  const names = screen.getAllByRole('link').map(link => link.textContent)
  expect(names).toEqual([
    'Decide: 2 appeals to decide',
    'Decide: 2 payouts to release or confirm',
    'Review: Tide Tables',
  ])
})
