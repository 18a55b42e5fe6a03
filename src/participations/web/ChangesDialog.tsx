import { useSchemaForm } from '../../kit/web/ui/Form.tsx'
import { ReasonDialog } from '../../kit/web/ui/ReasonDialog.tsx'
import { notify } from '../../kit/web/ui/toast.tsx'
import { type CampaignTester, participationApi } from '../contract.ts'
import { maxChangeRequests } from '../terms.ts'
import { api, refreshTests } from './calls.ts'

type Props = { of: CampaignTester; onClose: () => void; onDone: () => void }

const leftWords = (changesRequested: number) => {
  const left = maxChangeRequests - changesRequested
  return left === 1 ? 'This is the last time you can request changes.' : `You can request changes ${left} times.`
}

export const ChangesDialog = ({ of: { id, alias, campaign, changesRequested, proof }, onClose, onDone }: Props) => (
  <ReasonDialog
    form={useSchemaForm(participationApi.requestChanges.body, { note: '', proofSubmittedAt: proof?.submittedAt })}
    name="note"
    label="What needs to change?"
    onClose={onClose}
    title={`Request changes from ${alias}`}
    description={`The tester sees your note and has ${campaign.dropHours} hours to submit a new proof. ${leftWords(changesRequested)}`}
    submitLabel="Request changes"
    onSubmit={async body => {
      await api.requestChanges({ params: { id }, body }).finally(() => void refreshTests())
      notify.success(`Changes requested from ${alias}`)
      onDone()
    }}
  />
)
