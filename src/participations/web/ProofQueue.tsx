import { useInfiniteQuery } from '@tanstack/react-query'
import { paths } from '../../kit/paths.ts'
import { ButtonLink } from '../../kit/web/ui/Button.tsx'
import { Card } from '../../kit/web/ui/Card.tsx'
import { DateTime, RelativeTime } from '../../kit/web/ui/Values.tsx'
import type { Campaign } from '../../campaigns/contract.ts'
import { counted } from '../../kit/words.ts'
import { waitsForConsent } from '../consent.ts'
import type { CampaignTester } from '../contract.ts'
import { rosterPages } from './calls.ts'
import { byDeadline } from './urgency.ts'

/** The desk lists all of them. */
const mostShown = 5

/**
 * Proofs awaiting a decision, their owner's first; nothing if there are none. Errors show in the roster, a tab away.
 */
export const ProofQueue = ({ campaign, className }: { campaign: Campaign; className?: string | undefined }) => {
  const { data } = useInfiniteQuery(rosterPages(campaign.id, 'SUBMITTED'))
  const all = byDeadline(data?.pages.flatMap(({ items }) => items) ?? [])
  const toReview = all.filter(tester => !waitsForConsent(tester))
  const asked = all.filter(waitsForConsent)
  const shown = [...toReview, ...asked]
  if (shown.length === 0) return null
  const several = toReview.length > 1
  return (
    <Card
      title={headOf(toReview.length, asked.length)}
      description={`Proofs not decided within ${counted(campaign.reviewHours, 'hour')} are auto-verified.`}
      action={several && <ButtonLink to={paths.review(campaign.id)}>Review all</ButtonLink>}
      flush
      className={className ?? ''}
    >
      <ul className="divide-y">
        {shown.slice(0, mostShown).map(tester => (
          <Waiting key={tester.id} tester={tester} variant={toReview.length === 1 ? 'primary' : 'outline'} />
        ))}
        {shown.length > mostShown && (
          <li className="px-5 py-3 text-muted-foreground">and {shown.length - mostShown} more</li>
        )}
      </ul>
    </Card>
  )
}

const headOf = (toReview: number, asked: number) => {
  if (toReview > 1) return `${toReview} proofs to review`
  if (toReview === 1) return 'Proof to review'
  return asked > 1 ? `${asked} rejections waiting for an admin` : 'Rejection waiting for an admin'
}

const Waiting = ({ tester, variant }: { tester: CampaignTester; variant: 'primary' | 'outline' }) => {
  const { id, alias, proof, deadlineAt, campaign } = tester
  const isAsked = waitsForConsent(tester)
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 px-5 py-3">
      <p className="min-w-0">
        <span className="font-medium">{alias}</span>
        {proof && (
          <span className="text-muted-foreground">
            {' '}
            submitted <DateTime at={proof.submittedAt} />
          </span>
        )}
        {deadlineAt && (
          <span className="block text-xs text-muted-foreground">
            {isAsked && 'An admin decides on the rejection. '}Auto-verifies <RelativeTime at={deadlineAt} />
          </span>
        )}
      </p>
      <ButtonLink size="sm" variant={isAsked ? 'outline' : variant} to={paths.reviewOf(campaign.id, id)}>
        {isAsked ? 'See proof' : 'Review proof'}
        <span className="sr-only"> of {alias}</span>
      </ButtonLink>
    </li>
  )
}
