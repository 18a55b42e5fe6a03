import { useState } from 'react'
import { useSchemaForm } from '../../kit/web/ui/Form.tsx'
import { ReasonDialog } from '../../kit/web/ui/ReasonDialog.tsx'
import { notify } from '../../kit/web/ui/toast.tsx'
import { quoted } from '../../kit/words.ts'
import type { Campaign } from '../contract.ts'
import { afterAction, api, deciding } from './calls.ts'

const schema = async () => (await import('../contract.ts')).campaignApi.rejectLink.body.pick({ reason: true })

export const RejectLinkDialog = ({ campaign, onClose }: { campaign: Campaign; onClose: () => void }) => {
  // The links that the page showed when the dialog was opened: the page behind it may be updated.
  const [{ pendingLink, pendingGroupLink }] = useState(campaign)
  return (
    <ReasonDialog
      form={useSchemaForm(schema, { reason: '' })}
      name="reason"
      onClose={onClose}
      title={`Reject the new link of ${quoted(campaign.title)}`}
      description={`${campaign.developer.name} sees your reason. Testers keep the current link.`}
      hint="Explain what is wrong with the link."
      submitLabel="Reject link"
      submitVariant="destructive"
      onSubmit={async ({ reason }) => {
        const body = { reason, link: pendingLink ?? undefined, groupLink: pendingGroupLink }
        afterAction(await deciding(api.rejectLink({ params: { id: campaign.id }, body })))
        notify.success('Link rejected')
      }}
    />
  )
}
