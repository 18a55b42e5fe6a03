import { useMutation } from '@tanstack/react-query'
import { usersApi } from '../../accounts/usersContract.ts'
import { client } from '../../app/web/api.ts'
import { queryClient } from '../../app/web/query.ts'
import { Alert } from '../../app/web/ui/Alert.tsx'
import { Button } from '../../app/web/ui/Button.tsx'
import { Dialog } from '../../app/web/ui/Dialog.tsx'
import { Field } from '../../app/web/ui/Field.tsx'
import { Form, useSchemaForm } from '../../app/web/ui/Form.tsx'
import { Textarea } from '../../app/web/ui/Input.tsx'
import { notify } from '../../app/web/ui/toast.tsx'
import type { FraudReport } from '../contract.ts'
import { refreshFraud } from './calls.ts'

const api = client('users')

const campaignWords: Record<FraudReport['user']['role'], string> = {
  TESTER: 'leaves the campaigns that run, and gets no payouts',
  DEVELOPER: 'and takes no new testers: live campaigns are paused',
  ADMIN: '',
}

type Props = { report: Pick<FraudReport, 'user' | 'isSample'>; onClose: () => void }

export const BanDialog = ({ report: { user, isSample }, onClose }: Props) => {
  const form = useSchemaForm(usersApi.ban.body, { reason: '' })
  const ban = useMutation({
    mutationFn: ({ reason }: { reason: string }) => api.ban({ params: { id: user.id }, body: { reason } }),
    onSuccess: async () => {
      onClose()
      notify.success(`${user.name} was banned`)
      await Promise.all([refreshFraud(), queryClient.invalidateQueries({ queryKey: ['accounts'] })])
    },
  })
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={`Ban ${user.name}`}
      description={`${user.email} is signed out everywhere at once, cannot sign in, ${campaignWords[user.role]}. An admin can restore the account.`}
      locked={ban.isPending}
    >
      {isSample && (
        <Alert tone="yellow" className="mb-4">
          The report is a sample, but this account is real: banning it has its effect.
        </Alert>
      )}
      <Form
        form={form}
        onSubmit={ban.mutate}
        loading={ban.isPending}
        submitError={ban.error}
        submitLabel="Ban User"
        errorFallback="Failed to ban the user"
        actions={
          <Button variant="outline" disabled={ban.isPending} onClick={onClose}>
            Cancel
          </Button>
        }
      >
        <Field of={form} name="reason" label="Reason" hint={`${user.name} reads it when signing in.`}>
          {control => <Textarea rows={3} maxLength={2000} {...control} />}
        </Field>
      </Form>
    </Dialog>
  )
}
