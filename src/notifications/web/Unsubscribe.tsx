import { useState } from 'react'
import { Link } from 'react-router'
import { paths } from '../../kit/paths.ts'
import { messageOf } from '../../kit/web/apiError.ts'
import { useTask } from '../../kit/web/task.ts'
import { Alert } from '../../kit/web/ui/Alert.tsx'
import { Button } from '../../kit/web/ui/Button.tsx'
import { titleOfScope } from '../topics.ts'
import { unsubscribe } from './unsubscribing.ts'

/** What the link is about stands in it; whether it is ours only the server can say. */
const titleIn = (token: string): string | null => {
  const [, scope, signature] = token.split('.')
  return scope && signature ? titleOfScope(scope) : null
}

/** Takes the focus from the button that it replaces, so that it is read aloud. */
const focus = (element: HTMLElement | null) => element?.focus({ preventScroll: true })

const NotComplete = () => (
  <Alert tone="yellow" title="This link is incomplete">
    Open it again from the email, or sign in and change your{' '}
    <Link to={paths.notificationChoices} className="font-medium underline underline-offset-4">
      notification settings
    </Link>
    .
  </Alert>
)

/** Nothing happens before the press: mail programs open links on their own. */
export const Unsubscribe = ({ token }: { token: string }) => {
  const title = titleIn(token)
  const [emails, setEmails] = useState<boolean | null>(null)
  const turn = useTask(async (on: boolean) => setEmails((await unsubscribe(token, on)).emails))
  if (title === null) return <NotComplete />
  const off = emails === false
  return (
    <div className="grid gap-5">
      {emails !== null && (
        <div key={String(emails)} ref={focus} tabIndex={-1} className="rounded-md">
          <Alert tone="green" title={off ? 'These emails are off' : 'These emails are on again'}>
            {off
              ? `We will no longer email you about “${title}”. Depending on your notification settings, you may still see these in Fieldtest.`
              : `We will email you about “${title}” as before.`}
          </Alert>
        </div>
      )}
      {turn.error !== null && !turn.pending && <Alert tone="red">{messageOf(turn.error)}</Alert>}
      <Button
        className="w-full"
        variant={off ? 'outline' : 'primary'}
        loading={turn.pending}
        onClick={() => void turn.run(off)}
      >
        {off ? 'Turn them on again' : `Turn off “${title}”`}
      </Button>
    </div>
  )
}
