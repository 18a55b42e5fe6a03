import type { ReactNode } from 'react'
import type { Role } from '../../kit/roles.ts'
import { Alert } from '../../kit/web/ui/Alert.tsx'
import { useSchemaForm } from '../../kit/web/ui/Form.tsx'
import { ReasonDialog } from '../../kit/web/ui/ReasonDialog.tsx'
import { notify } from '../../kit/web/ui/toast.tsx'
import { peopleApi } from '../contract.ts'
import { api, refreshUsers } from './calls.ts'

/** The list of users calls this action "suspend", a fraud report calls it "ban" (spec §2). */
const done = { Suspend: 'suspended', Ban: 'banned' }

type Props = {
  user: { id: string; name: string; role?: Role }
  onClose: () => void
  verb?: keyof typeof done
  description?: string
  /** A warning above the form. */
  children?: ReactNode
}

export const BanUserDialog = ({
  user: { id, name, role },
  onClose,
  verb = 'Suspend',
  description,
  children,
}: Props) => (
  <ReasonDialog
    form={useSchemaForm(peopleApi.ban.body, { reason: '' })}
    name="reason"
    rows={3}
    onClose={onClose}
    title={`${verb} ${name}`}
    description={description}
    hint={`${name} sees this in an email and when signing in.`}
    submitLabel={`${verb} User`}
    submitVariant="destructive"
    onSubmit={async body => {
      try {
        await api.ban({ params: { id }, body })
        notify.success(`${name} was ${done[verb]}`)
      } finally {
        // Also after an error, because another admin may have been first.
        void refreshUsers()
      }
    }}
  >
    {children}
    <Alert tone="yellow" title="Effective immediately">
      <ul className="list-disc pl-4">
        <li>{name} is signed out everywhere and cannot sign in. Your reason is shown.</li>
        {role !== 'DEVELOPER' && (
          <li>
            {role ? 'They lose' : 'A tester loses'} their seats in running campaigns, and the seats open again.
            Submitted proofs are still reviewed.
          </li>
        )}
        {role !== 'TESTER' && (
          <li>{role ? 'Their' : 'A developer’s'} live campaigns are paused. The current testers continue.</li>
        )}
        {role !== 'DEVELOPER' && (
          <li>
            Withdrawals are on hold until the account is restored, except those already with the payment provider.
          </li>
        )}
      </ul>
    </Alert>
  </ReasonDialog>
)
