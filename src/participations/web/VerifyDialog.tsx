import { type Cents, formatCents } from '../../kit/money.ts'
import { ConfirmDialog } from '../../kit/web/ui/ConfirmDialog.tsx'
import { notify } from '../../kit/web/ui/toast.tsx'
import { Money } from '../../kit/web/ui/Values.tsx'
import type { CampaignTester } from '../contract.ts'
import { api, refreshTests } from './calls.ts'

export const VerifyDialog = ({
  of: { id, alias, campaign },
  escrowCents,
  onClose,
  onDone,
}: {
  of: CampaignTester
  escrowCents: Cents | null
  onClose: () => void
  onDone: () => void
}) => {
  const pay = campaign.payPerTesterCents
  return (
    <ConfirmDialog
      open
      onOpenChange={onClose}
      title={`Verify ${alias}?`}
      description="The tester is paid immediately. You cannot undo this."
      items={[
        { label: 'Amount', value: <Money cents={pay} />, strong: true },
        { label: 'From', value: 'This campaign’s escrow' },
        { label: 'To', value: alias },
        ...(escrowCents === null ? [] : [{ label: 'Left in escrow', value: <Money cents={escrowCents - pay} /> }]),
      ]}
      confirmLabel={`Verify and pay ${formatCents(pay)}`}
      onConfirm={async () => {
        await api.verify({ params: { id } })
        notify.success(`${alias} was verified and paid`)
        void refreshTests()
        onDone()
      }}
    />
  )
}
