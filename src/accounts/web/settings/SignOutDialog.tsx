import { ApiError } from '../../../kit/web/apiError.ts'
import { invalidate } from '../../../kit/web/query.ts'
import { Field } from '../../../kit/web/ui/Field.tsx'
import { useSchemaForm } from '../../../kit/web/ui/Form.tsx'
import { FormDialog } from '../../../kit/web/ui/FormDialog.tsx'
import { notify } from '../../../kit/web/ui/toast.tsx'
import { counted } from '../../../kit/words.ts'
import { OwnPassword } from '../../contract.ts'
import { api } from '../calls.ts'
import { accountKeys } from '../keys.ts'
import { OwnPasswordInput } from '../OwnPasswordInput.tsx'

export type SigningOut = {
  /** Null for all sessions except the current one. */
  id: string | null
  /** "Firefox on Linux", or "3 other sessions". */
  what: string
}

/** A session that has ended since the list was loaded is what the user wanted. */
const unlessEnded = (error: unknown) => {
  if (!(error instanceof ApiError && error.status === 404)) throw error
}

/** Returns how many sessions have ended. */
const signOut = async (id: string | null, body: { currentPassword: string }) => {
  if (id === null) return (await api.endOtherSessions({ body })).ended
  await api.endSession({ params: { id }, body }).catch(unlessEnded)
  return 1
}

/** Asks for the password, so a thief with a stolen session cannot lock the owner out. */
export const SignOutDialog = ({ id, what, onClose }: SigningOut & { onClose: () => void }) => {
  const form = useSchemaForm(OwnPassword, { currentPassword: '' })
  return (
    <FormDialog
      form={form}
      onClose={onClose}
      title={`Sign out of ${what}?`}
      submitLabel="Sign out"
      onSubmit={async body => {
        const ended = await signOut(id, body).finally(() => void invalidate(accountKeys.sessions))
        notify.success(ended > 0 ? `Signed out of ${counted(ended, 'session')}` : 'There were no other sessions')
      }}
    >
      <Field of={form} name="currentPassword" label="Current password">
        {control => <OwnPasswordInput {...control} />}
      </Field>
    </FormDialog>
  )
}
