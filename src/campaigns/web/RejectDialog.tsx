import { useState } from 'react'
import { useSchemaForm } from '../../kit/web/ui/Form.tsx'
import { ReasonDialog } from '../../kit/web/ui/ReasonDialog.tsx'
import { notify } from '../../kit/web/ui/toast.tsx'
import { quoted } from '../../kit/words.ts'
import type { Campaign } from '../contract.ts'
import { afterAction, api, deciding } from './calls.ts'

const schema = async () => (await import('../contract.ts')).campaignApi.reject.body.pick({ reason: true })

export const RejectDialog = ({ campaign, onClose }: { campaign: Campaign; onClose: () => void }) => {
  // The submission that the page showed when the dialog was opened: the page behind it may be updated.
  const [{ submittedAt }] = useState(campaign)
  return (
    <ReasonDialog
      form={useSchemaForm(schema, { reason: '' })}
      name="reason"
      onClose={onClose}
      title={`Reject ${quoted(campaign.title)}`}
      description={`${campaign.developer.name} sees your reason and can edit and resubmit the campaign. The payment stays in the campaign.`}
      hint="Explain what must change."
      submitLabel="Reject campaign"
      submitVariant="destructive"
      onSubmit={async ({ reason }) => {
        const body = { reason, submittedAt: submittedAt ?? undefined }
        afterAction(await deciding(api.reject({ params: { id: campaign.id }, body })))
        notify.success('Campaign rejected')
      }}
    />
  )
}
