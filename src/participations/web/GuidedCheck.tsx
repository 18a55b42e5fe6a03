import { lazy, type ReactNode, Suspense, useState } from 'react'
import { Link } from 'react-router'
import { useNow } from '../../kit/web/now.ts'
import { Button } from '../../kit/web/ui/Button.tsx'
import { DateTime } from '../../kit/web/ui/Values.tsx'
import type { CampaignTester, OpenedLink } from '../contract.ts'
import { counts } from '../rules.ts'
import { mostNoAccessReports } from '../terms.ts'

const NoAccessDialog = lazy(async () => ({ default: (await import('./NoAccessDialog.tsx')).NoAccessDialog }))

/** Usual reasons why the store says that the app is not available, most likely first, and whom to report it to. */
export const GuidedCheck = ({ of: test, opened }: { of: CampaignTester; opened: OpenedLink }) => {
  const inGroup = test.campaign.accessMode === 'GOOGLE_GROUP'
  return (
    <details className="rounded-md border px-3 py-2 open:pb-3">
      <summary className="font-medium">Google Play says the app is not available?</summary>
      <ol className="mt-3 grid list-decimal gap-2 pl-5">
        <Check title="The account">
          The link and the Play Store must use {opened.playEmail ?? 'the account that you joined with'}. In the Play
          Store, tap your picture at the top right to see or switch accounts.
        </Check>
        {opened.groupLink !== null && (
          <Check title="The group">
            The developer adds you to the{' '}
            <Link to={opened.groupLink} target="_blank" rel="noopener noreferrer" className="underline">
              Google Group
            </Link>
            . If it does not show you as a member, ask to join with the same account.
          </Check>
        )}
        <Check title={inGroup ? 'Your membership' : 'The list'}>
          {whatOfList(test, inGroup ? 'in the Google Group' : 'on the list')}
        </Check>
        <Check title="The country">
          The developer chooses the countries of the test. The country of your Play account must be one of them.
        </Check>
        <Check title="The track">
          The developer must have published a build to the closed test. If everything above is right, this is the likely
          cause, and only the developer can fix it.
        </Check>
        <Check title="Time">Google Play can take a few hours after each change. Try again later today.</Check>
      </ol>
      <ReportNoAccess of={test} />
    </details>
  )
}

const whatOfList = ({ waiting, noAccess }: CampaignTester, inside: string): string => {
  if (waiting === null)
    return `The developer says that you are ${inside}. It can take Google Play a few hours to catch up.`
  return (noAccess?.reports ?? 0) > 0
    ? `The developer was asked to check that you are ${inside}. We will tell you when to try again.`
    : `The developer has not confirmed yet that you are ${inside}. We will tell you when they do.`
}

/** The dialog stays open when a report is no longer possible: the refusal says why. */
const ReportNoAccess = ({ of: test }: { of: CampaignTester }) => {
  const [reporting, setReporting] = useState(false)
  const now = useNow()
  const { noAccess, actions, waiting, runs } = test
  const from = noAccess?.mayReportAt ?? null
  const wasNeverIn = waiting === null && (noAccess?.reports ?? 0) >= mostNoAccessReports && !runs.some(counts)
  return (
    <>
      {from !== null && now < from && (
        <p className="mt-3 text-muted-foreground">
          If it still does not let you in on <DateTime at={from} withTime />, you can report it to the developer here.
        </p>
      )}
      {from !== null && (now >= from || actions.includes('reportNoAccess')) && (
        <div className="mt-3">
          <Button variant="outline" onClick={() => setReporting(true)}>
            Google Play does not let me in
          </Button>
        </div>
      )}
      {wasNeverIn && (
        <p className="mt-3 text-muted-foreground">
          You have reported this twice, and our admins know about it. If you still cannot get in, you may leave; it does
          not count against you.
        </p>
      )}
      {reporting && (
        <Suspense>
          <NoAccessDialog of={test} onClose={() => setReporting(false)} />
        </Suspense>
      )}
    </>
  )
}

const Check = ({ title, children }: { title: string; children: ReactNode }) => (
  <li>
    <span className="font-medium">{title}.</span> {children}
  </li>
)
