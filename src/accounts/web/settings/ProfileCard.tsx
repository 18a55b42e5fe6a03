import { Alert } from '../../../kit/web/ui/Alert.tsx'
import { Card } from '../../../kit/web/ui/Card.tsx'
import { useUser } from '../../../kit/web/user.ts'
import { Query } from '../../../kit/web/ui/Query.tsx'
import { startedPart } from '../../../kit/web/ui/laterPart.ts'
import { useMe } from '../face.tsx'
import { ProfileShell } from './ProfileShell.tsx'

const Waiting = () => <ProfileShell role={useUser().role} />

const ProfileForm = startedPart(async () => (await import('./ProfileForm.tsx')).ProfileForm, <Waiting />)

const MailRefused = ({ email, answer }: { email: string; answer: string }) => (
  <Alert tone="yellow" title="Our emails are not reaching you" className="mb-5">
    The mail server of {email} refused our last email: “{answer}”. Make sure that the mailbox exists and accepts email.
    Until our emails get through, you will find all our messages under Notifications.
  </Alert>
)

export const ProfileCard = () => {
  const me = useMe()
  return (
    <Card title="Profile">
      <Query of={me} loading={<Waiting />} errorTitle="Failed to load your profile">
        {user => (
          <>
            {user.mailRefusal !== null && <MailRefused email={user.email} answer={user.mailRefusal} />}
            <ProfileForm user={user} />
          </>
        )}
      </Query>
    </Card>
  )
}
