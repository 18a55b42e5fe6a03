import { fireEvent, render, screen, waitFor } from '@testing-library/react'
import type { ReactElement } from 'react'
import { createMemoryRouter } from 'react-router'
import { RouterProvider } from 'react-router/dom'
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { endpointTable } from '../../../app/web/endpointTable.ts'
import { provideCalls } from '../../../kit/web/api.ts'
import { queryClient } from '../../../kit/web/query.ts'
import { preloadDialog } from '../../../kit/web/ui/Dialog.tsx'
import { stubNetwork } from '../../../testing/network.ts'
import { Queries } from '../../../testing/web/Queries.tsx'
import { PasskeyDialog } from './PasskeyDialog.tsx'
import { TotpDialog } from './TotpDialog.tsx'

provideCalls(endpointTable)

beforeAll(async () => {
  preloadDialog()
  await import('../../../kit/web/ui/DialogWindow.tsx')
})

/** Opens the first step and sends the password; the server replies when `answer` is called. */
const begin = async (dialog: ReactElement) => {
  const network = stubNetwork()
  const answers: ((response: Response) => void)[] = []
  network.answer = () => {
    const { promise, resolve } = Promise.withResolvers<Response>()
    answers.push(resolve)
    return promise
  }
  const router = createMemoryRouter([{ path: '/', element: <Queries>{dialog}</Queries> }])
  render(<RouterProvider router={router} useTransitions={false} />)
  const field = await screen.findByLabelText('Current password', {}, { timeout: 5000 })
  fireEvent.change(field, { target: { value: 'Secret-1234' } })
  fireEvent.click(screen.getByRole('button', { name: 'Continue' }))
  await waitFor(() => expect(network.sent).toHaveLength(1))
  return { network, answer: (body: object) => answers.at(-1)!(Response.json(body)) }
}

const tryToClose = () => {
  fireEvent.keyDown(screen.getByRole('dialog'), { key: 'Escape' })
  fireEvent.click(screen.getByRole('button', { name: 'Close' }))
}

const onClose = vi.fn()

beforeEach(() => {
  onClose.mockReset()
  vi.spyOn(console, 'error').mockImplementation(() => {})
})
afterEach(() => {
  queryClient.clear()
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

test('the dialog cannot be closed while the factor is being added, so its recovery codes are always seen', async () => {
  const { network, answer } = await begin(<TotpDialog inForce={false} onClose={onClose} />)
  tryToClose()
  answer({ secret: 'JBSWY3DP', uri: 'otpauth://totp/x' })
  fireEvent.change(await screen.findByLabelText('Code'), { target: { value: '123456' } })
  fireEvent.click(screen.getByRole('button', { name: 'Confirm' }))
  await waitFor(() => expect(network.sent).toHaveLength(2))
  tryToClose()
  expect(onClose).not.toHaveBeenCalled()
  answer({ recoveryCodes: ['aaaa-bbbb'] })
  await screen.findByText('aaaa-bbbb')
}, 20_000)

test('the dialog cannot be closed while a passkey is being added', async () => {
  vi.stubGlobal('PublicKeyCredential', class {})
  await begin(<PasskeyDialog inForce={false} onClose={onClose} />)
  tryToClose()
  expect(onClose).not.toHaveBeenCalled()
}, 20_000)

test('a dialog that waits for input can be closed', async () => {
  const { answer } = await begin(<TotpDialog inForce={false} onClose={onClose} />)
  answer({ secret: 'JBSWY3DP', uri: 'otpauth://totp/x' })
  await screen.findByLabelText('Code')
  tryToClose()
  expect(onClose).toHaveBeenCalled()
}, 20_000)
