import { useState } from 'react'
import type { Campaign } from '../../campaigns/contract.ts'
import { ConfirmDialog } from '../../kit/web/ui/ConfirmDialog.tsx'
import { notify } from '../../kit/web/ui/toast.tsx'
import { RelativeTime } from '../../kit/web/ui/Values.tsx'
import type { TesterList } from '../contract.ts'
import { api, refreshList } from './calls.ts'
import { confirmLabelOf, leftOutWords, placeOf } from './words.ts'

type Props = { campaign: Campaign; list: TesterList; onClose: () => void }

export const ConfirmListDialog = ({ campaign, list, onClose }: Props) => {
  const { accessMode, state, toTell } = list
  // The dialog confirms the export that it shows, even if the list is exported again meanwhile.
  const [exportedAt] = useState(list.exportedAt)
  const [leftOut] = useState(leftOutWords(list))
  return (
    <ConfirmDialog
      open
      onOpenChange={onClose}
      title={`Have you updated the ${accessMode === 'GOOGLE_GROUP' ? 'group' : 'list'}?`}
      description={
        <>
          You confirm that {placeOf(accessMode).where} matches what you exported{' '}
          {exportedAt && <RelativeTime at={exportedAt} />}.{leftOut !== null && ` ${leftOut}`}
          {toTell > 0 &&
            ` We will tell new testers that they can get in; they then have ${campaign.dropHours} hours to opt in.`}
          {state === 'CHANGED' && ' Changes after the export are not included.'}
        </>
      }
      confirmLabel={confirmLabelOf(list)}
      onConfirm={async () => {
        try {
          await api.confirm({ params: { id: campaign.id }, body: exportedAt === null ? null : { exportedAt } })
          notify.success(toTell > 0 ? 'Testers have been told the next step' : 'List confirmed')
        } finally {
          await refreshList()
        }
      }}
    />
  )
}
