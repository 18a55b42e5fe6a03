/**
 * A tester who counts for the date deletes the account: files can no longer name them, but on Google Play they stay opted in until
 * the owner removes them. So nothing asks the owner to remove them, and a removal is recorded only with a list that leaves them
 * out.
 */
import { beforeAll, describe, expect, test } from 'vitest'
import type { CampaignEvent } from '../../activity/contract.ts'
import type { Campaign } from '../../campaigns/contract.ts'
import type { Continuity } from '../../continuity/contract.ts'
import { dayWords } from '../../continuity/words.ts'
import { clock, dayIn, daysAfter } from '../../kit/clock.ts'
import type { Notification } from '../../notifications/contract.ts'
import { joinedBy, liveCampaign, password, type Person, playEmailOf } from '../../testing/app.ts'
import { allSignedUp, signedUp, testApp } from '../../testing/prologue.ts'
import type { TesterList } from '../contract.ts'

const t = testApp()
const developer = signedUp(t, 'DEVELOPER')
const admin = signedUp(t, 'ADMIN')
const others = allSignedUp(t, 'TESTER', 12)

type Test = { person: Person; testId: string }

const pathOf = (id: string) => `/campaigns/${id}/tester-list`
const listOf = async (id: string) => (await developer.call<TesterList>('GET', pathOf(id))).body
const clockOf = async (id: string) => (await developer.call<Continuity>('GET', `/campaigns/${id}/continuity`)).body
const exported = async (id: string, form: 'changes' | 'play') => {
  const { accessToken } = await t.signIn(developer.user.email)
  const headers = { authorization: `Bearer ${accessToken}` }
  const reply = await t.app.inject({ method: 'POST', url: `/api/v1${pathOf(id)}/export?form=${form}`, headers })
  expect(reply.statusCode).toBe(200)
  return reply.payload
}
const confirm = async (id: string) => {
  const { status, body } = await developer.call<TesterList>('POST', `${pathOf(id)}/confirm`)
  expect(status).toBe(200)
  return body
}
const noticesOf = async (title: string) =>
  (await developer.call<Notification[]>('GET', '/users/me/notifications')).body.filter(
    ({ subject }) => subject === `Tester 1 deleted their account: ${title}`,
  )
const removedIn = async (id: string) =>
  (await developer.call<CampaignEvent[]>('GET', `/campaigns/${id}/activity`)).body
    .filter(({ kind }) => kind === 'LIST_CONFIRMED')
    .map(({ removed }) => removed)

const joinAndOptIn = async (id: string, person: Person): Promise<Test> => {
  const { id: testId } = await joinedBy(person, id)
  expect((await person.call('POST', `/testers/campaign-testers/${testId}/opt-in`, {})).status).toBe(200)
  return { person, testId }
}

const deleteAccount = async ({ person }: Test) => {
  const { status } = await person.call('DELETE', '/users/me', { password, givesUpCents: 500 })
  expect(status).toBe(204)
}

/** All testers are listed and have been opted in for 8 days, and the first is verified. */
const closedTest = async (
  terms: Record<string, unknown>,
  size: number,
): Promise<{ campaign: Campaign; first: Test }> => {
  const asked = { accessMode: 'EMAIL_LIST', testersRequired: size + 1, payPerTesterCents: 500, dailyCheckIn: false }
  const campaign = await liveCampaign(developer, admin, { ...asked, ...terms })
  const { id } = campaign
  const first = await joinAndOptIn(id, await t.signUp('TESTER'))
  for (const other of others.slice(0, size - 1)) await joinAndOptIn(id, other)
  await exported(id, 'play')
  await confirm(id)
  await t.look(`update opt_in_runs set started_at = started_at - interval '8 days' where campaign_id = $1`, [id])
  await t.look(
    `update participations set status = 'SUBMITTED', proof_text = 'It went well.', proof_submitted_at = joined_at where id = $1`,
    [first.testId],
  )
  expect((await developer.call('POST', `/campaign-testers/${first.testId}/verify`)).status).toBe(200)
  return { campaign, first }
}

const dateOf = (days: number) => dayWords(dayIn('UTC', daysAfter(clock.now(), days)), clock.now())
const nobody = { aliases: [], cost: null }

describe('when one of the twelve testers behind the date deletes the account', () => {
  let campaign: Campaign
  let first: Test
  const cost = () => `the date moves from ${dateOf(6)} to ${dateOf(14)} at the earliest, if a new tester opts in today`
  beforeAll(async () => {
    const made = await closedTest({ title: 'Twelve' }, 12)
    campaign = made.campaign
    first = made.first
    await deleteAccount(first)
  })

  test('the owner is told once, with what a removal would cost, and without the address', async () => {
    const [notice, ...more] = await noticesOf('Twelve')
    expect(more).toEqual([])
    expect(notice!.text).toContain('as long as they stay on the list in Play Console')
    expect(notice!.text).toContain(`If you remove them today, ${cost()}.`)
    expect(JSON.stringify(notice)).not.toContain('@')
  })

  test('the list asks for nothing, and says who counts while they stay', async () => {
    const list = await listOf(campaign.id)
    expect(list).toMatchObject({ state: 'NOTHING_TO_DO', additions: [], removals: [], leftOut: nobody, testers: 12 })
    expect(list.unnamed).toEqual({ aliases: ['Tester 1'], cost: cost() })
    expect(JSON.stringify(list)).not.toContain('@')
  })

  test('the clock keeps counting them, and marks them', async () => {
    const { unbrokenTesters, testers } = await clockOf(campaign.id)
    expect(unbrokenTesters).toBe(12)
    expect(testers.filter(({ accountDeleted }) => accountDeleted).map(({ alias, counts }) => [alias, counts])).toEqual([
      ['Tester 1', true],
    ])
  })

  test('confirming just the changes keeps them on the list', async () => {
    await joinedBy(others[11]!, campaign.id)
    expect(await exported(campaign.id, 'changes')).toBe(`email,change\r\n${playEmailOf(others[11]!)},ADD\r\n`)
    expect(await listOf(campaign.id)).toMatchObject({ state: 'EXPORTED', added: 1, removed: 0, leftOut: nobody })
    expect(await confirm(campaign.id)).toMatchObject({ state: 'NOTHING_TO_DO', unnamed: { aliases: ['Tester 1'] } })
    expect((await clockOf(campaign.id)).unbrokenTesters).toBe(12)
    expect(await removedIn(campaign.id)).toEqual([[], []])
  })

  test('confirming the whole list takes them off: the list says so before, and the activity afterwards', async () => {
    const whole = await exported(campaign.id, 'play')
    expect(whole.split('\n')).toHaveLength(12)
    expect(whole).not.toContain(playEmailOf(first.person))
    // Nothing asks the owner to confirm it, because they may not have replaced the list.
    expect(await listOf(campaign.id)).toMatchObject({
      state: 'NOTHING_TO_DO',
      added: 0,
      removed: 1,
      leftOut: { aliases: ['Tester 1'], cost: cost() },
    })
    expect((await clockOf(campaign.id)).unbrokenTesters).toBe(12)
    expect(await confirm(campaign.id)).toMatchObject({
      state: 'NOTHING_TO_DO',
      removals: [],
      unnamed: nobody,
      leftOut: nobody,
      testers: 12,
    })
    const after = await clockOf(campaign.id)
    expect([after.unbrokenTesters, after.earliestDate]).toEqual([11, null])
    expect(after.testers[0]).toMatchObject({ alias: 'Tester 1', accountDeleted: true, ended: 'LEFT' })
    expect(await removedIn(campaign.id)).toEqual([['Tester 1'], [], []])
  })
})

test('with other changes, an exported whole list waits to be confirmed until an export of the changes replaces it', async () => {
  const { campaign, first } = await closedTest({ title: 'Both forms' }, 1)
  await deleteAccount(first)
  await joinedBy(others[0]!, campaign.id)
  await exported(campaign.id, 'play')
  expect(await listOf(campaign.id)).toMatchObject({
    state: 'EXPORTED',
    added: 1,
    removed: 1,
    leftOut: { aliases: ['Tester 1'], cost: null },
  })
  await exported(campaign.id, 'changes')
  expect(await listOf(campaign.id)).toMatchObject({ state: 'EXPORTED', added: 1, removed: 0, leftOut: nobody })
  await confirm(campaign.id)
  expect((await clockOf(campaign.id)).unbrokenTesters).toBe(1)
})

const groupLink = 'https://groups.google.com/g/notes-testers'

test('with a Google Group everything is the same, and the notice names the group', async () => {
  const { campaign, first } = await closedTest({ title: 'Grouped', accessMode: 'GOOGLE_GROUP', groupLink }, 1)
  await t.look(
    `update opt_in_runs set contested_at = now(), contest_reason = 'Not in Play.', contest_ended_at = now(),
      contest_outcome = 'CLEARED_BY_TIME' where participation_id = $1`,
    [first.testId],
  )
  await deleteAccount(first)
  const [notice] = await noticesOf('Grouped')
  expect(notice!.text).toContain('as long as they stay in your Google Group')
  expect(notice!.text).not.toContain('You contested their opt-in')
  expect(await listOf(campaign.id)).toMatchObject({ removals: [], unnamed: { aliases: ['Tester 1'], cost: null } })
  await exported(campaign.id, 'play')
  expect((await listOf(campaign.id)).leftOut.aliases).toEqual(['Tester 1'])
  await confirm(campaign.id)
  expect((await clockOf(campaign.id)).unbrokenTesters).toBe(0)
})

test('once the owner has applied, they count as a removal, which confirming the changes covers too', async () => {
  const { campaign, first } = await closedTest({ title: 'Applied' }, 1)
  await deleteAccount(first)
  await developer.call('POST', `/campaigns/${campaign.id}/applied`)
  const list = await listOf(campaign.id)
  expect(list).toMatchObject({ state: 'TO_EXPORT', unnamed: nobody })
  expect(list.removals).toMatchObject([{ alias: 'Tester 1', erased: true }])
  await exported(campaign.id, 'changes')
  await confirm(campaign.id)
  expect((await clockOf(campaign.id)).unbrokenTesters).toBe(0)
})

test('once the run is over, they count as a removal', async () => {
  const { campaign, first } = await closedTest({ title: 'Over' }, 1)
  await first.person.call('POST', `/testers/campaign-testers/${first.testId}/opt-out`)
  await deleteAccount(first)
  expect(await listOf(campaign.id)).toMatchObject({ removals: [{ alias: 'Tester 1' }], unnamed: nobody })
  expect(await noticesOf('Over')).toEqual([])
})

test('an owner who has applied is not told of such testers', async () => {
  const { campaign, first } = await closedTest({ title: 'Applied before' }, 1)
  await developer.call('POST', `/campaigns/${campaign.id}/applied`)
  await deleteAccount(first)
  expect(await noticesOf('Applied before')).toEqual([])
})

test('a tester whose run is contested is not said to count', async () => {
  const { first } = await closedTest({ title: 'Contested' }, 2)
  await t.look(
    `update opt_in_runs set contested_at = now(), contest_reason = 'Not in Play.' where participation_id = $1`,
    [first.testId],
  )
  await deleteAccount(first)
  const [notice] = await noticesOf('Contested')
  expect(notice!.text).toContain('You contested their opt-in. If it counts again, they count towards your date')
})
