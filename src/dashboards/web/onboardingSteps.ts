/** What a newcomer has still to do until the first campaign or test is done, from what is recorded. Pure. */
import { paths } from '../../kit/paths.ts'
import type { Campaign, CampaignStatus } from '../../campaigns/contract.ts'
import type { DeveloperFigures, TesterFigures } from '../contract.ts'

export type OnboardingStep = { label: string; hint: string; done: boolean; to: string }

type OwnCampaign = Pick<Campaign, 'id' | 'status'>

/** The newest campaign in one of these states, where the step is taken; else the list. */
const whereIs = (campaigns: readonly OwnCampaign[], ...states: CampaignStatus[]) => {
  const found = campaigns.find(({ status }) => states.includes(status))
  return found ? paths.campaign(found.id) : paths.campaigns
}

/** Undefined while the profile cannot be loaded: then the step is left out. */
type Profile = { country: string | null } | undefined

const profileStep = (profile: Profile, hint: string): OnboardingStep[] =>
  profile ? [{ label: 'Say where you live', hint, done: profile.country !== null, to: paths.settings }] : []

/** Null once a campaign is completed. */
export const developerSteps = (
  { totalCampaigns, reached }: Pick<DeveloperFigures, 'totalCampaigns' | 'reached'>,
  campaigns: readonly OwnCampaign[],
  profile: Profile,
): OnboardingStep[] | null => {
  if (reached.completed) return null
  return [
    ...profileStep(profile, 'Your country completes your profile.'),
    {
      label: 'Create your first campaign',
      hint: 'What to test, on which devices, for how long, and what it pays.',
      done: totalCampaigns > 0,
      to: paths.campaignCreate,
    },
    {
      label: 'Pay for it',
      hint: 'The testers’ pay and the fee are held until tests are verified; what is not used comes back.',
      done: reached.paid,
      to: whereIs(campaigns, 'DRAFT', 'REJECTED'),
    },
    {
      label: 'Have it approved',
      hint: 'An admin looks at it. You get word by email.',
      done: reached.approved,
      to: whereIs(campaigns, 'PENDING_APPROVAL', 'REJECTED'),
    },
    {
      label: 'Go live',
      hint: 'Start it, and testers can take their seats.',
      done: reached.started,
      to: whereIs(campaigns, 'APPROVED'),
    },
    {
      label: 'Review what testers hand in',
      hint: 'Each proof you verify is paid at once. The campaign completes with the last one.',
      done: false,
      to: whereIs(campaigns, 'LIVE', 'PAUSED'),
    },
  ]
}

/** Null once a test is verified. */
export const testerSteps = (
  { completedTests, reached }: Pick<TesterFigures, 'completedTests' | 'reached'>,
  profile: Profile,
): OnboardingStep[] | null => {
  if (completedTests > 0) return null
  return [
    ...profileStep(profile, 'Some campaigns look for testers in certain countries.'),
    {
      label: 'Join your first campaign',
      hint: 'Pick one that fits your device. Your seat is yours from then on.',
      done: reached.joined,
      to: paths.campaigns,
    },
    {
      label: 'Check in for the first time',
      hint: 'Use the app and check in once a day, so that your seat stays yours.',
      done: reached.checkedIn,
      to: paths.myTests,
    },
    {
      label: 'Hand in your proof',
      hint: 'When the days are over: what you tried and what you noticed.',
      done: reached.submitted,
      to: paths.myTests,
    },
    {
      label: 'Get paid',
      hint: 'The developer verifies your proof, and the pay is in your balance.',
      done: false,
      to: paths.balance,
    },
  ]
}
