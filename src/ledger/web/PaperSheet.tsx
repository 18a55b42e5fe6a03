/** A financial document on the screen without what depends on the reader, also for the document (paperShells.tsx). */
import { clsx } from 'clsx'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { paths } from '../../kit/paths.ts'
import { BackLink } from '../../kit/web/ui/BackLink.tsx'
import { Brand } from '../../kit/web/ui/Brand.tsx'
import { DescriptionList } from '../../kit/web/ui/Card.tsx'
import { TestModeBadge } from '../../kit/web/ui/TestMode.tsx'
import { CopyButton, Money } from '../../kit/web/ui/Values.tsx'
import type { Payment } from '../contract.ts'
import { partLabels } from './paperFacts.tsx'

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

/** The link above the title. */
export const PaperBack = ({ to, children }: { to: string; children: ReactNode }) => (
  <span className="print:hidden">
    <BackLink to={to}>{children}</BackLink>
  </span>
)

/**
 * On a phone half of the id fits on a line; more would not fit beside its label. An `inert` one cannot be copied, because its code
 * has not loaded.
 */
export const Reference = ({ id, shown = id, inert }: { id: string; shown?: ReactNode; inert?: boolean }) => (
  <span className="flex max-w-48 flex-wrap items-center justify-end gap-x-2 sm:max-w-none print:max-w-none">
    <code className="font-mono text-xs">{shown}</code>
    <span inert={inert} className="-my-2 -mr-3 print:hidden">
      <CopyButton text={id} />
    </span>
  </span>
)

export const ForCampaign = ({ of: { campaign } }: { of: { campaign: { id: string; title: ReactNode } } }) => (
  <Link to={paths.campaign(campaign.id)} className="underline-offset-4 hover:underline">
    {campaign.title}
  </Link>
)

export const Person = ({ of: { name, email } }: { of: Record<'name' | 'email', ReactNode> }) => (
  <>
    {name}
    <span className="block text-muted-foreground">{email}</span>
  </>
)

/** The testers' and the platform's parts of the amount. */
export const partsOf = ({ testersPayCents, feeCents }: Pick<Payment, 'testersPayCents' | 'feeCents'>): Items => [
  { label: partLabels.testersPay, value: <Money cents={testersPayCents} /> },
  { label: partLabels.fee, value: <Money cents={feeCents} /> },
]
