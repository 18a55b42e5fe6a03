/** Names of the report's parts. There are no schemas here, so that a screen can import them without loading zod. */

/** The parts of the report to which a number can link. */
export const factNames = [
  'terms',
  'runs',
  'dropOuts',
  'engagement',
  'features',
  'devices',
  'bugs',
  'feedback',
  'changes',
] as const
export type FactName = (typeof factNames)[number]

/** The ten questions of Google's form for production access, in its order. */
export const questionKeys = [
  'recruiting',
  'ease',
  'engagement',
  'feedback',
  'audience',
  'value',
  'installs',
  'changes',
  'readiness',
  'rejection',
] as const
export type QuestionKey = (typeof questionKeys)[number]

export const questionWords: Record<QuestionKey, string> = {
  recruiting: 'How did you recruit users for your closed test?',
  ease: 'How easy was it to recruit testers for your app?',
  engagement:
    'Describe the engagement you received from testers. Did they use all features? Was their usage like that of production users?',
  feedback: 'Summarize the feedback that you received from testers, and how you collected it.',
  audience: 'Who is the intended audience of your app?',
  value: 'How does your app provide value to users?',
  installs: 'How many installs do you expect your app to have in the first year?',
  changes: 'What changes did you make to your app based on what you learned during the closed test?',
  readiness: 'How did you decide that your app is ready for production?',
  rejection: 'If you were rejected before: what did you do differently this time?',
}
