import { useInfiniteQuery } from '@tanstack/react-query'
import { lazy } from 'react'
import { Link } from 'react-router'
import { paths } from '../../kit/paths.ts'
import { counted } from '../../kit/words.ts'
import { useNow } from '../../kit/web/now.ts'
import { Badge } from '../../kit/web/ui/Badge.tsx'
import { DescriptionList } from '../../kit/web/ui/Card.tsx'
import { DecisionCard } from '../../kit/web/ui/DecisionCard.tsx'
import { QueueFrame } from '../../kit/web/ui/QueueFrame.tsx'
import { TestModeBadge } from '../../kit/web/ui/TestMode.tsx'
import { DateTime, Money } from '../../kit/web/ui/Values.tsx'
import { decideAfterDays, watchedDays } from '../escrow.ts'
import type { EscrowCase } from '../escrowContract.ts'
import type { EscrowDecision } from '../terms.ts'
import { CampaignBadge } from './CampaignBadge.tsx'
import { Elapsed } from '../../kit/web/ui/Elapsed.tsx'
import { escrowPages } from './escrowCalls.ts'

const DecideEscrowDialog = lazy(async () => ({
  default: (await import('./DecideEscrowDialog.tsx')).DecideEscrowDialog,
}))

/** For admins: campaigns whose money has been in escrow for too long, earliest due date first. */
export const EscrowQueue = () => (
  <QueueFrame
    of={useInfiniteQuery(escrowPages)}
    noun="aging escrow"
    hint={`Campaigns appear here once their money has been in escrow for ${decideAfterDays - watchedDays} days. After ${decideAfterDays} days you have to decide.`}
    skeleton="h-64"
  >
    {held => <EscrowCard of={held} />}
  </QueueFrame>
)

const buttons = {
  extend: { label: 'Extend' },
  renew: { label: 'Ask for new payment', variant: 'outline' },
  cancel: { label: 'Cancel campaign', variant: 'outline' },
} as const

const EscrowCard = ({ of }: { of: EscrowCase }) => {
  const {
    id,
    title,
    status,
    developer,
    heldCents,
    heldSince,
    dueAt,
    testersInside,
    renewalAskedAt,
    decisions,
    actions,
  } = of
  const isDue = dueAt <= useNow()
  return (
    <DecisionCard
      of={of}
      decisions={actions}
      buttons={buttons}
      named={title}
      dialog={DecideEscrowDialog}
      title={
        <Link to={paths.campaign(id)} className="wrap-anywhere text-link underline decoration-1 underline-offset-4">
          {title}
        </Link>
      }
      description={
        <>
          By{' '}
          <Link to={paths.user(developer.id)} className="text-link underline decoration-1 underline-offset-4">
            {developer.name}
          </Link>
        </>
      }
      action={
        <span className="flex flex-wrap justify-end gap-2">
          <CampaignBadge status={status} />
          <Badge tone={isDue ? 'red' : 'yellow'}>{isDue ? 'Decide now' : 'Watched'}</Badge>
        </span>
      }
    >
      <DescriptionList
        items={[
          {
            label: 'In escrow',
            value: (
              <span className="inline-flex flex-wrap items-center gap-2">
                <Money cents={heldCents} className="font-semibold" />
                <TestModeBadge />
              </span>
            ),
          },
          {
            label: 'Since',
            value: (
              <>
                <DateTime at={heldSince} />, <Elapsed since={heldSince} />
              </>
            ),
          },
          { label: isDue ? 'Due since' : 'Decide by', value: <DateTime at={dueAt} /> },
          ...(renewalAskedAt === null
            ? []
            : [
                {
                  label: 'New payment',
                  value: (
                    <>
                      Requested on <DateTime at={renewalAskedAt} />, not paid yet
                    </>
                  ),
                },
              ]),
          { label: 'Current testers', value: testersInside === 0 ? 'None' : counted(testersInside, 'tester') },
        ]}
      />
      {decisions.length > 0 && <Decisions of={decisions} />}
    </DecisionCard>
  )
}

const did: Record<EscrowDecision, string> = {
  EXTENDED: 'extended it',
  RENEWAL_ASKED: 'asked for a new payment',
  CANCELLED: 'cancelled the campaign',
}

const Decisions = ({ of }: { of: EscrowCase['decisions'] }) => (
  <div className="mt-4 border-t pt-3">
    <h3 className="text-sm font-medium">Decided before</h3>
    <ol className="mt-2 grid gap-2 text-sm">
      {of.map(({ decision, by, reason, at }) => (
        <li key={at}>
          <span className="text-muted-foreground">
            <DateTime at={at} />: {by} {did[decision]}
          </span>
          <p className="wrap-anywhere">{reason}</p>
        </li>
      ))}
    </ol>
  </div>
)
