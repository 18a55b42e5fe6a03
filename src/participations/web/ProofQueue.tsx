import { useInfiniteQuery } from '@tanstack/react-query'
import { paths } from '../../kit/paths.ts'
import { ButtonLink } from '../../kit/web/ui/Button.tsx'
import { Card } from '../../kit/web/ui/Card.tsx'
import { DateTime, RelativeTime } from '../../kit/web/ui/Values.tsx'
import type { Campaign } from '../../campaigns/contract.ts'
import { counted } from '../../kit/words.ts'
import { rosterPages } from './calls.ts'
import { byDeadline } from './urgency.ts'

/** The desk lists all of them. */
const mostShown = 5

/** Proofs awaiting a decision; nothing if there are none. Errors show in the roster, a tab away. */
export const ProofQueue = ({ campaign, className }: { campaign: Campaign; className?: string | undefined }) => {
  const { data } = useInfiniteQuery(rosterPages(campaign.id, 'SUBMITTED'))
  const waiting = byDeadline(data?.pages.flatMap(({ items }) => items) ?? [])
  if (waiting.length === 0) return null
  const several = waiting.length > 1
  return (
    <Card
      title={several ? `${waiting.length} proofs to review` : 'Proof to review'}
      description={`Proofs not reviewed within ${counted(campaign.reviewHours, 'hour')} are auto-verified.`}
      action={several && <ButtonLink to={paths.review(campaign.id)}>Review all</ButtonLink>}
      flush
      className={className ?? ''}
    >
      <ul className="divide-y">
        {waiting.slice(0, mostShown).map(({ id, alias, proof, deadlineAt }) => (
          <li key={id} className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 px-5 py-3">
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
                  Auto-verifies <RelativeTime at={deadlineAt} />
                </span>
              )}
            </p>
            <ButtonLink size="sm" variant={several ? 'outline' : 'primary'} to={paths.reviewOf(campaign.id, id)}>
              Review proof<span className="sr-only"> of {alias}</span>
            </ButtonLink>
          </li>
        ))}
        {waiting.length > mostShown && (
          <li className="px-5 py-3 text-muted-foreground">and {waiting.length - mostShown} more</li>
        )}
      </ul>
    </Card>
  )
}
