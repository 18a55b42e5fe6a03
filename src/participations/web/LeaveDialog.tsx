import { ConfirmDialog } from '../../kit/web/ui/ConfirmDialog.tsx'
import { notify } from '../../kit/web/ui/toast.tsx'
import { Money } from '../../kit/web/ui/Values.tsx'
import { quoted } from '../../kit/words.ts'
import type { CampaignTester } from '../contract.ts'
import { api, refreshTests } from './calls.ts'

export const LeaveDialog = ({
  of: { id, campaign, checkIns },
  open,
  onOpenChange,
}: {
  of: CampaignTester
  open: boolean
  onOpenChange: (open: boolean) => void
}) => (
  <ConfirmDialog
    open={open}
    onOpenChange={onOpenChange}
    title={`Leave ${quoted(campaign.title)}`}
    description="You will not be paid. Your seat opens up for another tester, and you cannot join this campaign again."
    items={[
      { label: 'Days checked in', value: `${checkIns.length} of ${campaign.durationDays}` },
      { label: 'Forfeited pay', value: <Money cents={campaign.payPerTesterCents} /> },
      { label: 'You are paid', value: <Money cents={0} />, strong: true },
    ]}
    confirmLabel="Leave test"
    tone="destructive"
    onConfirm={async () => {
      await api.leave({ params: { id } })
      notify.success(`You left ${quoted(campaign.title)}`)
      void refreshTests()
    }}
  />
)
