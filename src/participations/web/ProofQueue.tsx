import { useState } from 'react'
import { Button } from '../../kit/web/ui/Button.tsx'
import { Card } from '../../kit/web/ui/Card.tsx'
import { DateTime, RelativeTime } from '../../kit/web/ui/Values.tsx'
import type { Campaign } from '../../campaigns/contract.ts'
import { ReviewOf } from './ReviewOf.tsx'
import { escrowLeft } from './escrow.ts'
import { useRoster } from './roster.ts'

/** Proofs awaiting a decision; nothing if there are none. Errors show in the roster, a tab away. */
export const ProofQueue = ({ campaign, className }: { campaign: Campaign; className?: string | undefined }) => {
  const [openId, setOpenId] = useState<string | null>(null)
  const waiting = useRoster(campaign.id, 'SUBMITTED').data?.pages.flatMap(({ items }) => items) ?? []
  if (waiting.length === 0) return null
  return (
    <Card
      title="Proofs to review"
      description={`Proofs you do not review within ${campaign.reviewHours} hours are auto-verified.`}
      flush
      className={className ?? ''}
    >
      <ul className="divide-y">
        {waiting.map(({ id, alias, proof, deadlineAt }) => (
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
            <Button size="sm" onClick={() => setOpenId(id)}>
              Review proof<span className="sr-only"> of {alias}</span>
            </Button>
          </li>
        ))}
      </ul>
      <ReviewOf
        testers={waiting}
        openId={openId}
        escrowCents={escrowLeft(campaign, undefined)}
        onClose={() => setOpenId(null)}
      />
    </Card>
  )
}
