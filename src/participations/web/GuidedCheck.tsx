import type { ReactNode } from 'react'
import { Link } from 'react-router'
import type { CampaignTester, OpenedLink } from '../contract.ts'

/** What usually is in the way when the store says that the app is not available, likeliest first. */
export const GuidedCheck = ({ of: { waiting, campaign }, opened }: { of: CampaignTester; opened: OpenedLink }) => {
  const listed = waiting === null
  const inGroup = campaign.accessMode === 'GOOGLE_GROUP'
  const inside = inGroup ? 'in the Google Group' : 'on the list'
  return (
    <details className="rounded-md border px-3 py-2 open:pb-3">
      <summary className="font-medium">Google Play says the app is not available?</summary>
      <ol className="mt-3 grid list-decimal gap-2 pl-5">
        <Check title="The account">
          The link and the Play Store must use {opened.playEmail ?? 'the account that you joined with'}. In the Play
          Store, tap the picture at the top right to see and switch the account.
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
          {listed
            ? `The developer says that you are ${inside}. It can take Google Play a few hours to catch up.`
            : `The developer has not confirmed yet that you are ${inside}. We will tell you when they do.`}
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
    </details>
  )
}

const Check = ({ title, children }: { title: string; children: ReactNode }) => (
  <li>
    <span className="font-medium">{title}.</span> {children}
  </li>
)
