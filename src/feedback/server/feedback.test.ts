/** Forms, answers and results over HTTP. */
import { expect, test } from 'vitest'
import {
  daysAndProof,
  device,
  draftOf,
  joinedBy,
  liveCampaign,
  type Person,
  playEmailOf,
  proof,
} from '../../testing/app.ts'
import { signedUp, testApp } from '../../testing/prologue.ts'
import type { CampaignTester } from '../../participations/contract.ts'
import type { CampaignEvent } from '../../activity/contract.ts'
import type { Campaign } from '../../campaigns/contract.ts'
import type { Report } from '../../reports/contract.ts'
import type { FeedbackForm, FeedbackResults, TesterFeedback, TestFeedback } from '../contract.ts'

const t = testApp()
const developer = signedUp(t, 'DEVELOPER')
const stranger = signedUp(t, 'DEVELOPER')
const admin = signedUp(t, 'ADMIN')

const rating = { kind: 'RATING', text: 'How good is it?', required: true, low: 'Bad', high: 'Good' }
const text = { kind: 'LONG_TEXT', text: 'What would you change?', required: false }

const save = (id: string, questions: unknown[], by: Person = developer, version?: number | null) =>
  by.call<FeedbackForm & { code?: string; fields?: Record<string, string> }>('PUT', `/campaigns/${id}/feedback-form`, {
    questions,
    ...(version !== undefined && { version }),
  })
const formOf = async (id: string) => (await developer.call<FeedbackForm>('GET', `/campaigns/${id}/feedback-form`)).body
const dueOf = async (tester: Person, id: string) =>
  (await tester.call<TesterFeedback>('GET', `/testers/campaign-testers/${id}/feedback`)).body
type Sent = CampaignTester & { code?: string; fields?: Record<string, string> }
const handIn = (tester: Person, id: string, feedback?: unknown) =>
  tester.call<Sent>('POST', `/testers/campaign-testers/${id}/proof`, {
    proof,
    ...(feedback !== undefined && { feedback }),
  })
const tableOf = (id: string, query = '') =>
  t.app.inject({
    url: `/api/v1/campaigns/${id}/feedback.csv${query}`,
    headers: { authorization: `Bearer ${developer.accessToken}` },
  })

/** A one-day campaign and its testers after their days, with a form unless the test adds it later. */
const tested = async (questions: unknown[] = [rating, text], people = 1) => {
  const campaign = await liveCampaign(developer, admin, { testersRequired: people + 1, durationDays: 1 })
  if (questions.length > 0) expect((await save(campaign.id, questions)).status).toBe(200)
  const testers = await Promise.all(Array.from({ length: people }, () => t.signUp('TESTER')))
  const ids: string[] = []
  for (const tester of testers) ids.push((await joinedBy(tester, campaign.id)).id)
  return { campaignId: campaign.id, tester: testers[0]!, id: ids[0]!, testers, ids }
}

test('a form can be saved and removed; each change is a new version, and saving without a change is not', async () => {
  const { id } = await draftOf(developer)
  expect(await formOf(id)).toEqual({ version: null, questions: [], savedAt: null, answered: 0, joined: 0 })
  const first = await save(id, [rating, text])
  expect(first.body).toMatchObject({
    version: 1,
    questions: [
      { ...rating, sus: null },
      { ...text, options: [] },
    ],
  })
  const same = await save(id, first.body.questions)
  expect(same.body.version).toBe(1)
  const [one, two] = first.body.questions
  const second = await save(id, [two, { ...one, text: 'How bad is it?' }])
  expect(second.body.version).toBe(2)
  expect(second.body.questions[0]!.id).toBe(two!.id)
  expect(second.body.questions[1]!.id).not.toBe(one!.id)
  expect((await save(id, [])).body).toMatchObject({ version: 3, questions: [] })
})

test('repeating a save whose answer was lost makes no new version', async () => {
  const { id } = await draftOf(developer)
  const first = await save(id, [rating, text], developer, null)
  expect((await save(id, [rating, text], developer, null)).body).toEqual(first.body)
})

test('an author whose form was saved in another window meanwhile is told so, and undoes nothing', async () => {
  const { id } = await draftOf(developer)
  const first = await save(id, [rating], developer, null)
  const other = await save(id, [...first.body.questions, text], developer, 1)
  expect(other.body.version).toBe(2)
  for (const madeFrom of [1, null]) {
    const late = await save(id, [], developer, madeFrom)
    expect(late).toMatchObject({ status: 409, body: { code: 'WRONG_STATE' } })
  }
  expect(await formOf(id)).toEqual(other.body)
  // A request that names no version replaces the present one.
  expect((await save(id, [rating])).status).toBe(200)
})

test('errors in a form are reported at their place', async () => {
  const { id } = await draftOf(developer)
  const many = Array.from({ length: 21 }, () => rating)
  expect((await save(id, many)).body.fields).toEqual({ questions: 'Ask at most 20 questions' })
  const choice = { kind: 'CHOICE', text: '', required: true, options: ['One'] }
  const { status, body } = await save(id, [rating, choice])
  expect(status).toBe(400)
  expect(body.fields).toMatchObject({ 'questions.1.text': 'The question is required' })
})

test('a form and its results are for the owner and admins only', async () => {
  const { campaignId, tester } = await tested()
  const places = ['feedback-form', 'feedback', 'feedback.csv']
  for (const place of places) {
    expect((await stranger.call('GET', `/campaigns/${campaignId}/${place}`)).status).toBe(404)
    expect((await tester.call('GET', `/campaigns/${campaignId}/${place}`)).status).toBe(403)
    expect((await admin.call('GET', `/campaigns/${campaignId}/${place}`)).status).toBe(200)
  }
  expect((await save(campaignId, [], stranger)).status).toBe(404)
  expect((await formOf(campaignId)).questions).toHaveLength(2)
})

test('a proof needs the required answers, and names the question that lacks one', async () => {
  const { campaignId, tester, id } = await tested()
  const { form, answers } = await dueOf(tester, id)
  expect(answers).toBeNull()
  expect(form).toMatchObject({ version: 1, required: true })
  const [how, what] = form!.questions
  await t.advance(24)
  const without = await handIn(tester, id)
  expect(without).toMatchObject({ status: 400, body: { code: 'INVALID_INPUT' } })
  expect(without.body.fields).toEqual({ [`feedback.answers.${how!.id}`]: 'Answer this question' })
  const wrong = await handIn(tester, id, { version: 1, answers: { [how!.id]: 6 } })
  expect(wrong.body.fields).toEqual({ [`feedback.answers.${how!.id}`]: 'Give a number from 1 to 5' })
  expect((await dueOf(tester, id)).answers).toBeNull()
  const taken = await handIn(tester, id, { version: 1, answers: { [how!.id]: 4, [what!.id]: 'The search.' } })
  expect(taken).toMatchObject({ status: 200, body: { status: 'SUBMITTED' } })
  expect((await dueOf(tester, id)).answers).toEqual({ [how!.id]: 4, [what!.id]: 'The search.' })
  const { body: results } = await developer.call<FeedbackResults>('GET', `/campaigns/${campaignId}/feedback`)
  expect(results.questions[0]).toMatchObject({ answered: 1, mean: 4 })
  expect(results.questions[1]!.quotations).toMatchObject([
    { alias: 'Tester 1', device: 'Google Pixel 8', osVersion: '14', text: 'The search.' },
  ])
  expect(JSON.stringify(results)).not.toContain(tester.user.name)
  // The answers are shown beside the proof, and only to its reviewers.
  const given = await developer.call<TestFeedback>('GET', `/campaign-testers/${id}/feedback`)
  expect(given.body.questions.map(question => question.text)).toEqual([rating.text, text.text])
  expect(given.body.answers).toEqual({ [how!.id]: 4, [what!.id]: 'The search.' })
  expect((await stranger.call('GET', `/campaign-testers/${id}/feedback`)).status).toBe(404)
  expect((await tester.call('GET', `/campaign-testers/${id}/feedback`)).status).toBe(403)
})

test('testers see before joining how many questions there are, and saving a form leaves a line in the activity', async () => {
  const { id } = await liveCampaign(developer, admin)
  const tester = await t.signUp('TESTER')
  const questionsOf = async () => (await tester.call<Campaign>('GET', `/campaigns/${id}`)).body.feedbackQuestions
  expect(await questionsOf()).toBe(0)
  await save(id, [rating, text])
  expect(await questionsOf()).toBe(2)
  await save(id, [])
  expect(await questionsOf()).toBe(0)
  const { body } = await developer.call<CampaignEvent[]>('GET', `/campaigns/${id}/activity`)
  const saved = body.filter(({ kind }) => kind === 'FORM_SAVED').map(({ questions }) => questions)
  expect(saved).toEqual([0, 2])
})

test('a tester who has joined sees how many questions their own form has, however it has changed since', async () => {
  const { campaignId, tester, id } = await tested([])
  const [later, nobody] = [await t.signUp('TESTER'), await t.signUp('TESTER')]
  const counts = async () => {
    const seen = []
    for (const person of [tester, later, nobody])
      seen.push((await person.call<Campaign>('GET', `/campaigns/${campaignId}`)).body.feedbackQuestions)
    return seen
  }
  await save(campaignId, [rating, text])
  await joinedBy(later, campaignId)
  await save(campaignId, [rating])
  expect(await counts()).toEqual([1, 2, 1])
  expect((await dueOf(tester, id)).form!.questions).toHaveLength(1)
  await save(campaignId, [])
  expect(await counts()).toEqual([0, 0, 0])
})

test('answers given before, or with the first proof, need not be given again', async () => {
  const { tester, id } = await tested()
  const [how] = (await dueOf(tester, id)).form!.questions
  const answer = (value: unknown) =>
    tester.call<Sent>('POST', `/testers/campaign-testers/${id}/feedback`, { version: 1, answers: { [how!.id]: value } })
  expect((await answer('good')).body.fields).toEqual({ [`answers.${how!.id}`]: 'Give a number from 1 to 5' })
  expect((await answer(3)).status).toBe(200)
  await t.advance(24)
  expect((await handIn(tester, id)).status).toBe(200)
  expect((await answer(5)).status).toBe(409)
  await developer.call('POST', `/campaign-testers/${id}/request-changes`, { note: 'Show the search.' })
  expect((await handIn(tester, id)).status).toBe(200)
  expect((await dueOf(tester, id)).answers).toEqual({ [how!.id]: 3 })
})

test('a form that is added or changed while testers are inside stops none of them', async () => {
  const { campaignId, tester: early, id: earlyId } = await tested([])
  expect((await dueOf(early, earlyId)).form).toBeNull()
  await save(campaignId, [rating])
  // The form is offered, but not required.
  expect((await dueOf(early, earlyId)).form).toMatchObject({ version: 1, required: false })
  const late = await t.signUp('TESTER')
  const joined = await late.call<CampaignTester>('POST', `/testers/campaigns/${campaignId}/join`, {
    deviceInfo: device,
    playEmail: playEmailOf(late),
    consent: true,
  })
  const lateId = joined.body.id
  const before = (await dueOf(late, lateId)).form!
  await save(campaignId, [
    { ...rating, text: 'How useful is it?' },
    { ...text, required: true },
  ])
  // Testers who are already inside do not get the new version.
  expect((await dueOf(late, lateId)).form).toEqual(before)
  await daysAndProof(t, [{ person: early, participationId: earlyId }], 1)
  const answers = { [before.questions[0]!.id]: 2 }
  expect((await handIn(late, lateId, { version: 2, answers: {} })).status).toBe(400)
  expect((await handIn(late, lateId, { version: 1, answers })).status).toBe(200)
  const { body: results } = await developer.call<FeedbackResults>('GET', `/campaigns/${campaignId}/feedback`)
  expect(results.questions.map(({ question, asked, answered }) => [question.text, asked, answered])).toEqual([
    ['How useful is it?', true, 0],
    ['What would you change?', true, 0],
    ['How good is it?', false, 1],
  ])
})

test('a removed form is not asked of anyone', async () => {
  const { campaignId, tester, id } = await tested()
  await save(campaignId, [])
  expect((await dueOf(tester, id)).form).toBeNull()
  await t.advance(24)
  expect((await handIn(tester, id)).status).toBe(200)
})

test('an ended campaign keeps its form', async () => {
  const { campaignId } = await tested()
  await developer.call('POST', `/campaigns/${campaignId}/cancel`)
  expect((await save(campaignId, [])).status).toBe(409)
  expect((await formOf(campaignId)).questions).toHaveLength(2)
})

test('nobody sees or answers the feedback of somebody else’s test', async () => {
  const { id } = await tested()
  const other = await t.signUp('TESTER')
  expect((await other.call('GET', `/testers/campaign-testers/${id}/feedback`)).status).toBe(404)
  const body = { version: 1, answers: {} }
  expect((await other.call('POST', `/testers/campaign-testers/${id}/feedback`, body)).status).toBe(404)
})

test('results are filtered by device and system, and can be downloaded as a table without formulas', async () => {
  const { campaignId, testers, ids } = await tested([rating, text], 2)
  const questions = (await dueOf(testers[0]!, ids[0]!)).form!.questions
  await t.look(
    `update participations set device_model = 'Galaxy S24', device_manufacturer = 'Samsung',
    device_os_version = '15' where id = $1`,
    [ids[1]],
  )
  await t.advance(24)
  for (const [index, tester] of testers.entries()) {
    const answers = { [questions[0]!.id]: index + 1, [questions[1]!.id]: `=SUM(A${index})` }
    expect((await handIn(tester, ids[index]!, { version: 1, answers })).status).toBe(200)
  }
  const ofGalaxy = `device=${encodeURIComponent('Samsung Galaxy S24')}&osVersion=15`
  const { body } = await developer.call<FeedbackResults>('GET', `/campaigns/${campaignId}/feedback?${ofGalaxy}`)
  expect(body).toMatchObject({ answered: 1, answeredInAll: 2 })
  expect(body.questions[0]!.mean).toBe(2)
  const csv = await tableOf(campaignId, `?${ofGalaxy}`)
  expect(csv.headers['content-disposition']).toBe('attachment; filename="feedback.csv"')
  expect(csv.payload.split('\r\n')).toHaveLength(3)
  expect(csv.payload).toContain(`Tester 2,In review,Samsung Galaxy S24,15,1,`)
  expect(csv.payload).toContain(`2,'=SUM(A1)`)
})

test('a tester who leaves the whole form blank has not answered: in the results, the table and the report alike', async () => {
  const optional = [{ ...rating, required: false }, text]
  const { campaignId, testers, ids } = await tested(optional, 2)
  const [how] = (await dueOf(testers[0]!, ids[0]!)).form!.questions
  await t.advance(24)
  const told = async () => {
    const { answered, joined } = await formOf(campaignId)
    const { body: results } = await developer.call<FeedbackResults>('GET', `/campaigns/${campaignId}/feedback`)
    const csv = await tableOf(campaignId)
    const { body: report } = await developer.call<Report>('GET', `/campaigns/${campaignId}/report`)
    return {
      joined,
      answered,
      inResults: results.answered,
      inAll: results.answeredInAll,
      devices: results.devices.length,
      lines: csv.payload.trimEnd().split('\r\n').length - 1,
      report: report.feedback?.answered ?? null,
      draft: report.answers.find(({ key }) => key === 'feedback')!.draft,
    }
  }
  expect((await handIn(testers[0]!, ids[0]!, { version: 1, answers: {} })).status).toBe(200)
  const nobody = { answered: 0, inResults: 0, inAll: 0, devices: 0, lines: 0, report: null, draft: null }
  expect(await told()).toEqual({ joined: 2, ...nobody })
  expect((await handIn(testers[1]!, ids[1]!, { version: 1, answers: { [how!.id]: 4 } })).status).toBe(200)
  const one = { answered: 1, inResults: 1, inAll: 1, devices: 1, lines: 1, report: 1 }
  expect(await told()).toMatchObject({ joined: 2, ...one, draft: expect.stringContaining('1 tester answered the 1') })
})

test('answers from before a change of the form stay, for everyone who reads them', async () => {
  const { campaignId, tester, id } = await tested([])
  const gone = { ...text, text: 'What was hard?' }
  const questionsOf = async () => (await dueOf(tester, id)).form!.questions.map(question => question.id)
  const answer = (version: number, answers: object) =>
    tester.call('POST', `/testers/campaign-testers/${id}/feedback`, { version, answers })
  const [, hard] = (await save(campaignId, [rating, gone])).body.questions
  const [how] = await questionsOf()
  expect((await answer(1, { [how!]: 2, [hard!.id]: 'The first start' })).status).toBe(200)
  await save(campaignId, [{ ...rating, id: how }, text])
  const [same, change] = await questionsOf()
  expect(same).toBe(how)
  await t.advance(24)
  const again = { version: 2, answers: { [how!]: 4, [change!]: 'The search' } }
  expect((await handIn(tester, id, again)).status).toBe(200)
  const answeredWithProof = await t.look(
    `select answered_at = proof_submitted_at as is from feedback_answers join participations on id = participation_id
      where id = $1`,
    [id],
  )
  expect(answeredWithProof).toEqual([{ is: true }])

  const answers = { [how!]: 4, [change!]: 'The search', [hard!.id]: 'The first start' }
  const asked = [rating.text, text.text, gone.text]
  const { body: given } = await developer.call<TestFeedback>('GET', `/campaign-testers/${id}/feedback`)
  expect([given.questions.map(question => question.text), given.answers]).toEqual([asked, answers])
  const { body: results } = await developer.call<FeedbackResults>('GET', `/campaigns/${campaignId}/feedback`)
  expect(results.questions.map(({ question, answered }) => [question.text, answered])).toEqual(
    asked.map(one => [one, 1]),
  )
  expect((await tableOf(campaignId)).payload).toContain('4,The search,The first start')
  const { body: report } = await developer.call<Report>('GET', `/campaigns/${campaignId}/report`)
  expect(report.feedback?.questions.map(question => question.text)).toEqual(asked)
  const changes = [{ text: 'Starts at once', feedback: [{ testId: id, questionId: hard!.id }] }]
  expect((await developer.call('POST', `/campaigns/${campaignId}/changes`, { version: '1.1', changes })).status).toBe(
    201,
  )
})

test('forms and answers are in their authors’ exports', async () => {
  const { tester, id } = await tested()
  const [how] = (await dueOf(tester, id)).form!.questions
  await tester.call('POST', `/testers/campaign-testers/${id}/feedback`, { version: 1, answers: { [how!.id]: 3 } })
  const exportOf = async (person: Person) =>
    (await person.call<Record<string, Record<string, unknown>[]>>('GET', '/users/me/export')).body
  expect((await exportOf(tester))['feedback']).toMatchObject([{ participation_id: id, answers: { [how!.id]: 3 } }])
  expect((await exportOf(developer))['feedbackForms']!.length).toBeGreaterThan(0)
})
