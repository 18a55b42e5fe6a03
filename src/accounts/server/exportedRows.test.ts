/**
 * An export contains everything of its user and nothing of anybody else: two developers and two testers do the same things side
 * by side.
 */
import { beforeAll, describe, expect, test } from 'vitest'
import { joinedBy, liveCampaign, type Person, proof } from '../../testing/app.ts'
import { picture } from '../../testing/pictures.ts'
import { signedUp, testApp } from '../../testing/prologue.ts'
import { uploaded } from '../../testing/uploads.ts'
import type { TesterFeedback } from '../../feedback/contract.ts'
import type { PersonalData } from '../contract.ts'

const t = testApp()
const admin = signedUp(t, 'ADMIN')

type Pair = { developer: Person; tester: Person }
const pairs: Record<string, Pair> = {}

const done = async (person: Person, method: 'POST' | 'PUT', path: string, body: object) => {
  const reply = await person.call<{ id: string }>(method, path, body)
  if (reply.status >= 300) throw new Error(`${path}: ${JSON.stringify(reply.body)}`)
  return reply.body
}

/** Every text names the person who wrote it. */
const play = async (name: string): Promise<Pair> => {
  const developer = await t.signUp('DEVELOPER')
  const tester = await t.signUp('TESTER')
  const campaign = await liveCampaign(developer, admin, {
    title: `App of ${name}`,
    accessMode: 'EMAIL_LIST',
    durationDays: 1,
    testersRequired: 2,
  })
  const at = `/campaigns/${campaign.id}`
  await done(developer, 'PUT', `${at}/nda`, { text: `Tell nobody of ${name}.` })
  await done(developer, 'PUT', `${at}/feedback-form`, {
    questions: [{ kind: 'LONG_TEXT', text: `How is ${name}?`, required: false }],
  })
  const own = `/testers/campaign-testers/${(await joinedBy(tester, campaign.id)).id}`
  await done(tester, 'POST', `${at}/nda/accept`, { name: `Tess of ${name}`, version: 1 })
  await done(tester, 'POST', `${own}/opt-in`, {})
  await done(tester, 'POST', `${own}/check-ins`, { note: `A note of ${name}.` })
  const bug = await done(tester, 'POST', `${at}/bugs`, {
    title: `A bug of ${name}`,
    severity: 'LOW',
    steps: 'Open it.',
    actual: 'It closes.',
  })
  await done(tester, 'POST', `/bugs/${bug.id}/comments`, { text: `The tester of ${name} says.` })
  await done(developer, 'POST', `/bugs/${bug.id}/comments`, { text: `The developer of ${name} says.` })
  await done(developer, 'POST', `${at}/changes`, {
    version: '1.2',
    changes: [{ text: `A change of ${name}`, bugIds: [bug.id] }],
  })
  await done(developer, 'PUT', '/users/me/notification-choices', { choices: [{ topic: 'PROOFS', delivery: 'WEEKLY' }] })
  await t.advance(24)
  const form = await tester.call<TesterFeedback>('GET', `${own}/feedback`)
  await done(tester, 'POST', `${own}/proof`, {
    proof: `${proof} By ${name}.`,
    feedback: { version: 1, answers: { [form.body.form!.questions[0]!.id]: `Good, says ${name}.` } },
  })
  return { developer, tester }
}

beforeAll(async () => {
  for (const name of ['Ines', 'Omar']) pairs[name] = await play(name)
})

const exportOf = async (person: Person) => (await person.call<PersonalData>('GET', '/users/me/export')).body

describe.each([
  ['Ines', 'Omar'],
  ['Omar', 'Ines'],
])('%s', (name, other) => {
  test('as a tester, gets the test and everything in it', async () => {
    const file = await uploaded(t, pairs[name]!.tester, await picture())
    const mine = await exportOf(pairs[name]!.tester)
    expect(mine).toMatchObject({
      tests: [{ proof_text: `${proof} By ${name}.` }],
      optIns: [{}],
      playAddresses: [{}],
      ndaAcceptances: [{ name: `Tess of ${name}`, text: `Tell nobody of ${name}.` }],
      checkIns: [{ note: `A note of ${name}.` }],
      bugs: [{ title: `A bug of ${name}` }],
      feedback: [{ answers: expect.anything() }],
      attachments: [{ id: file.id, content_type: file.type }],
      campaigns: [],
      ndas: [],
      changes: [],
      feedbackForms: [],
    })
    expect(mine.bugEvents.map(event => event['text'])).toContain(`The tester of ${name} says.`)
    expect(JSON.stringify(mine.feedback)).toContain(`Good, says ${name}.`)
    expect(mine.notifications.length).toBeGreaterThan(0)
    expect(JSON.stringify(mine)).not.toContain(other)
  })

  test('as a developer, gets the campaign and everything in it', async () => {
    const mine = await exportOf(pairs[name]!.developer)
    expect(mine).toMatchObject({
      campaigns: [{ title: `App of ${name}` }],
      ndas: [{ text: `Tell nobody of ${name}.` }],
      changes: [{ text: `A change of ${name}` }],
      feedbackForms: [{}],
      tests: [],
      checkIns: [],
      bugs: [],
      feedback: [],
    })
    expect(mine.bugEvents.map(event => event['text'])).toContain(`The developer of ${name} says.`)
    expect(JSON.stringify(mine.feedbackForms)).toContain(`How is ${name}?`)
    expect(mine.notificationChoices).toContainEqual({ topic: 'PROOFS', delivery: 'WEEKLY' })
    expect(mine.transactions.length).toBeGreaterThan(0)
    expect(JSON.stringify(mine)).not.toContain(other)
  })
})
