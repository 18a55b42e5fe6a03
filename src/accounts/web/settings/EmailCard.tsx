import { Suspense, lazy, useState } from 'react'
import { messageOf } from '../../../kit/web/apiError.ts'
import { useTask } from '../../../kit/web/task.ts'
import { Badge } from '../../../kit/web/ui/Badge.tsx'
import { Button } from '../../../kit/web/ui/Button.tsx'
import { Query } from '../../../kit/web/ui/Query.tsx'
import { Skeleton } from '../../../kit/web/ui/States.tsx'
import { notify } from '../../../kit/web/ui/toast.tsx'
import { api } from '../calls.ts'
import { keepMe, useMe } from '../face.tsx'
import { EmailFrame } from './EmailFrame.tsx'

const EmailDialog = lazy(async () => ({ default: (await import('./EmailDialog.tsx')).EmailDialog }))

/** The account's address, whether it is confirmed, and the address that it is about to move to. */
export const EmailCard = () => {
  const [changing, setChanging] = useState(false)
  const me = useMe()
  return (
    <EmailFrame disabled={!me.data} onClick={() => setChanging(true)}>
      <Query of={me} loading={<Skeleton className="h-6 w-56" />} errorTitle="Failed to load your profile">
        {user => (
          <div className="grid gap-3">
            <p className="flex flex-wrap items-center gap-x-2 gap-y-1 font-medium wrap-anywhere">
              {user.email}
              {user.emailVerifiedAt === null ? (
                <Badge tone="yellow">Not confirmed</Badge>
              ) : (
                <Badge tone="green">Confirmed</Badge>
              )}
            </p>
            {user.pendingEmail !== null && <Pending email={user.pendingEmail} />}
            {changing && (
              <Suspense>
                <EmailDialog user={user} onClose={() => setChanging(false)} />
              </Suspense>
            )}
          </div>
        )}
      </Query>
    </EmailFrame>
  )
}

const Pending = ({ email }: { email: string }) => {
  const cancel = useTask(async () => {
    try {
      keepMe(await api.cancelEmailChange())
      notify.success('Your email address has not changed')
    } catch (error) {
      notify.error(messageOf(error, 'Failed to cancel the change'))
    }
  })
  return (
    <div className="flex flex-wrap items-center justify-between gap-3 rounded-md bg-muted px-3 py-2.5">
      <p className="min-w-0 wrap-anywhere">
        To switch to <span className="font-medium">{email}</span>, open the link in the email we sent there.
      </p>
      <Button variant="outline" size="sm" loading={cancel.pending} onClick={() => void cancel.run()}>
        Cancel<span className="sr-only"> the change</span>
      </Button>
    </div>
  )
}
