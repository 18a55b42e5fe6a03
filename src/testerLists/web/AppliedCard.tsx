import { useState } from 'react'
import type { Campaign } from '../../campaigns/contract.ts'
import { Button } from '../../kit/web/ui/Button.tsx'
import { Card } from '../../kit/web/ui/Card.tsx'
import { ConfirmDialog } from '../../kit/web/ui/ConfirmDialog.tsx'
import { notify } from '../../kit/web/ui/toast.tsx'
import { DateTime } from '../../kit/web/ui/Values.tsx'
import type { TesterList } from '../contract.ts'
import { api, refreshList } from './calls.ts'

/** Until then, verified testers are asked to stay opted in, and belong on the list. */
export const AppliedCard = ({ campaign: { id }, list: { appliedAt } }: { campaign: Campaign; list: TesterList }) => {
  const [asking, setAsking] = useState(false)
  return (
    <Card title="Production access">
      {appliedAt ? (
        <p className="max-w-prose">
          You applied <DateTime at={appliedAt} />. Verified testers were told that they may opt out, and no longer
          belong on your list.
        </p>
      ) : (
        <div className="grid justify-items-start gap-3">
          <p className="max-w-prose">
            Verified testers stay on your list, and are asked to stay opted in, until you have applied for production
            access in Play Console, or 14 days after this campaign’s end. Tell us when you have applied.
          </p>
          <Button variant="outline" onClick={() => setAsking(true)}>
            I have applied
          </Button>
        </div>
      )}
      {asking && (
        <ConfirmDialog
          open
          onOpenChange={() => setAsking(false)}
          title="Have you applied for production access?"
          description="Verified testers are told that they may opt out now, and are to be removed from your list. You cannot take this back: the days of whoever opts out are over."
          confirmLabel="I have applied"
          onConfirm={async () => {
            await api.applied({ params: { id } })
            notify.success('Verified testers are told that they may opt out')
            await refreshList()
          }}
        />
      )}
    </Card>
  )
}
