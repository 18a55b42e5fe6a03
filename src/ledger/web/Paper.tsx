import type { UseQueryResult } from '@tanstack/react-query'
import { clsx } from 'clsx'
import { Printer } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { useMe } from '../../accounts/web/face.tsx'
import { isMissing } from '../../kit/web/apiError.ts'
import { paths } from '../../kit/paths.ts'
import { usePaperColors } from '../../kit/web/paperColors.ts'
import { BackLink } from '../../kit/web/ui/BackLink.tsx'
import { Brand } from '../../kit/web/ui/Brand.tsx'
import { Button } from '../../kit/web/ui/Button.tsx'
import { DescriptionList } from '../../kit/web/ui/Card.tsx'
import { MissingPage } from '../../kit/web/ui/MissingPage.tsx'
import { PageHeader } from '../../kit/web/ui/PageHeader.tsx'
import { Query } from '../../kit/web/ui/Query.tsx'
import { Skeleton } from '../../kit/web/ui/States.tsx'
import { TestModeBadge } from '../../kit/web/ui/TestMode.tsx'
import { CopyButton, Money } from '../../kit/web/ui/Values.tsx'
import type { Payment } from '../contract.ts'

type PageProps<T> = {
  of: UseQueryResult<T>
  /** For example "Receipt", with the subject "payment". */
  title: string
  /** The name within a sentence, if it differs from the title. */
  paper?: string
  subject: string
  /** The screen that lists the paper. */
  home?: { name: string; to: string }
  /** The paper as files to download. */
  renderFiles?: (loaded: T) => ReactNode
  children: (loaded: T) => ReactNode
}

const loadingPaper = <Skeleton className="h-120 max-w-2xl" />
const payments = { name: 'Payments', to: paths.payments }

/** The screen of one financial document, for example a receipt, ready to print. */
export const PaperPage = <T,>({
  of: query,
  title,
  paper = title.toLowerCase(),
  subject,
  home = payments,
  renderFiles,
  children,
}: PageProps<T>) => {
  usePaperColors()
  if (isMissing(query.error)) {
    return (
      <MissingPage
        title={`${title} not found`}
        hint={`Check the URL, or find the ${subject} in your list.`}
        to={home.to}
        back={`Back to ${home.name.toLowerCase()}`}
      />
    )
  }
  return (
    <>
      <PageHeader
        title={title}
        back={
          <span className="print:hidden">
            <BackLink to={home.to}>{home.name}</BackLink>
          </span>
        }
        actions={
          <>
            <Button variant="outline" className="print:hidden" disabled={!query.data} onClick={() => print()}>
              <Printer aria-hidden /> Print
            </Button>
            {query.data !== undefined && renderFiles?.(query.data)}
          </>
        }
      />
      <Query of={query} loading={loadingPaper} errorTitle={`Failed to load the ${paper}`}>
        {children}
      </Query>
    </>
  )
}

/** Papers show times in the account's time zone, on the screen as in the PDF. */
export const InAccountZone = ({ children }: { children: (timeZone: string) => ReactNode }) => (
  <Query of={useMe()} loading={loadingPaper} errorTitle="Failed to load your time zone">
    {({ timeZone }) => children(timeZone)}
  </Query>
)

type Items = Parameters<typeof DescriptionList>[0]['items']

type SheetProps = {
  /** The state of the payment, refund or withdrawal that the paper is about. */
  badge?: ReactNode
  facts: Items
  sums: Items
  /** For a table of several columns. */
  wide?: boolean
  /** What will happen to the money. */
  note: ReactNode
  children?: ReactNode
}

export const PaperSheet = ({ badge, facts, sums, wide = false, note, children }: SheetProps) => (
  <article
    className={clsx(
      'rounded-xl border bg-card p-5 shadow-card sm:p-8 print:border-0 print:p-0 print:shadow-none',
      wide ? 'max-w-4xl' : 'max-w-2xl',
    )}
  >
    <header className="flex flex-wrap items-start justify-between gap-4 border-b pb-5">
      <Brand />
      <span className="flex flex-wrap gap-2">
        <TestModeBadge />
        {badge}
      </span>
    </header>
    <DescriptionList className="mt-3" items={facts} />
    <DescriptionList className="mt-3 border-t-2 pt-3" items={sums} />
    {children}
    <div className="mt-5 grid gap-1 text-xs text-muted-foreground">{note}</div>
  </article>
)

/** On a phone half of the id fits on a line; more would not fit beside its label. */
export const Reference = ({ id }: { id: string }) => (
  <span className="flex max-w-48 flex-wrap items-center justify-end gap-x-2 sm:max-w-none print:max-w-none">
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

export const Person = ({ of: { name, email } }: { of: Payment['developer'] }) => (
  <>
    {name}
    <span className="block text-muted-foreground">{email}</span>
  </>
)

/** The testers' and the platform's parts of the amount. */
export const partsOf = ({ testersPayCents, feeCents }: Pick<Payment, 'testersPayCents' | 'feeCents'>): Items => [
  { label: 'Testers’ pay', value: <Money cents={testersPayCents} /> },
  { label: 'Platform fee', value: <Money cents={feeCents} /> },
]
