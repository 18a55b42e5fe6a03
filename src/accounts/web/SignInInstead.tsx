import { useNavigate } from 'react-router'
import { paths } from '../../kit/paths.ts'
import { logFailure } from '../../kit/web/log.ts'
import { type SessionUser, session } from '../../kit/web/session.ts'
import { useTask } from '../../kit/web/task.ts'
import { Button } from '../../kit/web/ui/Button.tsx'
import { api } from './calls.ts'

/** In this browser somebody else is signed in: the sign-in page would lead into their account. */
export const SignInInstead = ({ other: { id, email } }: { other: SessionUser }) => {
  const navigate = useNavigate()
  const leave = useTask(async () => {
    // The browser forgets them, whether or not the server hears of it.
    await api
      .logout({ body: { userId: id }, signal: AbortSignal.timeout(5000) })
      .catch((error: unknown) => logFailure('Logout failed', error))
    session.clear()
    await navigate(paths.login)
  })
  return (
    <div className="grid gap-3">
      <p className="wrap-anywhere">You are signed in as {email} here.</p>
      <Button loading={leave.pending} onClick={() => void leave.run()}>
        Sign out and sign in again
      </Button>
    </div>
  )
}
