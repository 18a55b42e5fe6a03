/** The dialogs for second factors, loaded when first opened. */
import { lazy } from 'react'

export const PasskeyDialog = lazy(async () => ({ default: (await import('./PasskeyDialog.tsx')).PasskeyDialog }))
export const TotpDialog = lazy(async () => ({ default: (await import('./TotpDialog.tsx')).TotpDialog }))
export const NewCodesDialog = lazy(async () => ({ default: (await import('./NewCodesDialog.tsx')).NewCodesDialog }))
export const RemoveDialog = lazy(async () => ({ default: (await import('./RemoveDialog.tsx')).RemoveDialog }))
export const RenamePasskeyDialog = lazy(async () => ({
  default: (await import('./RenamePasskeyDialog.tsx')).RenamePasskeyDialog,
}))
