/** A digest leaves out questions about fixes that are settled. */
import { expect, test } from 'vitest'
import { clock } from '../../kit/clock.ts'
import { autocommit } from '../../kit/server/db.ts'
import { joinedBy, liveCampaign } from '../../testing/app.ts'
import { signedUp, testApp } from '../../testing/prologue.ts'
import type { Bug } from '../../bugs/contract.ts'
import type { AppVersion } from '../contract.ts'
import { settledRetests } from './settledRetests.ts'

const t = testApp()
const developer = signedUp(t, 'DEVELOPER')
const admin = signedUp(t, 'ADMIN')

const settled = async (...asked: { kind: string; testId?: string; bugId?: string; createdAt: string }[]) => {
  const all = asked.map((one, place) => ({ testId: null, bugId: null, ...one, id: ids[place]! }))
  return [...(await settledRetests(autocommit, all))].map(id => ids.indexOf(id)).toSorted((a, b) => a - b)
}
const ids: string[] = [crypto.randomUUID(), crypto.randomUUID()]

const found = { severity: 'LOW', steps: 'Open the app.', expected: 'It opens.', actual: 'It closes.' }

test('a fix is settled once its tester has answered, the bug is reopened, or a later question replaces it', async () => {
  const tester = await t.signUp('TESTER')
  const { id } = await liveCampaign(developer, admin)
  await joinedBy(tester, id)
  const { body: bug } = await tester.call<Bug>('POST', `/campaigns/${id}/bugs`, { ...found, title: 'Crash' })
  const told = async (fixedIn: string) => {
    await developer.call('PATCH', `/bugs/${bug.id}`, { status: 'FIXED', fixedIn })
    return { kind: 'RETEST_ASKED', bugId: bug.id, createdAt: clock.now() }
  }
  const first = await told('1.1')
  expect(await settled(first)).toEqual([])
  await developer.call('PATCH', `/bugs/${bug.id}`, { status: 'OPEN' })
  expect(await settled(first)).toEqual([0])
  await t.advance(1)
  const second = await told('1.2')
  expect(await settled(first, second)).toEqual([0])
  await tester.call('POST', `/bugs/${bug.id}/retest`, { result: 'WORKS' })
  expect(await settled(first, second)).toEqual([0, 1])
})

test('as many notifications of changes that answer feedback are kept as changes still wait for the answer of somebody who can give it', async () => {
  const { id } = await liveCampaign(developer, admin, { durationDays: 1 })
  const questions = ['What is missing?', 'What is slow?'].map(text => ({ kind: 'LONG_TEXT', text, required: true }))
  const { body: form } = await developer.call<{ questions: { id: string }[] }>(
    'PUT',
    `/campaigns/${id}/feedback-form`,
    {
      questions,
    },
  )
  const tester = await t.signUp('TESTER')
  const testId = (await joinedBy(tester, id)).id
  const answers = Object.fromEntries(form.questions.map(question => [question.id, 'A dark look']))
  await tester.call('POST', `/testers/campaign-testers/${testId}/feedback`, { version: 1, answers })
  const told = async (version: string, question: number) => {
    const feedback = [{ testId, questionId: form.questions[question]!.id }]
    const { body } = await developer.call<AppVersion>('POST', `/campaigns/${id}/changes`, {
      version,
      changes: [{ text: 'Better', feedback }],
    })
    await t.advance(1)
    return { change: body.changes[0]!.id, kind: 'FEEDBACK_RETEST_ASKED', testId, createdAt: clock.now() }
  }
  const first = await told('1.1', 0)
  expect(await settled(first)).toEqual([])
  // The second version takes over the open questions.
  const second = await told('1.2', 0)
  expect(await settled(first, second)).toEqual([0])
  await tester.call('POST', `/changes/${second.change}/retest`, { result: 'WORKS' })
  expect(await settled(first, second)).toEqual([0, 1])
  const third = await told('1.3', 1)
  expect(await settled(third)).toEqual([])
  await tester.call('POST', `/testers/campaign-testers/${testId}/leave`)
  expect(await settled(third)).toEqual([0])
})

test('a digest leaves out the fix that was answered, and keeps the one that waits', async () => {
  const tester = await t.signUp('TESTER', { timeZone: 'UTC' })
  await tester.call('PUT', '/users/me/notification-choices', { choices: [{ topic: 'RETESTS', delivery: 'DAILY' }] })
  const { id } = await liveCampaign(developer, admin)
  await joinedBy(tester, id)
  const bugs = []
  for (const title of ['Crash', 'Gray']) {
    const { body } = await tester.call<Bug>('POST', `/campaigns/${id}/bugs`, { ...found, title })
    await developer.call('PATCH', `/bugs/${body.id}`, { status: 'FIXED', fixedIn: '1.1' })
    bugs.push(body.id)
  }
  await tester.call('POST', `/bugs/${bugs[0]}/retest`, { result: 'WORKS' })
  await t.advance(24)
  const told = await t.look<{ subject: string }>(
    `select n.subject from digests d join notifications n on n.id = any(d.notification_ids) where d.user_id = $1`,
    [tester.user.id],
  )
  expect(told.map(({ subject }) => subject.split(':')[0])).toEqual(['Does it work now? Bug #2'])
})
