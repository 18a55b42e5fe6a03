/** What a list says of a developer. */
import { render, screen } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { endpointTable } from '../../app/web/endpointTable.ts'
import { provideCalls } from '../../kit/web/api.ts'
import { queryClient } from '../../kit/web/query.ts'
import { stubLocalStorage } from '../../testing/localStorage.ts'
import { stubNetwork } from '../../testing/network.ts'
import { Queries } from '../../testing/web/Queries.tsx'
import { DeveloperLine } from './DeveloperLine.tsx'

provideCalls(endpointTable)
stubLocalStorage()
afterEach(() => {
  queryClient.clear()
  vi.unstubAllGlobals()
})

const noFigures = { testsDone: null, answerTime: null, rejected: null, appealsLost: null }

test.each([
  [{ answerTime: { hours: 6, of: 10 } }, 'Usually answers within 6 h'],
  [{}, 'Fewer than 5 proofs reviewed so far'],
])('has one line, before and after the answer: %o', async (figures, line) => {
  stubNetwork().answer = () => Response.json([{ developerId: 'd1', ...noFigures, ...figures }])
  const { container } = render(<DeveloperLine developerId="d1" among={['d1']} />, { wrapper: Queries })
  expect(container.querySelectorAll('p')).toHaveLength(1)
  expect(container.textContent).toBe('\u00a0')
  expect(await screen.findByText(line)).toBeDefined()
  expect(container.querySelectorAll('p')).toHaveLength(1)
})
