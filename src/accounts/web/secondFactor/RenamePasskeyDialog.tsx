import { invalidate } from '../../../kit/web/query.ts'
import { Field } from '../../../kit/web/ui/Field.tsx'
import { useSchemaForm } from '../../../kit/web/ui/Form.tsx'
import { FormDialog } from '../../../kit/web/ui/FormDialog.tsx'
import { Input } from '../../../kit/web/ui/Input.tsx'
import { notify } from '../../../kit/web/ui/toast.tsx'
import { type PasskeyInfo, secondFactorApi } from '../../secondFactorContract.ts'
import { factorApi } from '../calls.ts'
import { accountKeys } from '../keys.ts'

export const RenamePasskeyDialog = ({ passkey, onClose }: { passkey: PasskeyInfo; onClose: () => void }) => {
  const form = useSchemaForm(secondFactorApi.renamePasskey.body, { name: passkey.name })
  return (
    <FormDialog
      form={form}
      onClose={onClose}
      title="Rename passkey"
      submitLabel="Rename"
      onSubmit={async body => {
        await factorApi.renamePasskey({ params: { id: passkey.id }, body })
        notify.success('Passkey renamed')
        void invalidate(accountKeys.secondFactors)
      }}
    >
      <Field of={form} name="name" label="Name">
        {control => <Input autoComplete="off" {...control} />}
      </Field>
    </FormDialog>
  )
}
