import { AttachmentList } from '../../attachments/web/face.tsx'
import { ScrollBox } from '../../kit/web/ui/ScrollBox.tsx'
import { DateTime } from '../../kit/web/ui/Values.tsx'
import { useNow } from '../../kit/web/now.ts'
import { publicHoldWords } from '../../notifications/holdWords.ts'
import type { CampaignTester } from '../contract.ts'
import { goodwillDays } from '../terms.ts'

/** What the tester says against the rejection. `own`: the reader is the tester. */
export const AppealView = ({ of: appeal, own = false }: { of: CampaignTester['appeal']; own?: boolean }) =>
  appeal && (
    <section className="grid gap-2">
      {own && <h3 className="font-semibold">Your appeal</h3>}
      <ScrollBox label="Text of the appeal" className="max-h-96">
        <p className="whitespace-pre-wrap wrap-anywhere">{appeal.reason}</p>
      </ScrollBox>
      {appeal.attachments.length > 0 && <AttachmentList of={appeal.attachments} label="of the appeal" />}
      <p className="text-xs text-muted-foreground">
        Appealed <DateTime at={appeal.at} withTime />
      </p>
    </section>
  )

const outcomes = {
  VERIFIED: 'Granted: the tester was paid',
  UPHELD: 'Rejection upheld',
  PLATFORM: `Verified by the platform: nobody decided within ${goodwillDays} days`,
}

/** The admin's decision, with the note that both sides see. */
export const AppealOutcome = ({ of: appeal }: { of: CampaignTester['appeal'] }) =>
  appeal?.outcome ? (
    <section className="grid gap-1">
      <p className="font-medium">{outcomes[appeal.outcome]}</p>
      {appeal.outcome === 'PLATFORM' ? (
        <p>
          The platform paid the tester from its own money, and the seat’s pay and fee went back to the developer. This
          does not count for or against either side.
        </p>
      ) : (
        <p className="whitespace-pre-wrap wrap-anywhere">{appeal.note}</p>
      )}
      {appeal.decidedAt && (
        <p className="text-xs text-muted-foreground">
          {appeal.outcome === 'PLATFORM' ? 'Paid' : 'Decided by an admin'} <DateTime at={appeal.decidedAt} withTime />
        </p>
      )}
    </section>
  ) : (
    <div className="grid gap-1 text-muted-foreground">
      <p>An admin has not decided yet.</p>
      <Goodwill of={appeal} />
    </div>
  )

/** When the platform pays if nobody decides, or what holds the payment back. */
export const Goodwill = ({ of: appeal }: { of: CampaignTester['appeal'] }) => {
  const now = useNow()
  if (!appeal?.goodwill) return null
  const { at, hold } = appeal.goodwill
  if (hold && now < at)
    return (
      <p>
        Without a decision by <DateTime at={at} withTime />, the platform would pay instead, but it cannot yet:{' '}
        {publicHoldWords[hold]}.
      </p>
    )
  if (hold)
    return (
      <p>
        Nobody decided within {goodwillDays} days, and the platform cannot pay instead yet: {publicHoldWords[hold]}.
      </p>
    )
  return (
    <p>
      Without a decision by <DateTime at={at} withTime />, the platform pays.
    </p>
  )
}
