import { Field } from '../../kit/web/ui/Field.tsx'
import { useSchemaForm } from '../../kit/web/ui/Form.tsx'
import { FormDialog } from '../../kit/web/ui/FormDialog.tsx'
import { Input, Textarea } from '../../kit/web/ui/Input.tsx'
import { notify } from '../../kit/web/ui/toast.tsx'
import type { Bug } from '../contract.ts'
import { api, refreshBugs } from './calls.ts'

const schema = async () => (await import('../inputs.ts')).BugChange

/** One tester may have made several of the reports. */
const whoElse = (duplicates: number) =>
  duplicates === 0 ? null : `whoever reported its ${duplicates === 1 ? 'duplicate' : `${duplicates} duplicates`}`

const asks = ({ alias, canTestAgain, duplicates }: Bug) => {
  const asked = [canTestAgain ? alias : null, whoElse(duplicates.length)].filter(who => who !== null)
  return [
    canTestAgain ? '' : `${alias} can no longer test the app, so we cannot ask them for a retest. `,
    asked.length > 0 &&
      `We will ask ${asked.join(' and ')} whether it works now. Make sure the new version is available to them first.`,
  ]
    .filter(Boolean)
    .join('')
}

export const FixDialog = ({ bug, onClose }: { bug: Bug; onClose: () => void }) => {
  const form = useSchemaForm(schema, { status: 'FIXED', fixedIn: '', note: '' })
  return (
    <FormDialog
      form={form}
      onClose={onClose}
      title={`#${bug.number} is fixed`}
      description={asks(bug)}
      onSubmit={async body => {
        await api.change({ params: { id: bug.id }, body })
        notify.success(`Marked as fixed.${bug.canTestAgain ? ' A retest was requested.' : ''}`)
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
