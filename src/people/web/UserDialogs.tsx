import { lazy } from 'react'

const MessageDialog = lazy(async () => ({ default: (await import('./MessageDialog.tsx')).MessageDialog }))
const BanUserDialog = lazy(async () => ({ default: (await import('./BanUserDialog.tsx')).BanUserDialog }))
const RestoreDialog = lazy(async () => ({ default: (await import('./RestoreDialog.tsx')).RestoreDialog }))

export type UserDeed = 'message' | 'ban' | 'restore'

const dialogs: Record<UserDeed, typeof MessageDialog> = {
  message: MessageDialog,
  ban: BanUserDialog,
  restore: RestoreDialog,
}

type Props = { user: { id: string; name: string }; deed: UserDeed | null; onClose: () => void }

/** What an admin can do to a user, each in its dialog, loaded when it is first wanted. */
export const UserDialogs = ({ user, deed, onClose }: Props) => {
  if (deed === null) return null
  const Wanted = dialogs[deed]
  return <Wanted user={user} open onOpenChange={open => !open && onClose()} />
}
