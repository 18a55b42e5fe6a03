import type { Campaign } from '../../campaigns/contract.ts'
import { ConfirmDialog } from '../../kit/web/ui/ConfirmDialog.tsx'
import { notify } from '../../kit/web/ui/toast.tsx'
import { RelativeTime } from '../../kit/web/ui/Values.tsx'
import type { TesterList } from '../contract.ts'
import { api, refreshList } from './calls.ts'
import { placeOf } from './words.ts'

type Props = { campaign: Campaign; list: TesterList; onClose: () => void }

export const ConfirmListDialog = ({ campaign, list: { accessMode, exportedAt, state }, onClose }: Props) => (
  <ConfirmDialog
    open
    onOpenChange={onClose}
    title="Is the list up to date there?"
    description={
      <>
        You say that what you exported {exportedAt && <RelativeTime at={exportedAt} />} is on{' '}
        {placeOf(accessMode).where}. New testers are told that they can get in, and have {campaign.dropHours} hours for
        their opt-in.
        {state === 'CHANGED' && ' What changed after the export is not among it.'}
      </>
    }
    confirmLabel="I have added them"
    onConfirm={async () => {
      await api.confirm({ params: { id: campaign.id } })
      notify.success('Testers are told the next step')
      await refreshList()
    }}
  />
)
