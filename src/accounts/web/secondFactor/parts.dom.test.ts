import { render, screen } from '@testing-library/react'
import { createElement, type ReactElement, Suspense } from 'react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { stubMedia } from '../../../testing/media.ts'
import { Queries } from '../../../testing/web/Queries.tsx'
import { NewCodesDialog, PasskeyDialog, RenamePasskeyDialog, TotpDialog } from './parts.ts'

const onClose = () => {}
const passkey = { id: 'p1', name: 'Pixel 8', createdAt: '2026-11-20T10:00:00.000Z', lastUsedAt: null, backedUp: false }

beforeEach(() => {
  stubMedia()
})
afterEach(() => vi.unstubAllGlobals())

test.each<[string, ReactElement]>([
  ['Add a passkey', createElement(PasskeyDialog, { inForce: false, onClose })],
  ['Set up an authenticator app', createElement(TotpDialog, { inForce: false, onClose })],
  ['Generate new recovery codes?', createElement(NewCodesDialog, { onClose })],
  ['Rename passkey', createElement(RenamePasskeyDialog, { passkey, onClose })],
])(
  'the dialog “%s” opens once its code has loaded',
  async (title, dialog) => {
    render(createElement(Suspense, { fallback: 'Loading' }, dialog), { wrapper: Queries })
    expect(await screen.findByRole('dialog', { name: title }, { timeout: 20_000 })).toBeDefined()
  },
  30_000,
)
