import { useSchemaForm } from '../../kit/web/ui/Form.tsx'
import { ReasonDialog } from '../../kit/web/ui/ReasonDialog.tsx'
import { notify } from '../../kit/web/ui/toast.tsx'
import type { ChangeEntry } from '../contract.ts'
import { api, refreshChanges } from './calls.ts'

const schema = async () => (await import('../contract.ts')).changeApi.correct.body

export const CorrectDialog = ({ change, onClose }: { change: ChangeEntry; onClose: () => void }) => {
  const form = useSchemaForm(schema, { text: change.text })
  return (
    <ReasonDialog
      form={form}
      onClose={onClose}
      title="Edit a change"
      description="Testers are not notified again."
      name="text"
      label="What it changes"
      rows={3}
      onSubmit={async body => {
        await api.correct({ params: { id: change.id }, body })
        notify.success('Change saved')
        await refreshChanges()
      }}
      submitLabel="Save"
    />
  )
}
