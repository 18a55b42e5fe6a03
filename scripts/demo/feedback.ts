/** Feedback forms, testers' answers, and a version that fulfills one of their wishes; NDAs accepted on joining. */
import { randomUUID } from 'node:crypto'
import { publish, retest } from '../../src/changes/server/changes.ts'
import type { Answers, GivenFeedback, Question } from '../../src/feedback/contract.ts'
import { saveForm } from '../../src/feedback/server/feedback.ts'
import { formTemplates } from '../../src/feedback/templates.ts'
import { set as setNda } from '../../src/nda/server/nda.ts'
import type { CampaignTester } from '../../src/participations/contract.ts'
import { acceptNda } from '../../src/participations/server/nda.ts'
import { feedbackOf } from '../../src/participations/server/ownTest.ts'
import { type Demo, type Member, type Tester, unlessRefused } from './context.ts'
import type { CampaignPlan } from './plan.ts'
import { hourMs } from './timeline.ts'

const ndaText = `This app is not public yet. Please keep what you see of it to yourself: its name, its pictures and what it can do.

You may speak about it with us, here and in your feedback. When the app is in the store, this agreement ends.`

export const prepare = async (plan: CampaignPlan, owner: Member, id: string): Promise<void> => {
  const template = formTemplates.find(({ key }) => key === plan.form)
  if (template) await saveForm(owner.acts(), id, { questions: template.questions })
  if (plan.nda) await setNda(owner.acts(), id, ndaText)
}

/** Accepts the NDA at once, from a network reserved for documentation. */
export const acceptedNda = (tester: Tester, taken: CampaignTester): Promise<CampaignTester> | CampaignTester =>
  taken.nda === null
    ? taken
    : acceptNda(
        tester.acts(),
        taken.campaign.id,
        { name: tester.name, version: taken.nda.version },
        { ip: `192.0.2.${10 + tester.place}` },
      )

/** Answers by how a template's question begins; any other text question is answered with a wish. */
const said: Record<string, readonly string[]> = {
  'In your own words': [
    'It does one thing that I used to keep on paper, and does it well.',
    'For people who want this without an account and without advertising.',
    'A small helper for every day.',
  ],
  'What did you like': [
    'It is quick, and it does not ask for an account.',
    'I understood it without reading anything.',
    'It also works on the bus, without a connection.',
    'It looks calm. Nothing blinks.',
  ],
  'Which features': [
    'The search, every day, and the reminder in the evening.',
    'Mostly the list. I added something each morning.',
    'I shared an entry with my sister and looked at the week.',
  ],
  'Describe the problems': [
    'With a large font the date was cut off in the list.',
    'I turned the phone while typing, and the text was gone.',
    'After the update it took a while to open the first time.',
  ],
}

/** What a tester would change, and what the developer then changes. */
const improvements: readonly (readonly [wish: string, change: string])[] = [
  ['The first steps. I did not see at once where to begin.', 'The first steps say where to begin'],
  ['The pictures could be larger, and the text darker.', 'Larger pictures and darker text'],
  ['I missed a way to undo. One wrong tap, and an entry was gone.', 'Whatever is deleted can be brought back'],
  ['A dark look for the evening.', 'A dark theme'],
]

const wishes = improvements.map(([wish]) => wish)

const textsFor = (question: string) => Object.entries(said).find(([start]) => question.startsWith(start))?.[1] ?? wishes

const answerTo = ({ kind, options, text }: Question, place: number): Answers[string] => {
  switch (kind) {
    case 'RATING':
      return 3 + (place % 3)
    case 'CHOICE':
      return options[place % 5 === 0 ? options.length - 1 : place % 2]!
    case 'MULTIPLE_CHOICE':
      return options.filter((_, index) => (index + place) % 3 === 0)
    case 'SHORT_TEXT':
    case 'LONG_TEXT':
      return textsFor(text)[place % textsFor(text).length]!
  }
}

/** Uses no random numbers, so that the rest of the demo stays the same. */
export const answersOf = async (tester: Tester, testId: string): Promise<GivenFeedback | undefined> => {
  const { form } = await feedbackOf(tester.user, testId)
  if (!form) return undefined
  const answers = form.questions.map((question, index) => [question.id, answerTo(question, tester.place + index)])
  return { version: form.version, answers: Object.fromEntries(answers) as Answers }
}

const answered = new Set<string>()

/** A version fulfills the first wish of a campaign, and its tester looks at it again. */
export const planAnswer = (demo: Demo, tester: Tester, owner: Member, test: CampaignTester): void => {
  const { id: campaignId } = test.campaign
  if (answered.has(campaignId)) return
  answered.add(campaignId)
  demo.time.after(5 * hourMs, async () => {
    const { form, answers } = await feedbackOf(tester.user, test.id)
    const wished = form?.questions.find(({ id }) => wishes.some(wish => wish === answers?.[id]))
    if (!wished) return
    const [, text] = improvements.find(([wish]) => wish === answers?.[wished.id])!
    const change = { text, feedback: [{ testId: test.id, questionId: wished.id }] }
    const { changes } = await publish(owner.acts(), campaignId, { version: '1.3', changes: [change] }, randomUUID())
    demo.time.after(4 * hourMs, async () => {
      await unlessRefused(['WRONG_STATE'], () => retest(tester.acts(), changes[0]!.id, { result: 'WORKS' }))
    })
  })
}
