import { useState } from 'react'
import { useSearchParams } from 'react-router'
import { useMe } from '../../accounts/web/face.tsx'
import { formatCents } from '../../kit/money.ts'
import { quoted } from '../../kit/words.ts'
import { Alert } from '../../kit/web/ui/Alert.tsx'
import { Button } from '../../kit/web/ui/Button.tsx'
import { ConfirmDialog } from '../../kit/web/ui/ConfirmDialog.tsx'
import { TestModeNote } from '../../kit/web/ui/TestMode.tsx'
import { notify } from '../../kit/web/ui/toast.tsx'
import { useUser } from '../../kit/web/user.ts'
import { DateTime, Money } from '../../kit/web/ui/Values.tsx'
import type { Campaign } from '../contract.ts'
import { afterAction, api } from './calls.ts'
import { goToCheckout } from './checkout.ts'
import { Declined } from './NextStep.tsx'
import { refundedWhileOwing } from './paymentWords.ts'
import { paidAtProvider } from '../../kit/web/paidAtProvider.ts'

type Props = { campaign: Campaign; renewal: NonNullable<Campaign['renewal']> }

/** Tells the owner that the payment has been in escrow for too long, and what to do. */
export const RenewalNotice = ({ campaign, renewal: { amountCents, askedAt } }: Props) => {
  const amount = formatCents(amountCents)
  if (useUser().role === 'ADMIN')
    return (
      <Alert tone="yellow" className="mb-5" title={`The developer was asked for a new payment of ${amount}`}>
        Asked on <DateTime at={askedAt} />. Nothing changes until they have paid.
      </Alert>
    )
  return <OwnersNotice campaign={campaign} renewal={{ amountCents, askedAt }} />
}

const OwnersNotice = ({ campaign, renewal }: Props) => {
  const [asked, setAsked] = useState(false)
  // Back from the provider's page: the browser's word does not count until the provider has confirmed it.
  const returned = useSearchParams()[0].get('payment') === 'made'
  const { payment } = campaign
  if (payment && (returned || payment.checkoutUrl === null))
    return (
      <Alert
        tone="yellow"
        className="mb-5"
        title={`Your new payment of ${formatCents(payment.amountCents)} is on its way`}
      >
        {campaign.owedCents === undefined
          ? 'Once the payment provider confirms it, we refund the same amount from your earlier payment. You do not need to wait here.'
          : refundedWhileOwing(campaign.owedCents)}
      </Alert>
    )
  const checkoutUrl = payment?.checkoutUrl
  if (campaign.owedCents !== undefined)
    return (
      <Alert tone="yellow" className="mb-5" title={`A new payment of ${formatCents(renewal.amountCents)} is due`}>
        You owe {formatCents(campaign.owedCents)} for an earlier payment that your bank took back. You can make the new
        payment once that is settled: ask your bank to return it, or contact us to pay it another way. What the disputed
        campaign does not need is deducted from it.
      </Alert>
    )
  return (
    <Alert tone="yellow" className="mb-5" title={`A new payment of ${formatCents(renewal.amountCents)} is due`}>
      <p>
        Your payment has been in escrow too long and has to be replaced. Once you have paid, we refund the same amount
        from your earlier payment, so it costs you nothing extra. Nothing changes for the campaign in the meantime.
      </p>
      {campaign.declinedPayment && <Declined of={campaign.declinedPayment} />}
      <Button className="mt-3" onClick={() => (checkoutUrl ? goToCheckout(checkoutUrl) : setAsked(true))}>
        {checkoutUrl ? 'Continue to payment' : 'Make new payment'}
      </Button>
      {asked && <RenewDialog campaign={campaign} amountCents={renewal.amountCents} onClose={() => setAsked(false)} />}
    </Alert>
  )
}

type DialogProps = { campaign: Campaign; amountCents: number; onClose: () => void }

const RenewDialog = ({ campaign: { id, title }, amountCents, onClose }: DialogProps) => {
  const me = useMe()
  const amount = formatCents(amountCents)
  return (
    <ConfirmDialog
      open
      onOpenChange={onClose}
      title={`New payment for ${quoted(title)}`}
      description={`This payment replaces your earlier one.${
        paidAtProvider() ? ' You pay on Stripe’s page and come back here.' : ''
      }`}
      items={[
        { label: 'Due now', value: <Money cents={amountCents} />, strong: true },
        {
          label: 'From',
          value: paidAtProvider() ? 'Chosen on Stripe’s page' : (me.data?.paymentMethod ?? 'Your payment method'),
        },
        { label: 'Refunded after you pay', value: <Money cents={amountCents} /> },
        { label: 'Refunded to', value: 'Original payment method' },
      ]}
      confirmLabel={`Pay ${amount}`}
      onConfirm={async () => {
        const paid = await api.renew({ params: { id }, body: { amountCents } })
        afterAction(paid)
        if (paid.payment?.checkoutUrl) return goToCheckout(paid.payment.checkoutUrl)
        notify.success(
          paid.payment ? `Your payment of ${amount} is on its way` : `Paid ${amount}. Your earlier payment is refunded`,
        )
      }}
    >
      <TestModeNote />
    </ConfirmDialog>
  )
}
