import { useNavigate } from 'react-router'
import { paths } from '../../kit/paths.ts'
import { logFailure } from '../../kit/web/log.ts'
import { type SessionUser, session } from '../../kit/web/session.ts'
import { useTask } from '../../kit/web/task.ts'
import { Button } from '../../kit/web/ui/Button.tsx'
import { useAuth } from './auth.tsx'
import { api } from './calls.ts'

/** Another user is signed in in this browser, so the sign-in page alone would lead into their account. */
export const SignInInstead = ({ other: { id, email } }: { other: SessionUser }) => {
  const navigate = useNavigate()
  const { askAboutDrafts } = useAuth()
  const leave = useTask(async () => {
    // The browser forgets the session even if the server cannot be reached.
    await api
      .logout({ body: { userId: id }, signal: AbortSignal.timeout(5000) })
      .catch((error: unknown) => logFailure('Logout failed', error))
    session.clear()
    await navigate(paths.login)
  })
  return (
    <div className="grid gap-3">
      <p className="wrap-anywhere">You are signed in as {email} here.</p>
      <Button loading={leave.pending} onClick={() => askAboutDrafts(id, () => void leave.run())}>
        Sign out and sign in again
      </Button>
    </div>
  )
}
