/** A rejected proof, as its tester sees it: why, until when an appeal is possible, what has become of one. */
import { type ReactNode, useState } from 'react'
import { Alert } from '../../kit/web/ui/Alert.tsx'
import { Button } from '../../kit/web/ui/Button.tsx'
import { Skeleton } from '../../kit/web/ui/States.tsx'
import { DateTime, Money, RelativeTime } from '../../kit/web/ui/Values.tsx'
import type { CampaignTester, RejectionCode } from '../contract.ts'
import { AppealView, Goodwill } from './AppealView.tsx'
import { rejectionWords } from './statusWords.ts'
import { laterPart } from '../../kit/web/ui/laterPart.ts'

const AppealForm = laterPart(
  async () => (await import('./AppealForm.tsx')).AppealForm,
  <Skeleton className="h-64 max-w-xl" />,
)

type Props = { of: CampaignTester }

const Words = ({ children }: { children: ReactNode }) => <p className="whitespace-pre-wrap wrap-anywhere">{children}</p>

/** "Other" says nothing: the reason below it does. */
const problemOf = (code: RejectionCode | null | undefined): string =>
  code && code !== 'OTHER' ? `: ${rejectionWords[code].toLowerCase()}` : ''

export const RejectedNews = ({ of: test }: Props) => {
  const { review, appeal, actions } = test
  const [writing, setWriting] = useState(false)
  const mayAppeal = actions.includes('appeal')
  return (
    <div className="grid gap-4">
      <Alert title={`Your proof was rejected${problemOf(review?.code)}`}>
        <Words>{review?.reason}</Words>
      </Alert>
      {mayAppeal && <MayAppeal of={test} onAppeal={writing ? null : () => setWriting(true)} />}
      {mayAppeal && writing && <AppealForm of={test} onClose={() => setWriting(false)} />}
      {appeal?.outcome === null && (
        <Alert tone="blue" title="An admin is reviewing your appeal">
          They see your proof and what you {!review?.byAdmin && 'and the developer '}say.{' '}
          <Money cents={test.campaign.payPerTesterCents} /> is held until they decide; we will let you know.
          <Goodwill of={appeal} />
        </Alert>
      )}
      {appeal?.outcome === 'UPHELD' && (
        <Alert title="An admin upheld the rejection">
          <Words>{appeal.note}</Words>
          <p>This test does not pay.</p>
        </Alert>
      )}
      {!appeal && !mayAppeal && (
        <p className="text-muted-foreground">
          You did not appeal in time, so the rejection is final and this test does not pay.
        </p>
      )}
      <AppealView of={appeal} own />
    </div>
  )
}

const MayAppeal = ({ of: { deadlineAt, campaign, review }, onAppeal }: Props & { onAppeal: (() => void) | null }) => (
  <Alert tone="yellow" title="Do you think this is wrong?">
    <p>
      You can appeal once
      {deadlineAt && (
        <>
          , until <DateTime at={deadlineAt} withTime /> (<RelativeTime at={deadlineAt} />)
        </>
      )}
      . An admin then looks at {review?.byAdmin ? 'it again' : 'both sides'} and decides.{' '}
      <Money cents={campaign.payPerTesterCents} /> is held for you until then; without an appeal the rejection is final.
    </p>
    {onAppeal && (
      <Button className="mt-3" onClick={onAppeal}>
        Appeal
      </Button>
    )}
  </Alert>
)
