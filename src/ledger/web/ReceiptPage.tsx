import { useQuery } from '@tanstack/react-query'
import { Printer } from 'lucide-react'
import { useEffect } from 'react'
import { Link, useParams } from 'react-router'
import { ApiError } from '../../app/web/apiError.ts'
import { paths } from '../../app/web/paths.ts'
import { Brand } from '../../app/web/ui/Brand.tsx'
import { Button, ButtonLink } from '../../app/web/ui/Button.tsx'
import { DescriptionList } from '../../app/web/ui/Card.tsx'
import { PageHeader } from '../../app/web/ui/PageHeader.tsx'
import { Query } from '../../app/web/ui/Query.tsx'
import { Skeleton } from '../../app/web/ui/States.tsx'
import { CopyButton, DateTime, Money } from '../../app/web/ui/Values.tsx'
import { BackLink } from '../../app/web/ui/BackLink.tsx'
import type { Payment } from '../contract.ts'
import { api } from './calls.ts'
import { TransactionBadge } from './TransactionBadge.tsx'

/** The receipt of one payment, on screen and on paper. */
export const ReceiptPage = () => {
  const { id = '' } = useParams()
  const payment = useQuery({
    queryKey: ['ledger', 'payment', id],
    queryFn: ({ signal }) => api.payment({ params: { id }, signal }),
  })
  usePaperColors()
  if (payment.error instanceof ApiError && [400, 404].includes(payment.error.status)) return <NotFound />
  return (
    <>
      <PageHeader
        title="Receipt"
        back={
          <span className="print:hidden">
            <BackLink to={paths.payments}>Payments</BackLink>
          </span>
        }
        actions={
          <Button variant="outline" className="print:hidden" disabled={!payment.data} onClick={() => print()}>
            <Printer aria-hidden /> Print
          </Button>
        }
      />
      <Query of={payment} loading={<Skeleton className="h-120 max-w-2xl" />} errorTitle="Failed to load the receipt">
        {loaded => <Paper of={loaded} />}
      </Query>
    </>
  )
}

const NotFound = () => (
  <>
    <PageHeader title="Receipt not found" description="Check the address, or look for the payment in the list." />
    <ButtonLink to={paths.payments} variant="outline">
      Back to payments
    </ButtonLink>
  </>
)

const Paper = ({ of: payment }: { of: Payment }) => {
  return (
    <article className="max-w-2xl rounded-xl border bg-card p-5 shadow-card sm:p-8 print:border-0 print:p-0 print:shadow-none">
      <header className="flex flex-wrap items-start justify-between gap-4 border-b pb-5">
        <Brand />
        <TransactionBadge status={payment.status} />
      </header>
      <DescriptionList
        className="mt-3"
        items={[
          { label: 'Number', value: <Reference id={payment.id} /> },
          { label: 'Date', value: <DateTime at={payment.createdAt} withTime /> },
          { label: 'For', value: <ForCampaign of={payment} /> },
          {
            label: 'Paid by',
            value: (
              <>
                {payment.developer.name}
                <span className="block text-muted-foreground">{payment.developer.email}</span>
              </>
            ),
          },
          { label: 'Payment method', value: payment.paymentMethod },
          ...(payment.failureReason === null ? [] : [{ label: 'Why it failed', value: payment.failureReason }]),
        ]}
      />
      <DescriptionList
        className="mt-3 border-t-2 pt-3"
        items={[
          ...(payment.status === 'FAILED'
            ? []
            : [
                { label: 'Testers’ pay', value: <Money cents={payment.testersPayCents} /> },
                { label: 'Platform fee', value: <Money cents={payment.feeCents} /> },
              ]),
          {
            label: payment.status === 'FAILED' ? 'Asked for, not paid' : 'Total paid',
            value: <Money cents={payment.totalCents} />,
            strong: true,
          },
        ]}
      />
      <p className="mt-5 text-xs text-muted-foreground">
        {payment.status === 'FAILED'
          ? 'No money moved.'
          : 'Held for this campaign and paid out test by test. What is not used is refunded to the payment method above.'}
      </p>
    </article>
  )
}

const Reference = ({ id }: { id: string }) => (
  <span className="flex flex-wrap items-center justify-end gap-x-2">
    <code className="font-mono text-xs">{id}</code>
    <span className="-my-2 -mr-3 print:hidden">
      <CopyButton text={id} />
    </span>
  </span>
)

const ForCampaign = ({ of: { campaign } }: { of: Payment }) => (
  <Link to={paths.campaign(campaign.id)} className="underline-offset-4 hover:underline">
    {campaign.title}
  </Link>
)

/** Paper is white: whoever reads in the dark prints in the light all the same. */
const usePaperColors = () => {
  useEffect(() => {
    const { dataset: look } = document.documentElement
    let onScreen = look.theme
    const toPaper = () => {
      onScreen = look.theme
      look.theme = 'light'
    }
    const toScreen = () => {
      if (onScreen !== undefined) look.theme = onScreen
    }
    addEventListener('beforeprint', toPaper)
    addEventListener('afterprint', toScreen)
    return () => {
      removeEventListener('beforeprint', toPaper)
      removeEventListener('afterprint', toScreen)
    }
  }, [])
}
