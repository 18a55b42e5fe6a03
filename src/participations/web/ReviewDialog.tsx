import { useState } from 'react'
import { Alert } from '../../kit/web/ui/Alert.tsx'
import { Button } from '../../kit/web/ui/Button.tsx'
import { DescriptionList } from '../../kit/web/ui/Card.tsx'
import { Dialog } from '../../kit/web/ui/Dialog.tsx'
import { DateTime, RelativeTime } from '../../kit/web/ui/Values.tsx'
import type { Cents } from '../../kit/money.ts'
import type { CampaignTester } from '../contract.ts'
import { maxChangeRequests } from '../terms.ts'
import { ChangesDialog } from './ChangesDialog.tsx'
import { DayStrip } from './DayStrip.tsx'
import { ParticipationBadge } from './ParticipationBadge.tsx'
import { ProofView } from './ProofView.tsx'
import { RejectDialog } from './RejectDialog.tsx'
import { VerifyDialog } from './VerifyDialog.tsx'
import { dayName } from './days.ts'
import { deviceWords, rejectionWords } from './statusWords.ts'

type Decision = 'verify' | 'requestChanges' | 'reject'

type Props = {
  of: CampaignTester
  /** The balance of the campaign's escrow, if known. */
  escrowCents: Cents | null
  onClose: () => void
}

/** One tester's test with its proof, and the decision on it, which is confirmed in a dialog of its own. */
export const ReviewDialog = ({ of: tester, escrowCents, onClose }: Props) => {
  const [decision, setDecision] = useState<Decision | null>(null)
  const decided = () => {
    setDecision(null)
    onClose()
  }
  const props = { of: tester, onClose: () => setDecision(null), onDone: decided }
  return (
    <>
      <Dialog open={decision === null} onOpenChange={onClose} title={tester.alias} wide>
        <Facts of={tester} />
        <Decisions of={tester} onDecide={setDecision} />
      </Dialog>
      {decision === 'verify' && <VerifyDialog {...props} escrowCents={escrowCents} />}
      {decision === 'requestChanges' && <ChangesDialog {...props} />}
      {decision === 'reject' && <RejectDialog {...props} />}
    </>
  )
}

const Facts = ({ of: tester }: { of: CampaignTester }) => {
  const notes = tester.checkIns.filter(({ note }) => note !== null)
  return (
    <div className="grid gap-5">
      <DescriptionList
        stacked
        items={[
          { label: 'Status', value: <ParticipationBadge of={tester} /> },
          { label: 'Device', value: deviceWords(tester.deviceInfo) },
          { label: 'Joined', value: <DateTime at={tester.joinedAt} /> },
        ]}
      />
      <DayStrip of={tester} />
      {notes.length > 0 && (
        <section>
          <h3 className="mb-1 font-semibold">Notes</h3>
          <ul className="grid max-h-48 gap-1 overflow-y-auto">
            {notes.map(({ day, note }) => (
              <li key={day} className="whitespace-pre-wrap wrap-anywhere">
                <span className="text-muted-foreground">{dayName(day)}:</span> {note}
              </li>
            ))}
          </ul>
        </section>
      )}
      <section>
        <h3 className="mb-1 font-semibold">Proof</h3>
        {tester.proof ? (
          <ProofView of={tester.proof} />
        ) : (
          <p className="text-muted-foreground">
            None yet.{' '}
            {tester.closedAt === null && tester.proofAllowedAt !== null && (
              <>
                It can be submitted from <DateTime at={tester.proofAllowedAt} withTime />.
              </>
            )}
          </p>
        )}
      </section>
      <Review of={tester} />
    </div>
  )
}

const Review = ({ of: { review } }: { of: CampaignTester }) => {
  if (!review) return null
  const words = review.reason ?? review.note
  return (
    <section>
      <h3 className="mb-1 font-semibold">Review</h3>
      {review.code && <p className="font-medium">{rejectionWords[review.code]}</p>}
      {words && <p className="whitespace-pre-wrap wrap-anywhere">{words}</p>}
      <p className="text-xs text-muted-foreground">
        {review.bySilence ? 'Auto-verified' : 'Reviewed'} <DateTime at={review.decidedAt} withTime />
      </p>
    </section>
  )
}

const Decisions = ({
  of: { actions, deadlineAt, changesRequested },
  onDecide,
}: {
  of: CampaignTester
  onDecide: (decision: Decision) => void
}) => {
  if (!actions.includes('verify')) return null
  return (
    <div className="mt-6 grid gap-4">
      {deadlineAt && (
        <Alert tone="blue">
          If you do not review this proof, it is verified and paid <RelativeTime at={deadlineAt} />, on{' '}
          <DateTime at={deadlineAt} withTime />.
        </Alert>
      )}
      {!actions.includes('requestChanges') && changesRequested >= maxChangeRequests && (
        <p className="text-muted-foreground">
          Changes were requested {maxChangeRequests} times, which is the most. Verify or reject this proof.
        </p>
      )}
      <div className="flex flex-col-reverse gap-2 sm:flex-row sm:justify-end">
        {actions.includes('reject') && (
          <Button variant="ghost" onClick={() => onDecide('reject')}>
            Reject
          </Button>
        )}
        {actions.includes('requestChanges') && (
          <Button variant="outline" onClick={() => onDecide('requestChanges')}>
            Request changes
          </Button>
        )}
        {actions.includes('verify') && <Button onClick={() => onDecide('verify')}>Verify</Button>}
      </div>
    </div>
  )
}
