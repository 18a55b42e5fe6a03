import { Suspense } from 'react'
import { AttachmentList } from '../../attachments/web/face.tsx'
import { Skeleton } from '../../kit/web/ui/States.tsx'
import { DateTime } from '../../kit/web/ui/Values.tsx'
import type { CampaignTester } from '../contract.ts'

/** What the tester says against the rejection. `own`: to the tester. */
export const AppealView = ({ of: appeal, own = false }: { of: CampaignTester['appeal']; own?: boolean }) =>
  appeal && (
    <section className="grid gap-2">
      {own && <h3 className="font-semibold">Your appeal</h3>}
      <p className="max-h-96 overflow-y-auto whitespace-pre-wrap wrap-anywhere">{appeal.reason}</p>
      {appeal.attachments.length > 0 && (
        <Suspense fallback={<Skeleton className="h-20 w-44" />}>
          <AttachmentList of={appeal.attachments} label="of the appeal" />
        </Suspense>
      )}
      <p className="text-xs text-muted-foreground">
        Appealed <DateTime at={appeal.at} withTime />
      </p>
    </section>
  )

const outcomes = { VERIFIED: 'Granted: the tester was paid', UPHELD: 'Rejection upheld' }

/** The admin's decision, with the note that both sides see. */
export const AppealOutcome = ({ of: appeal }: { of: CampaignTester['appeal'] }) =>
  appeal?.outcome ? (
    <section className="grid gap-1">
      <p className="font-medium">{outcomes[appeal.outcome]}</p>
      <p className="whitespace-pre-wrap wrap-anywhere">{appeal.note}</p>
      {appeal.decidedAt && (
        <p className="text-xs text-muted-foreground">
          Decided by an admin <DateTime at={appeal.decidedAt} withTime />
        </p>
      )}
    </section>
  ) : (
    <p className="text-muted-foreground">An admin has not decided yet.</p>
  )
