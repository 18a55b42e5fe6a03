import { Field } from '../../kit/web/ui/Field.tsx'
import { useSchemaForm } from '../../kit/web/ui/Form.tsx'
import { FormDialog } from '../../kit/web/ui/FormDialog.tsx'
import { Input, Textarea } from '../../kit/web/ui/Input.tsx'
import { notify } from '../../kit/web/ui/toast.tsx'
import type { Bug } from '../contract.ts'
import { api, refreshBugs } from './calls.ts'

const schema = async () => (await import('../inputs.ts')).BugChange

/** Several reports may be of one tester. */
const whoElse = (duplicates: number) =>
  duplicates === 0 ? '' : ` and whoever reported its ${duplicates === 1 ? 'duplicate' : `${duplicates} duplicates`}`

export const FixDialog = ({ bug, onClose }: { bug: Bug; onClose: () => void }) => {
  const form = useSchemaForm(schema, { status: 'FIXED', fixedIn: '', note: '' })
  const { alias, duplicates } = bug
  return (
    <FormDialog
      form={form}
      onClose={onClose}
      title={`#${bug.number} is fixed`}
      description={`We will ask ${alias}${whoElse(duplicates.length)} whether it works now. They need the version: upload it first.`}
      onSubmit={async body => {
        await api.change({ params: { id: bug.id }, body })
        notify.success('Marked as fixed. A retest was requested.')
        await refreshBugs()
      }}
      submitLabel="Mark as fixed"
    >
      <Field of={form} name="fixedIn" label="Version">
        {control => <Input {...control} value={control.value ?? ''} placeholder="1.2" autoComplete="off" />}
      </Field>
      <Field of={form} name="note" label="Note for the tester" aside="Optional">
        {control => <Textarea {...control} value={control.value ?? ''} rows={3} />}
      </Field>
    </FormDialog>
  )
}
