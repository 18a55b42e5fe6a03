/** Advice before a campaign is posted: what Google and Apple ask for. It never blocks the developer. Pure. */
import { counted } from '../kit/words.ts'
import { hasTesterList, isAppFile } from './rules.ts'
import { type AccessMode, googleRule } from './terms.ts'

export type Plan = {
  platform: 'android' | 'ios'
  testersRequired: number
  durationDays: number
  distributionLink: string
  accessMode: AccessMode
}

export type Advice = {
  verdict: 'MEETS' | 'FALLS_SHORT' | 'NOT_COUNTED' | 'FORBIDDEN'
  title: string
  sentence: string
  /** The values that one press sets to meet Google's rule; null if nothing has to, or can, be set. */
  fix: Pick<Plan, 'testersRequired' | 'durationDays' | 'accessMode'> | null
}

const rule = `at least ${googleRule.testers} testers who stay opted in for ${googleRule.days} days without a break`

/** Values above the minimum stay as they are. */
const fixOf = ({ testersRequired, durationDays, accessMode }: Plan): NonNullable<Advice['fix']> => ({
  testersRequired: Math.max(testersRequired, googleRule.testers),
  durationDays: Math.max(durationDays, googleRule.days),
  accessMode: hasTesterList(accessMode) ? accessMode : 'EMAIL_LIST',
})

const apple: Advice = {
  verdict: 'FORBIDDEN',
  title: 'Good to know',
  sentence: 'Apple’s guideline 2.2 forbids paying TestFlight testers. Use an ad-hoc, enterprise or App Store link.',
  fix: null,
}

export const preflight = (plan: Plan): Advice => {
  const { platform, testersRequired, durationDays, accessMode, distributionLink } = plan
  if (platform === 'ios') return apple
  if (!hasTesterList(accessMode)) {
    return {
      verdict: 'NOT_COUNTED',
      title: 'Does not count for production access',
      sentence: `Google counts closed tests only: for production access, a personal account needs ${rule}. With an open link, testers are not on a list in Play Console.`,
      fix: isAppFile(distributionLink) ? null : fixOf(plan),
    }
  }
  if (testersRequired >= googleRule.testers && durationDays >= googleRule.days) {
    return {
      verdict: 'MEETS',
      title: 'Meets Google’s rule',
      sentence: `For production access, Google asks personal accounts for ${rule}. Google decides, and nobody can promise its approval.`,
      fix: null,
    }
  }
  return {
    verdict: 'FALLS_SHORT',
    title: 'Falls short of Google’s rule',
    sentence: `For production access, Google asks personal accounts for ${rule}. This campaign asks for ${counted(testersRequired, 'tester')} over ${counted(durationDays, 'day')}.`,
    fix: fixOf(plan),
  }
}
