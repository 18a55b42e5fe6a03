import { useSchemaForm } from '../../kit/web/ui/Form.tsx'
import { ReasonDialog } from '../../kit/web/ui/ReasonDialog.tsx'
import { notify } from '../../kit/web/ui/toast.tsx'
import { type CampaignTester, participationApi } from '../contract.ts'
import { api, refreshTests } from './calls.ts'

type Props = { of: CampaignTester; onClose: () => void; onDone: () => void }

export const ChangesDialog = ({ of: { id, alias, campaign }, onClose, onDone }: Props) => (
  <ReasonDialog
    form={useSchemaForm(participationApi.requestChanges.body, { note: '' })}
    name="note"
    label="What needs to change?"
    onClose={onClose}
    title={`Request changes from ${alias}`}
    description={`The tester sees your note and has ${campaign.dropHours} hours to submit a new proof.`}
    submitLabel="Request changes"
    dismissLabel="Back"
    onSubmit={async body => {
      await api.requestChanges({ params: { id }, body })
      notify.success(`Changes requested from ${alias}`)
      void refreshTests()
      onDone()
    }}
  />
)
