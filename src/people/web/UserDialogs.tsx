import { type ComponentType, lazy } from 'react'
import type { AdminUser } from '../contract.ts'

type Props = { user: AdminUser; onClose: () => void }

export type UserAction = 'message' | 'ban' | 'restore'

/** Each dialog is loaded when it is first opened. */
const dialogs: Record<UserAction, ComponentType<Props>> = {
  message: lazy(async () => ({ default: (await import('./MessageDialog.tsx')).MessageDialog })),
  ban: lazy(async () => ({ default: (await import('./BanUserDialog.tsx')).BanUserDialog })),
  restore: lazy(async () => ({ default: (await import('./RestoreDialog.tsx')).RestoreDialog })),
}

/** The dialog of an admin's action on a user. */
export const UserDialogs = ({ action, ...props }: Props & { action: UserAction | null }) => {
  if (action === null) return null
  const ActionDialog = dialogs[action]
  return <ActionDialog {...props} />
}
