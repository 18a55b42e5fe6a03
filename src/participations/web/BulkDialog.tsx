import { formatCents } from '../../kit/money.ts'
import { ConfirmDialog } from '../../kit/web/ui/ConfirmDialog.tsx'
import { Money } from '../../kit/web/ui/Values.tsx'
import type { Campaign } from '../../campaigns/contract.ts'
import { escrowOf } from '../../campaigns/seats.ts'
import type { CampaignTester } from '../contract.ts'

type Props = {
  campaign: Campaign
  testers: readonly CampaignTester[]
  onVerify: () => void
  onClose: () => void
}

/** Verifies all testers who checked in on every day. Asks first, since their proofs may not have been read. */
export const BulkDialog = ({ campaign, testers, onVerify, onClose }: Props) => {
  const cents = testers.length * campaign.payPerTesterCents
  return (
    <ConfirmDialog
      open
      onOpenChange={onClose}
      title={`Verify ${testers.length} testers?`}
      description={`Each of them checked in on ${campaign.durationDays === 1 ? 'the day' : `all ${campaign.durationDays} days`}. You can undo it for 5 seconds, then they are paid.`}
      items={[
        { label: 'Testers', value: testers.map(({ alias }) => alias.replace(/^Tester /, '')).join(', ') },
        { label: 'Amount', value: <Money cents={cents} />, strong: true },
        { label: 'From', value: 'This campaign’s escrow' },
        { label: 'Left in escrow', value: <Money cents={escrowOf(campaign) - cents} /> },
      ]}
      confirmLabel={`Verify and pay ${formatCents(cents)}`}
      onConfirm={async () => onVerify()}
    />
  )
}
