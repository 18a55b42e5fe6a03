/** Feedback forms, what testers answer, and a version that answers one of them; NDAs that are accepted on joining. */
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

/** Read and accepted at once; from a network of the documentation's. */
export const acceptedNda = (tester: Tester, taken: CampaignTester): Promise<CampaignTester> | CampaignTester =>
  taken.nda === null
    ? taken
    : acceptNda(
        tester.acts(),
        taken.campaign.id,
        { name: tester.name, version: taken.nda.version },
        { ip: `192.0.2.${10 + tester.place}` },
      )

const said = [
  'The first steps. I did not see at once where to begin.',
  'It is quick, and it does not ask for an account.',
  'The pictures could be larger, and the text darker.',
  'I missed a way to undo. One wrong tap, and an entry was gone.',
  'A dark look for the evening.',
] as const

const answerTo = ({ kind, options }: Question, place: number): Answers[string] => {
  switch (kind) {
    case 'RATING':
      return 3 + (place % 3)
    case 'CHOICE':
      return options[place % 5 === 0 ? options.length - 1 : place % 2]!
    case 'MULTIPLE_CHOICE':
      return options.filter((_, index) => (index + place) % 3 === 0)
    case 'SHORT_TEXT':
    case 'LONG_TEXT':
      return said[place % said.length]!
  }
}

/** Without chance, so that the rest of the demo stays as it was. */
export const answersOf = async (tester: Tester, testId: string): Promise<GivenFeedback | undefined> => {
  const { form } = await feedbackOf(tester.user, testId)
  if (!form) return undefined
  const answers = form.questions.map((question, index) => [question.id, answerTo(question, tester.place + index)])
  return { version: form.version, answers: Object.fromEntries(answers) as Answers }
}

const answered = new Set<string>()

/** The first text of a campaign is answered by a version, and its tester looks again. */
export const planAnswer = (demo: Demo, tester: Tester, owner: Member, test: CampaignTester): void => {
  const { id: campaignId } = test.campaign
  if (answered.has(campaignId)) return
  answered.add(campaignId)
  demo.time.after(5 * hourMs, async () => {
    const { form, answers } = await feedbackOf(tester.user, test.id)
    const text = form?.questions.find(({ id, kind }) => kind === 'LONG_TEXT' && answers?.[id] !== undefined)
    if (!text) return
    const change = { text: 'The first steps say where to begin', feedback: [{ testId: test.id, questionId: text.id }] }
    const { changes } = await publish(owner.acts(), campaignId, { version: '1.3', changes: [change] }, randomUUID())
    demo.time.after(4 * hourMs, async () => {
      await unlessRefused(['WRONG_STATE'], () => retest(tester.acts(), changes[0]!.id, { result: 'WORKS' }))
    })
  })
}
