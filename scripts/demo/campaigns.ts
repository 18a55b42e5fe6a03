/** The 25 campaigns of the demo and what happens to each. The apps are fictional. */
import { cancelled, completed } from './pastCampaigns.ts'
import { running, standing } from './presentCampaigns.ts'
import type { CampaignPlan } from './plan.ts'

export const plans: readonly CampaignPlan[] = [...completed, ...cancelled, ...running, ...standing]

export const rejectionReason =
  'Asking for invitations and five-star ratings is against the rules of the stores. Describe what should be tested instead, and we will look at it again.'

export const firstRejectionReason =
  'The link answers with "App not available". Add our reviewers to the test or make the test open, and submit it again.'

export const linkOf = ({ app, platform }: CampaignPlan): string =>
  platform === 'ios'
    ? `https://builds.example.com/${app}/install`
    : `https://play.google.com/apps/testing/com.example.${app}`

export const groupLinkOf = ({ app }: CampaignPlan): string => `https://groups.google.com/g/${app}-testers`
