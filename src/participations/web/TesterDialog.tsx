import type { ReactNode } from 'react'
import { paths } from '../../kit/paths.ts'
import { useNow } from '../../kit/web/now.ts'
import { useUser } from '../../kit/web/user.ts'
import { ButtonLink } from '../../kit/web/ui/Button.tsx'
import { Dialog } from '../../kit/web/ui/Dialog.tsx'
import { DialogFooter } from '../../kit/web/ui/DialogFooter.tsx'
import { TesterFigures } from '../../reputation/web/face.tsx'
import { DateTime } from '../../kit/web/ui/Values.tsx'
import { ScrollBox } from '../../kit/web/ui/ScrollBox.tsx'
import { accessWords } from '../accessWords.ts'
import { waitsForConsent } from '../consent.ts'
import type { CampaignTester } from '../contract.ts'
import { AppealOutcome, AppealView } from './AppealView.tsx'
import { fullDays } from './days.ts'
import { DayStrip } from './DayStrip.tsx'
import { DeviceAndDates, EarlierReview, hasNotes, Notes, ProofOf, reviewTitle } from './Evidence.tsx'
import { ContestOptIn, NudgeButton } from './OptInActions.tsx'
import { OptInScreenshot } from './OptInScreenshot.tsx'
import { StatusAndNext } from './StatusAndNext.tsx'

/** Everything that the developer knows about one tester. Decisions are made at the review desk. */
export const TesterDialog = ({ of: tester, onClose }: { of: CampaignTester; onClose: () => void }) => (
  <Dialog open onOpenChange={onClose} title={tester.alias} wide>
    <div className="grid gap-5">
      <StatusAndNext of={tester} />
      {tester.funnel && <OptInOf tester={tester} />}
      <DayStrip of={tester} />
      <DeviceAndDates of={tester} />
      {tester.closedAt === null && (
        <Part title="Track record">
          <TesterFigures campaignId={tester.campaign.id} testerId={tester.id} />
        </Part>
      )}
      {hasNotes(tester) && (
        <Part title="Time and notes by day">
          <ScrollBox label="Time and notes by day" className="max-h-48">
            <Notes of={tester} />
          </ScrollBox>
        </Part>
      )}
      <Part title="Proof">
        <ProofOf of={tester} />
      </Part>
      {tester.review && (
        <Part title={reviewTitle(tester)}>
          <EarlierReview of={tester} />
        </Part>
      )}
      {tester.appeal && (
        <Part title="Appeal">
          <div className="grid gap-3">
            <AppealView of={tester.appeal} />
            <AppealOutcome of={tester.appeal} />
          </div>
        </Part>
      )}
    </div>
    {tester.actions.includes('verify') && (
      <DialogFooter>
        <ButtonLink to={paths.reviewOf(tester.campaign.id, tester.id)} className="max-sm:w-full">
          {waitsForConsent(tester) ? 'See proof' : 'Review proof'}
        </ButtonLink>
      </DialogFooter>
    )}
  </Dialog>
)

/** The opt-in as the tester confirmed it, and what the developer can do about it. */
const OptInOf = ({ tester }: { tester: CampaignTester }) => {
  const now = useNow()
  return (
    <div className="grid gap-3">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2 empty:hidden">
        {tester.run && (
          <span>
            Opted in since <DateTime at={tester.run.startedAt} />: {fullDays(tester.run.startedAt, now)}
          </span>
        )}
        <ContestOptIn of={tester} />
        <NudgeButton of={tester} />
      </div>
      <NotLetIn of={tester} />
      {tester.run && <OptInScreenshot of={tester.run.screenshot} />}
    </div>
  )
}

/** What the tester reported about Google Play. As long as it keeps them out, the owner also sees what to check. */
const NotLetIn = ({ of: { noAccess, nextStep, campaign } }: { of: CampaignTester }) => {
  const { role } = useUser()
  if (!noAccess?.at || !noAccess.problem) return null
  const { says, check } = accessWords[noAccess.problem]
  return (
    <p>
      Reported {noAccess.reports > 1 && 'for the second time '}on <DateTime at={noAccess.at} withTime />: Google Play
      says that {says}.{role === 'DEVELOPER' && nextStep === 'WAIT_FOR_LIST' && ` ${check(campaign.accessMode)}`}
    </p>
  )
}

const Part = ({ title, children }: { title: string; children: ReactNode }) => (
  <section>
    <h3 className="mb-1 font-semibold">{title}</h3>
    {children}
  </section>
)
