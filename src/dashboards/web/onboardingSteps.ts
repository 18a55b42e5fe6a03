/** The onboarding checklist of a new developer or tester. Pure. */
import { paths } from '../../kit/paths.ts'
import type { Campaign, CampaignStatus } from '../../campaigns/contract.ts'
import type { DeveloperFigures, TesterFigures } from '../contract.ts'

export type OnboardingStep = { label: string; hint: string; done: boolean; to: string }

type OwnCampaign = Pick<Campaign, 'id' | 'status'>

/** Links to the newest campaign in one of these statuses, or to the list. */
const pathToCampaign = (campaigns: readonly OwnCampaign[], ...states: CampaignStatus[]) => {
  const found = campaigns.find(({ status }) => states.includes(status))
  return found ? paths.campaign(found.id) : paths.campaigns
}

/** Undefined if the profile failed to load; its step is then omitted. */
type Profile = { country: string | null } | undefined

const profileStep = (profile: Profile): OnboardingStep[] =>
  profile
    ? [
        {
          label: 'Add your country',
          hint: 'Some campaigns are only open to certain countries.',
          done: profile.country !== null,
          to: paths.settings,
        },
      ]
    : []

/** Null once a campaign has been completed. */
export const developerSteps = (
  { totalCampaigns, reached }: Pick<DeveloperFigures, 'totalCampaigns' | 'reached'>,
  campaigns: readonly OwnCampaign[],
): OnboardingStep[] | null => {
  if (reached.completed) return null
  return [
    {
      label: 'Create your first campaign',
      hint: 'What to test, on which devices, for how long, and what it pays.',
      done: totalCampaigns > 0,
      to: paths.campaignCreate,
    },
    {
      label: 'Pay for your campaign',
      hint: 'We hold the testers’ pay and the fee until tests are verified, and refund what is not used.',
      done: reached.paid,
      to: pathToCampaign(campaigns, 'DRAFT', 'REJECTED'),
    },
    {
      label: 'Get it approved',
      hint: 'An admin reviews your campaign. We will email you the result.',
      done: reached.approved,
      to: pathToCampaign(campaigns, 'PENDING_APPROVAL', 'REJECTED'),
    },
    {
      label: 'Go live',
      hint: 'Start your campaign so that testers can join.',
      done: reached.started,
      to: pathToCampaign(campaigns, 'APPROVED'),
    },
    {
      label: 'Review your testers’ proofs',
      hint: 'Testers are paid as soon as you verify their proof. The campaign completes with the last one.',
      done: false,
      to: pathToCampaign(campaigns, 'LIVE', 'PAUSED'),
    },
  ]
}

const another: OnboardingStep = {
  label: 'Join another campaign',
  hint: 'Your earlier test is over. The next one can pay in full.',
  done: false,
  to: paths.campaigns,
}

/** Null once a test has been verified. A tester whose tests have all ended is led to another campaign. */
export const testerSteps = (
  { completedTests, reached, hasOpenTest }: Pick<TesterFigures, 'completedTests' | 'reached' | 'hasOpenTest'>,
  profile: Profile,
): OnboardingStep[] | null => {
  if (completedTests > 0) return null
  const steps: OnboardingStep[] = [
    {
      label: 'Join your first campaign',
      hint: 'Pick one that fits your device to get a seat.',
      done: reached.joined,
      to: paths.campaigns,
    },
    {
      label: 'Check in for the first time',
      hint: 'Use the app, then check in. Most campaigns ask for it once a day.',
      done: reached.checkedIn,
      to: paths.myTests,
    },
    {
      label: 'Submit your proof',
      hint: 'After the last day, describe what you tried and what you noticed.',
      done: reached.submitted,
      to: paths.myTests,
    },
    {
      label: 'Get paid',
      hint: 'Your pay is added to your balance once one of your proofs is verified.',
      done: false,
      to: paths.balance,
    },
  ]
  const next = reached.joined && !hasOpenTest ? steps.findIndex(({ done }) => !done) : null
  return [...profileStep(profile), ...(next === null ? steps : steps.toSpliced(next, 0, another))]
}
