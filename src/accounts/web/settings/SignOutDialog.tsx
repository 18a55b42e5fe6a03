import { ApiError } from '../../../kit/web/apiError.ts'
import { invalidate } from '../../../kit/web/query.ts'
import { Field } from '../../../kit/web/ui/Field.tsx'
import { useSchemaForm } from '../../../kit/web/ui/Form.tsx'
import { FormDialog } from '../../../kit/web/ui/FormDialog.tsx'
import { PasswordInput } from '../../../kit/web/ui/PasswordInput.tsx'
import { notify } from '../../../kit/web/ui/toast.tsx'
import { counted } from '../../../kit/words.ts'
import { OwnPassword } from '../../contract.ts'
import { api } from '../calls.ts'
import { accountKeys } from '../keys.ts'

export type SigningOut = {
  ids: readonly string[]
  /** "Firefox on Linux", or "3 other sessions". */
  what: string
}

/** Which was wanted: it expired since the list was loaded, or an earlier attempt got so far. */
const unlessEnded = (error: unknown) => {
  if (!(error instanceof ApiError && error.status === 404)) throw error
}

/** Asks for the password, so that a stolen session cannot lock its owner out. */
export const SignOutDialog = ({ ids, what, onClose }: SigningOut & { onClose: () => void }) => {
  const form = useSchemaForm(OwnPassword, { currentPassword: '' })
  return (
    <FormDialog
      form={form}
      onClose={onClose}
      title={`Sign out of ${what}?`}
      submitLabel="Sign out"
      onSubmit={async body => {
        try {
          // In sequence: there are few.
          for (const id of ids) await api.endSession({ params: { id }, body }).catch(unlessEnded)
        } finally {
          void invalidate(accountKeys.sessions)
        }
        notify.success(`Signed out of ${counted(ids.length, 'session')}`)
      }}
    >
      <Field of={form} name="currentPassword" label="Current password">
        {control => <PasswordInput autoComplete="current-password" {...control} />}
      </Field>
    </FormDialog>
  )
}
