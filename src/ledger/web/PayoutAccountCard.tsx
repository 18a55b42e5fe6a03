/** A tester's account at the payment provider: how far it is, what is missing, and the button that opens the provider's page. */
import { useMutation } from '@tanstack/react-query'
import { type ReactNode, useId, useState } from 'react'
import { useSearchParams } from 'react-router'
import { pauseHours } from '../../accounts/rules.ts'
import { useMe } from '../../accounts/web/face.tsx'
import { countries, countryName } from '../../kit/countries.ts'
import { messageOf } from '../../kit/web/apiError.ts'
import { invalidate } from '../../kit/web/query.ts'
import { Alert } from '../../kit/web/ui/Alert.tsx'
import { Button } from '../../kit/web/ui/Button.tsx'
import { Card } from '../../kit/web/ui/Card.tsx'
import { ConfirmDialog } from '../../kit/web/ui/ConfirmDialog.tsx'
import { Select } from '../../kit/web/ui/Select.tsx'
import { TestModeBadge } from '../../kit/web/ui/TestMode.tsx'
import { notify } from '../../kit/web/ui/toast.tsx'
import type { PayoutAccount } from '../contract.ts'
import { api } from './calls.ts'
import { ledgerKeys } from './keys.ts'

const words: Record<PayoutAccount['status'], { title: string; text: string; press: string | null }> = {
  NONE: {
    title: 'Not set up yet',
    text: `Withdrawals are paid to your own payout account at Stripe, which will ask for your identity and bank details. To protect your balance, you can make your first withdrawal ${pauseHours.PAYOUT_ACCOUNT_OPENED} hours after setting it up.`,
    press: 'Set up payouts',
  },
  INCOMPLETE: {
    title: 'Details missing',
    text: 'Stripe still needs this from you before you can withdraw:',
    press: 'Continue at Stripe',
  },
  IN_REVIEW: {
    title: 'Under review',
    text: 'Stripe is checking your details. This usually takes a few minutes, and at most a few days. You can withdraw once it is done.',
    press: 'View in Stripe',
  },
  READY: {
    title: 'Ready',
    text: 'Your withdrawals are sent to your payout account at Stripe.',
    press: 'Change it at Stripe',
  },
  REJECTED: {
    title: 'Not accepted',
    text: 'Stripe does not pay out to this account. Your balance is safe: set up another account.',
    press: null,
  },
}

/** Leaves for Stripe's page, which returns here. */
const leave = ({ url }: { url: string }) => location.assign(url)

type Props = { account: PayoutAccount; children?: ReactNode }

export const PayoutAccountCard = ({ account, children }: Props) => {
  const { id, status, missing, country, minimum } = account
  const { title, text, press } = words[status]
  const me = useMe()
  // Stripe returns with this when its page had been open too long.
  const expired = useSearchParams()[0].get('payouts') === 'again'
  const [chosen, setChosen] = useState<string | null>(null)
  // The account for which the dialog was opened, even if another tab changes it meanwhile.
  const [removing, setRemoving] = useState<string | null>(null)
  const countryId = useId()
  const wanted = country ?? chosen ?? me.data?.country ?? ''
  const opening = useMutation({
    mutationFn: () => api.onboard({ body: { country: wanted } }),
    onSuccess: leave,
    onError: error => notify.error(messageOf(error, 'Failed to open Stripe')),
  })
  return (
    <Card title="Payout account" action={<TestModeBadge />}>
      <div className="grid gap-3">
        {children}
        {expired && press !== null && <Alert tone="yellow">Stripe’s page expired. Open it again to continue.</Alert>}
        {status === 'REJECTED' ? (
          <Alert tone="yellow" title={title}>
            {text}
          </Alert>
        ) : (
          <div>
            <p className="font-medium">{title}</p>
            <p className="text-muted-foreground">{text}</p>
          </div>
        )}
        {status === 'INCOMPLETE' && missing.length > 0 && (
          <ul className="list-disc pl-5">
            {missing.map(each => (
              <li key={each}>{each}</li>
            ))}
          </ul>
        )}
        {country !== null && (
          <p className="text-muted-foreground">
            Stripe forwards your money to your bank in {countryName(country)} automatically.
            {minimum !== null && ` Amounts under ${minimum} stay in your payout account until they add up.`}
          </p>
        )}
        {status === 'NONE' && (
          <div className="grid max-w-xs gap-1.5">
            <label htmlFor={countryId} className="font-medium">
              Country of your bank account
            </label>
            <Select
              id={countryId}
              value={wanted}
              onValue={setChosen}
              options={[
                { value: '', label: 'Choose a country' },
                ...countries().map(({ code, name }) => ({ value: code, label: name })),
              ]}
            />
            <p className="text-sm text-muted-foreground">
              To use a bank in another country, set up another payout account.
            </p>
          </div>
        )}
        <div className="flex flex-wrap gap-2">
          {press !== null && (
            <Button
              variant={status === 'READY' ? 'outline' : 'primary'}
              loading={opening.isPending}
              disabled={wanted === ''}
              onClick={() => opening.mutate()}
            >
              {press}
            </Button>
          )}
          {id !== null && (
            <Button variant="outline" onClick={() => setRemoving(id)}>
              Remove payout account
            </Button>
          )}
        </div>
      </div>
      <ConfirmDialog
        open={removing !== null}
        onOpenChange={() => setRemoving(null)}
        title="Remove this payout account?"
        description={`Pending withdrawals go back to your balance. To withdraw again, set up another account; you can withdraw ${pauseHours.PAYOUT_ACCOUNT_OPENED} hours after that. Stripe still forwards the money it has already received for you to your bank.`}
        confirmLabel="Remove payout account"
        tone="destructive"
        onConfirm={async () => {
          if (removing === null) return
          await api.removePayoutAccount({ query: { account: removing } })
          notify.success('Payout account removed')
          await invalidate(ledgerKeys.all)
        }}
      />
    </Card>
  )
}
