import { useSchemaForm } from '../../kit/web/ui/Form.tsx'
import { ReasonDialog } from '../../kit/web/ui/ReasonDialog.tsx'
import { notify } from '../../kit/web/ui/toast.tsx'
import type { Bug } from '../contract.ts'
import { api, refreshBugs } from './calls.ts'

const schema = async () => (await import('../inputs.ts')).BugChange

export const WontFixDialog = ({ bug, onClose }: { bug: Bug; onClose: () => void }) => {
  const form = useSchemaForm(schema, { status: 'WONT_FIX', note: '' })
  return (
    <ReasonDialog
      form={form}
      onClose={onClose}
      title={`Won’t fix #${bug.number}`}
      description={`We will notify ${bug.alias} and include your note.`}
      name="note"
      label="Why not"
      hint="Optional. A sentence is enough."
      rows={3}
      onSubmit={async body => {
        await api.change({ params: { id: bug.id }, body })
        notify.success('Closed as won’t fix')
        await refreshBugs()
      }}
      submitLabel="Won’t fix"
    />
  )
}
