import { act, fireEvent, render, screen, waitFor } from '@testing-library/react'
import { MemoryRouter } from 'react-router'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { endpointTable } from '../../app/web/endpointTable.ts'
import { provideCalls } from '../../kit/web/api.ts'
import { queryClient } from '../../kit/web/query.ts'
import { notify } from '../../kit/web/ui/toast.tsx'
import { stubNetwork } from '../../testing/network.ts'
import { Queries } from '../../testing/web/Queries.tsx'
import type { Bug } from '../contract.ts'
import { Decisions } from './Decisions.tsx'
import { RetestCard } from './RetestCard.tsx'

provideCalls(endpointTable)

const bug = {
  id: 'b1',
  status: 'OPEN',
  severity: 'LOW',
  device: { model: 'Pixel 8' },
  actions: ['setSeverity', 'confirm'],
  duplicates: [],
  retest: null,
} as unknown as Bug

let network: ReturnType<typeof stubNetwork>
let replies: ((response: Response) => void)[]
const bodies = () => network.sent.map(({ body }) => body)
const reply = (status = 200) => act(async () => replies.shift()!(Response.json({ message: 'No.' }, { status })))

beforeEach(() => {
  vi.spyOn(console, 'error').mockImplementation(() => {})
  replies = []
  network = stubNetwork()
  network.answer = () => new Promise(resolve => replies.push(resolve))
})
afterEach(() => {
  queryClient.clear()
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

const shown = () => {
  render(
    <MemoryRouter>
      <Decisions bug={bug} decides />
    </MemoryRouter>,
    { wrapper: Queries },
  )
  const severity = screen.getByLabelText<HTMLSelectElement>('Severity')
  severity.focus()
  return { severity, choose: (value: string) => fireEvent.change(severity, { target: { value } }) }
}

test('arrow keys step through the severities: the last one is shown, and those in between are not sent', async () => {
  const { severity, choose } = shown()
  choose('MEDIUM')
  await waitFor(() => expect(bodies()).toEqual([{ severity: 'MEDIUM' }]))
  choose('HIGH')
  choose('CRITICAL')
  await waitFor(() => expect(severity.value).toBe('CRITICAL'))
  expect([severity.disabled, document.activeElement]).toEqual([false, severity])
  await reply()
  await waitFor(() => expect(bodies()).toEqual([{ severity: 'MEDIUM' }, { severity: 'CRITICAL' }]))
  expect(severity.value).toBe('CRITICAL')
  await reply()
})

test('a refused severity is no longer shown', async () => {
  const said = vi.spyOn(notify, 'error').mockReturnValue()
  const { severity, choose } = shown()
  choose('HIGH')
  await waitFor(() => expect(severity.value).toBe('HIGH'))
  await waitFor(() => expect(replies).toHaveLength(1))
  await reply(409)
  await waitFor(() => expect(severity.value).toBe('LOW'))
  expect(said.mock.calls).toEqual([['No.']])
})

test('the pressed answer of a retest keeps the focus when it is refused', async () => {
  render(<RetestCard bug={{ ...bug, retest: { version: '1.2' } } as Bug} />, { wrapper: Queries })
  const works = screen.getByRole<HTMLButtonElement>('button', { name: 'Works now' })
  const broken = screen.getByRole<HTMLButtonElement>('button', { name: 'Still broken' })
  works.focus()
  fireEvent.click(works)
  await waitFor(() => expect(replies).toHaveLength(1))
  expect([works.disabled, broken.disabled]).toEqual([false, true])
  await reply(409)
  await waitFor(() => expect(broken.disabled).toBe(false))
  expect(document.activeElement).toBe(works)
})
