/** Forms to start with; every question can be changed. */
import type { NewQuestion } from './contract.ts'
import { susEnds, susStatements } from './sus.ts'

export type FormTemplate = { key: string; name: string; hint: string; questions: NewQuestion[] }

const rating = (text: string, low: string, high: string): NewQuestion => ({
  kind: 'RATING',
  text,
  required: true,
  options: [],
  low,
  high,
})
const choice = (text: string, options: string[]): NewQuestion => ({ kind: 'CHOICE', text, required: true, options })
const several = (text: string, options: string[]): NewQuestion => ({
  kind: 'MULTIPLE_CHOICE',
  text,
  required: false,
  options,
})
const short = (text: string): NewQuestion => ({ kind: 'SHORT_TEXT', text, required: false, options: [] })
const long = (text: string, required = true): NewQuestion => ({ kind: 'LONG_TEXT', text, required, options: [] })

const firstImpression: NewQuestion[] = [
  rating('What was your first impression of the app?', 'Poor', 'Excellent'),
  short('In your own words: what is this app for?'),
  choice('Was it clear what to do after you opened the app for the first time?', ['Yes', 'Partly', 'No']),
  several('Which words describe the app?', ['Clear', 'Fast', 'Useful', 'Fun', 'Confusing', 'Slow', 'Unfinished']),
  long('What did you like best?', false),
  long('What would you change first?'),
  rating('How likely are you to recommend the app to a friend?', 'Not at all', 'Very likely'),
]

const usability: NewQuestion[] = [
  ...susStatements.map((text, index): NewQuestion => ({
    kind: 'RATING',
    text,
    required: true,
    options: [],
    ...susEnds,
    sus: index + 1,
  })),
  long('What was hardest to do, and why?', false),
]

/** The topics of Google's form for production access: how testers used the app, what they said, and what should change. */
const closedTest: NewQuestion[] = [
  choice('How often did you use the app during the test?', ['Every day', 'Most days', 'A few times', 'Only once']),
  long('Which features did you use, and what for?'),
  choice('Did you use the app as you would use it in everyday life?', ['Yes', 'Mostly', 'No']),
  rating('How well did the app work on your device?', 'Very badly', 'Very well'),
  several('Which problems did you run into?', [
    'It crashed',
    'It froze or was slow',
    'Something did not work',
    'The text was hard to understand',
    'It used a lot of battery',
    'None',
  ]),
  long('Describe the problems: what did you do, and what happened?', false),
  long('What should be improved before the app is public?'),
  choice('Is the app ready for the public?', ['Yes', 'After small changes', 'Not yet']),
]

export const formTemplates: FormTemplate[] = [
  {
    key: 'FIRST_IMPRESSION',
    name: 'First impression',
    hint: 'Seven questions: what is clear, what people remember, what to change first.',
    questions: firstImpression,
  },
  {
    key: 'USABILITY',
    name: 'Usability (SUS)',
    hint: 'The ten statements of the System Usability Scale, with its score from 0 to 100.',
    questions: usability,
  },
  {
    key: 'CLOSED_TEST',
    name: 'Closed test for Google',
    hint: 'Eight questions on what Google asks about before an app may go public.',
    questions: closedTest,
  },
]
