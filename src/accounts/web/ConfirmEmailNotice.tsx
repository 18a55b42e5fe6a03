import { useSyncExternalStore } from 'react'
import { messageOf } from '../../kit/web/apiError.ts'
import { session } from '../../kit/web/session.ts'
import { useTask } from '../../kit/web/task.ts'
import { Button } from '../../kit/web/ui/Button.tsx'
import { notify } from '../../kit/web/ui/toast.tsx'
import { api } from './calls.ts'
import { useMe } from './face.tsx'
import { NoticeFrame } from './NoticeFrame.tsx'

/** Shown above every signed-in screen until the address is confirmed. Users with a confirmed address cause no request. */
export const ConfirmEmailNotice = () => {
  const user = useSyncExternalStore(session.subscribe, session.user)
  return user?.emailVerifiedAt === null ? <Unconfirmed email={user.email} /> : null
}

/** Loads the profile, which updates the session, because the link may have been used on another device. */
const Unconfirmed = ({ email }: { email: string }) => {
  const me = useMe()
  const again = useTask(async () => {
    try {
      await api.sendConfirmation()
      notify.success(`We sent a new link to ${email}`)
    } catch (error) {
      notify.error(messageOf(error, 'Failed to send the link'))
      // The address may have been confirmed meanwhile.
      await me.refetch()
    }
  })
  return (
    <NoticeFrame email={email}>
      <Button variant="outline" size="sm" loading={again.pending} onClick={() => void again.run()}>
        Send again
      </Button>
    </NoticeFrame>
  )
}
