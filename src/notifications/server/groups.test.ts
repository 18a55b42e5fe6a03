/** The notification center: once per matter of a campaign, filtered, page by page, and marked as read together. */
import { expect, test } from 'vitest'
import type { Bug } from '../../bugs/contract.ts'
import { paths } from '../../kit/paths.ts'
import { transact } from '../../kit/server/db.ts'
import { joinedBy, liveCampaign, type Person } from '../../testing/app.ts'
import { signedUp, testApp } from '../../testing/prologue.ts'
import { screenOf } from '../about.ts'
import type { NotificationGroup } from '../contract.ts'
import { notice, notifyMany } from './notifications.ts'

const t = testApp()
const admin = signedUp(t, 'ADMIN')
const testId = '019e8a00-0000-7000-8000-000000000000'

const groupsOf = (who: Person, query = '') =>
  who.call<NotificationGroup[]>('GET', `/users/me/notification-groups${query}`)
const linesOf = async (who: Person, query = '') => (await groupsOf(who, query)).body.map(({ subject }) => subject)
const read = (who: Person, body: object) => who.call<{ marked: number }>('POST', '/users/me/notifications/read', body)

const proofs = (to: Person, campaignId: string, title: string, count: number) =>
  transact(tx =>
    notifyMany(
      tx,
      Array.from({ length: count }, (_, number) =>
        notice(to.user.id, 'PROOF_TO_REVIEW', {
          campaignId,
          testId,
          title,
          alias: `Tester ${number + 1}`,
          verifiesAt: '2026-03-01T08:00:00.000Z',
        }),
      ),
    ),
  )
const message = (to: Person, subject: string) =>
  transact(tx => notifyMany(tx, [notice(to.user.id, 'ADMIN_MESSAGE', { subject, text: 'Text' })]))

const withCampaigns = async () => {
  const developer = await t.signUp('DEVELOPER')
  const first = await liveCampaign(developer, admin, { title: 'Atlas' })
  const second = await liveCampaign(developer, admin, { title: 'Notes' })
  await read(developer, {})
  return { developer, first, second }
}

test('three proofs of one campaign are one line, apart from those of another, and lead to the whole queue', async () => {
  const { developer, first, second } = await withCampaigns()
  await proofs(developer, first.id, 'Atlas', 3)
  await proofs(developer, second.id, 'Notes', 1)
  const { body } = await groupsOf(developer, '?unread=true')
  expect(body.map(({ subject, campaign, unread }) => [subject, campaign?.title, unread])).toEqual([
    ['Proof to review: Notes', 'Notes', 1],
    ['3 proofs submitted', 'Atlas', 3],
  ])
  expect(body[1]!.about).toEqual({ kind: 'PROOFS', id: first.id, testId: null })
  expect(body[0]!.about).toEqual({ kind: 'PROOFS', id: second.id, testId })
  expect(body[1]!.newest).toHaveLength(3)
  expect(body[1]!.newest[0]!.text).toContain('Mar 1, 2026, 8:00 AM UTC')
})

test('several about different bugs lead to the campaign’s bugs or the tester’s own test, several about one bug to it', async () => {
  const { developer, first } = await withCampaigns()
  const tester = await t.signUp('TESTER')
  const { id: ownTestId } = await joinedBy(tester, first.id)
  const reported = async (title: string) => {
    const found = { title, severity: 'HIGH', steps: 'Open it.', actual: 'It closes.' }
    return (await tester.call<Bug>('POST', `/campaigns/${first.id}/bugs`, found)).body.id
  }
  const [crash, freeze] = [await reported('It crashes'), await reported('It freezes')]
  const decide = (id: string, status: string) => developer.call('PATCH', `/bugs/${id}`, { status })
  const changed = async () => {
    const [group] = (await groupsOf(tester, `?campaignId=${first.id}&topic=BUG_THREADS`)).body
    return { subject: group!.subject, screen: screenOf(group!.about!), id: group!.id }
  }
  const [told] = (await groupsOf(developer, `?campaignId=${first.id}&topic=BUG_REPORTS`)).body
  expect([told!.subject, screenOf(told!.about!)]).toEqual(['2 bugs reported', paths.campaignTab(first.id, 'bugs')])

  await decide(crash, 'CONFIRMED')
  expect(await changed()).toMatchObject({ subject: 'Bug #1 has changed: Atlas', screen: paths.bug(crash) })
  await decide(crash, 'WONT_FIX')
  expect(await changed()).toMatchObject({ subject: '2 changes to bugs', screen: paths.bug(crash) })
  await decide(freeze, 'CONFIRMED')
  const all = await changed()
  expect(all).toMatchObject({ subject: '3 changes to bugs', screen: paths.myTest(ownTestId) })
  // Once they are read, only what is new decides.
  await read(tester, { group: all.id })
  expect((await changed()).screen).toBe(paths.myTest(ownTestId))
  for (const status of ['WONT_FIX', 'OPEN']) await decide(freeze, status)
  expect(await changed()).toMatchObject({ subject: '2 changes to bugs', screen: paths.bug(freeze) })
})

test('what has no campaign stands alone', async () => {
  const person = await t.signUp('TESTER')
  for (const subject of ['One', 'Two']) await message(person, subject)
  expect(await linesOf(person)).toEqual(['Two', 'One'])
})

test('a group is marked as read up to the one that was seen; what came meanwhile stays unread', async () => {
  const { developer, first, second } = await withCampaigns()
  const stranger = await t.signUp('DEVELOPER')
  for (const who of [stranger, developer]) await proofs(who, first.id, 'Atlas', 2)
  await proofs(developer, second.id, 'Notes', 1)
  const seen = (await groupsOf(developer, `?campaignId=${first.id}&unread=true`)).body[0]!
  await proofs(developer, first.id, 'Atlas', 1)
  expect((await read(developer, { group: seen.id })).body).toEqual({ marked: 2 })
  expect(await linesOf(developer, '?unread=true')).toEqual(['Proof to review: Atlas', 'Proof to review: Notes'])
  // All of them are still in the list.
  expect(await linesOf(developer, `?campaignId=${first.id}&topic=PROOFS`)).toEqual(['Proof to review: Atlas'])
  // Somebody else's notification says nothing about one's own of the same kind.
  expect((await read(stranger, { group: seen.id })).body).toEqual({ marked: 0 })
  expect(await linesOf(stranger, '?unread=true')).toEqual(['2 proofs submitted'])
})

test.each([3, 8])('what alone is unread is named and linked, also as the oldest of %i', async count => {
  const { developer, first } = await withCampaigns()
  await proofs(developer, first.id, 'The oldest', 1)
  // Ids of one millisecond have no order.
  await t.advance(1)
  await proofs(developer, first.id, 'Others', count - 1)
  const told = (await developer.call<{ id: string }[]>('GET', '/users/me/notifications')).body
  await read(developer, { ids: told.slice(0, count - 1).map(({ id }) => id) })
  const query = `?campaignId=${first.id}&topic=PROOFS`
  const [group] = (await groupsOf(developer, query)).body
  expect(group).toMatchObject({ count, unread: 1, subject: 'Proof to review: The oldest', about: { testId } })
  await read(developer, { group: group!.id })
  expect(await linesOf(developer, query)).toEqual([`${count} proofs submitted`])
})

test('filters by kind and campaign leave the rest out, and others are refused', async () => {
  const { developer, first } = await withCampaigns()
  await proofs(developer, first.id, 'Atlas', 2)
  await message(developer, 'Hello')
  expect(await linesOf(developer, '?topic=MESSAGES')).toEqual(['Hello'])
  expect(await linesOf(developer, '?topic=PROOFS')).toEqual(['2 proofs submitted'])
  expect(await linesOf(developer, `?campaignId=${first.id}&topic=PROOFS`)).toEqual(['2 proofs submitted'])
  expect((await groupsOf(developer, '?topic=EVERYTHING')).status).toBe(400)
  expect((await groupsOf(developer, '?campaignId=x')).status).toBe(400)
})

test('each group is on exactly one page', async () => {
  const { developer, first, second } = await withCampaigns()
  for (let round = 0; round < 3; round++) {
    await proofs(developer, first.id, 'Atlas', 2)
    await message(developer, `Message ${round}`)
    await proofs(developer, second.id, 'Notes', 1)
  }
  const all = (await groupsOf(developer)).body.map(({ id }) => id)
  const paged: string[] = []
  for (let query = '?limit=2'; query !== '';) {
    const { body, headers } = await groupsOf(developer, query)
    paged.push(...body.map(({ id }) => id))
    const cursor = /cursor=([^&>]+)/.exec(String(headers['link']))?.[1]
    query = cursor === undefined ? '' : `?limit=2&cursor=${cursor}`
  }
  expect(paged).toEqual(all)
  expect(new Set(all).size).toBe(all.length)
})

test('one who was told thousands of times still gets every group, a bounded part at a time', async () => {
  const { developer, first } = await withCampaigns()
  await message(developer, 'Long ago')
  await proofs(developer, first.id, 'Atlas', 1500)
  const page = await groupsOf(developer, '?unread=true')
  expect(page.body.map(({ subject, count }) => [subject, count])).toEqual([['99+ proofs submitted', 100]])
  const cursor = /cursor=([^&>]+)/.exec(String(page.headers['link']))?.[1]
  expect(await linesOf(developer, `?unread=true&cursor=${cursor}`)).toEqual(['Long ago'])
})
