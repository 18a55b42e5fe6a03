import type { UseQueryResult } from '@tanstack/react-query'
import { Printer } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { ApiError } from '../../kit/web/apiError.ts'
import { paths } from '../../kit/paths.ts'
import { usePaperColors } from '../../kit/web/paperColors.ts'
import { BackLink } from '../../kit/web/ui/BackLink.tsx'
import { Brand } from '../../kit/web/ui/Brand.tsx'
import { Button, ButtonLink } from '../../kit/web/ui/Button.tsx'
import { DescriptionList } from '../../kit/web/ui/Card.tsx'
import { PageHeader } from '../../kit/web/ui/PageHeader.tsx'
import { Query } from '../../kit/web/ui/Query.tsx'
import { Skeleton } from '../../kit/web/ui/States.tsx'
import { TestModeBadge } from '../../kit/web/ui/TestMode.tsx'
import { CopyButton, Money } from '../../kit/web/ui/Values.tsx'
import type { Payment } from '../contract.ts'
import { TransactionBadge } from './TransactionBadge.tsx'

type PageProps<T> = {
  of: UseQueryResult<T>
  /** Such as "Receipt", with the subject "payment". */
  title: string
  subject: string
  children: (loaded: T) => ReactNode
}

/** The screen of one financial document, such as a receipt, that can be printed. */
export const PaperPage = <T,>({ of: query, title, subject, children }: PageProps<T>) => {
  usePaperColors()
  if (query.error instanceof ApiError && [400, 404].includes(query.error.status)) {
    return (
      <>
        <PageHeader title={`${title} not found`} description={`Check the URL, or find the ${subject} in your list.`} />
        <ButtonLink to={paths.payments} variant="outline">
          Back to payments
        </ButtonLink>
      </>
    )
  }
  return (
    <>
      <PageHeader
        title={title}
        back={
          <span className="print:hidden">
            <BackLink to={paths.payments}>Payments</BackLink>
          </span>
        }
        actions={
          <Button variant="outline" className="print:hidden" disabled={!query.data} onClick={() => print()}>
            <Printer aria-hidden /> Print
          </Button>
        }
      />
      <Query
        of={query}
        loading={<Skeleton className="h-120 max-w-2xl" />}
        errorTitle={`Failed to load the ${title.toLowerCase()}`}
      >
        {children}
      </Query>
    </>
  )
}

type Items = Parameters<typeof DescriptionList>[0]['items']

type SheetProps = {
  status: Payment['status'] | 'PENDING'
  facts: Items
  sums: Items
  /** What happens to the money. */
  note: string
}

export const PaperSheet = ({ status, facts, sums, note }: SheetProps) => (
  <article className="max-w-2xl rounded-xl border bg-card p-5 shadow-card sm:p-8 print:border-0 print:p-0 print:shadow-none">
    <header className="flex flex-wrap items-start justify-between gap-4 border-b pb-5">
      <Brand />
      <span className="flex flex-wrap gap-2">
        <TestModeBadge />
        <TransactionBadge status={status} />
      </span>
    </header>
    <DescriptionList className="mt-3" items={facts} />
    <DescriptionList className="mt-3 border-t-2 pt-3" items={sums} />
    <p className="mt-5 text-xs text-muted-foreground">{note}</p>
  </article>
)

export const Reference = ({ id }: { id: string }) => (
  <span className="flex flex-wrap items-center justify-end gap-x-2">
    <code className="font-mono text-xs">{id}</code>
    <span className="-my-2 -mr-3 print:hidden">
      <CopyButton text={id} />
    </span>
  </span>
)

export const ForCampaign = ({ of: { campaign } }: { of: Pick<Payment, 'campaign'> }) => (
  <Link to={paths.campaign(campaign.id)} className="underline-offset-4 hover:underline">
    {campaign.title}
  </Link>
)

export const Person = ({ of: { developer } }: { of: Pick<Payment, 'developer'> }) => (
  <>
    {developer.name}
    <span className="block text-muted-foreground">{developer.email}</span>
  </>
)

/** The testers' and the platform's parts of the amount. */
export const partsOf = ({ testersPayCents, feeCents }: Pick<Payment, 'testersPayCents' | 'feeCents'>): Items => [
  { label: 'Testers’ pay', value: <Money cents={testersPayCents} /> },
  { label: 'Platform fee', value: <Money cents={feeCents} /> },
]
