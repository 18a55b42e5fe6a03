/** A changed link of a running campaign waits for an admin: testers are sent nowhere that nobody has looked at. */
import { describe, expect, test } from 'vitest'
import type { CampaignEvent } from '../../activity/contract.ts'
import type { AuditEntry } from '../../audit/contract.ts'
import type { Notification } from '../../notifications/contract.ts'
import type { CampaignTester } from '../../participations/contract.ts'
import { campaignInput, draftOf, fundedBy, joinedBy, liveCampaign, type Person } from '../../testing/app.ts'
import { allSignedUp, signedUp, testApp } from '../../testing/prologue.ts'
import { inParallel, tally } from '../../testing/observed.ts'
import type { Campaign } from '../contract.ts'

const t = testApp()
const owner = signedUp(t, 'DEVELOPER')
const stranger = signedUp(t, 'DEVELOPER')
const admin = signedUp(t, 'ADMIN')
const testers = allSignedUp(t, 'TESTER', 4)

const oldLink = campaignInput.distributionLink
const newLink = 'https://example.test/new-build'

const edit = (id: string, change: object) => owner.call<Campaign>('PATCH', `/campaigns/${id}`, change)
const seenBy = async (person: Person, id: string) => (await person.call<Campaign>('GET', `/campaigns/${id}`)).body
const approve = (id: string, body?: object) => admin.call<Campaign>('POST', `/admin/campaigns/${id}/approve-link`, body)
const reject = (id: string, body: object) => admin.call<Campaign>('POST', `/admin/campaigns/${id}/reject-link`, body)
const linkOf = async (tester: Person, testId: string) =>
  (await tester.call<CampaignTester>('GET', `/testers/campaign-testers/${testId}`)).body.campaign.distributionLink
const newsOf = async (person: Person) =>
  (await person.call<Notification[]>('GET', '/users/me/notifications')).body.map(({ subject }) => subject)
const eventsOf = async (id: string) =>
  (await owner.call<CampaignEvent[]>('GET', `/campaigns/${id}/activity`)).body
    .map(({ kind, link, reason, fields }) => ({ kind, link, reason, fields }))
    .toReversed()
const lastAuditEntry = async () =>
  (await admin.call<{ data: AuditEntry[] }>('GET', '/admin/audit-log?limit=1')).body.data[0]!
const waiting = async (query = '') =>
  (await admin.call<Campaign[]>('GET', `/admin/campaigns/pending-links${query}`)).body.map(({ id }) => id)

/** A live campaign with a tester inside and a new link that waits. */
const withWaitingLink = async (title: string, tester = testers[0]!) => {
  const { id } = await liveCampaign(owner, admin, { title })
  const { id: testId } = await joinedBy(tester, id)
  await edit(id, { distributionLink: newLink })
  return { id, testId }
}

describe('a changed link', () => {
  test.each(['LIVE', 'PAUSED'])('of a %s campaign waits, seen by its owner and admins alone', async status => {
    const { id } = await liveCampaign(owner, admin)
    const { id: testId } = await joinedBy(testers[0]!, id)
    if (status === 'PAUSED') await owner.call('POST', `/campaigns/${id}/pause`)
    const changed = await edit(id, { title: 'New title', distributionLink: newLink })
    expect(changed.body).toMatchObject({ title: 'New title', distributionLink: oldLink, pendingLink: newLink, status })
    expect(changed.body.pendingLinkSince).not.toBeNull()
    expect(changed.body.actions).not.toContain('approveLink')
    expect(await seenBy(admin, id)).toMatchObject({ distributionLink: oldLink, pendingLink: newLink })
    expect((await seenBy(admin, id)).actions).toEqual(expect.arrayContaining(['approveLink', 'rejectLink']))
    expect(await seenBy(testers[0]!, id)).toMatchObject({
      distributionLink: oldLink,
      pendingLink: null,
      pendingLinkSince: null,
    })
    expect(await linkOf(testers[0]!, testId)).toBe(oldLink)
    for (const path of ['/campaigns', '/campaigns/available', '/testers/my-campaigns', `/campaigns/${id}`]) {
      const answer = await testers[0]!.call<unknown>('GET', path)
      expect({ path, body: JSON.stringify(answer.body) }).toEqual({
        path,
        body: expect.not.stringContaining('new-build'),
      })
    }
  })

  test('is approved by an admin: testers under way get it and are told, and so is the owner', async () => {
    const { id, testId } = await withWaitingLink('Approved link')
    const left = await joinedBy(testers[1]!, id)
    await testers[1]!.call('POST', `/testers/campaign-testers/${left.id}/leave`)
    const { status, body } = await approve(id, { link: newLink })
    expect(status).toBe(200)
    expect(body).toMatchObject({ distributionLink: newLink, pendingLink: null, pendingLinkSince: null, status: 'LIVE' })
    expect(await linkOf(testers[0]!, testId)).toBe(newLink)
    expect(await newsOf(testers[0]!)).toContain('New app link: Approved link')
    expect(await newsOf(testers[1]!)).not.toContain('New app link: Approved link')
    expect(await newsOf(owner)).toContain('New link approved: Approved link')
    expect(await lastAuditEntry()).toMatchObject({
      action: 'campaign.approve-link',
      subject: 'Approved link',
      facts: { oldLink, newLink },
    })
    expect((await eventsOf(id)).slice(-4)).toMatchObject([
      { kind: 'LINK_REQUESTED', link: newLink },
      { kind: 'TESTER_JOINED' },
      { kind: 'TESTER_LEFT' },
      { kind: 'LINK_APPROVED', link: newLink },
    ])
    expect((await approve(id)).status).toBe(409)
  })

  test('is rejected with a reason: the owner is told why, and testers keep the old one and hear nothing', async () => {
    const { id, testId } = await withWaitingLink('Rejected link', testers[2]!)
    const before = await newsOf(testers[2]!)
    expect((await reject(id, {})).status).toBe(400)
    const { body } = await reject(id, { reason: 'It opens another app.' })
    expect(body).toMatchObject({ distributionLink: oldLink, pendingLink: null })
    expect(await linkOf(testers[2]!, testId)).toBe(oldLink)
    expect(await newsOf(testers[2]!)).toEqual(before)
    const { body: news } = await owner.call<Notification[]>('GET', '/users/me/notifications')
    const told = news.find(({ subject }) => subject === 'New link not approved: Rejected link')!
    expect(told.text).toContain('It opens another app.')
    expect(told.text).toContain(newLink)
    expect(await lastAuditEntry()).toMatchObject({
      action: 'campaign.reject-link',
      facts: { newLink, reason: 'It opens another app.' },
    })
    expect((await eventsOf(id)).at(-1)).toMatchObject({
      kind: 'LINK_REJECTED',
      link: newLink,
      reason: 'It opens another app.',
    })
  })

  test('is replaced by a newer one, and an admin cannot decide on a link that was replaced', async () => {
    const { id } = await withWaitingLink('Replaced link')
    const newest = 'https://example.test/newest'
    await edit(id, { distributionLink: newest })
    for (const refused of [await approve(id, { link: newLink }), await reject(id, { reason: 'No.', link: newLink })]) {
      expect(refused).toMatchObject({
        status: 409,
        body: { message: expect.stringContaining('changed this link again') },
      })
    }
    expect((await seenBy(owner, id)).pendingLink).toBe(newest)
    expect((await approve(id, { link: newest })).body.distributionLink).toBe(newest)
  })

  test('is withdrawn by putting the old one back, and the same one again asks for nothing', async () => {
    const { id } = await withWaitingLink('Withdrawn link')
    await edit(id, { distributionLink: newLink })
    expect((await edit(id, { distributionLink: oldLink })).body).toMatchObject({ pendingLink: null })
    await edit(id, { distributionLink: oldLink })
    expect((await eventsOf(id)).filter(({ link }) => link !== null)).toMatchObject([
      { kind: 'LINK_REQUESTED', link: newLink },
      { kind: 'LINK_WITHDRAWN', link: newLink },
    ])
    expect((await approve(id)).body).toMatchObject({
      message: 'No changed link of this campaign is waiting for approval.',
    })
  })

  test('is decided once, however many admins decide at the same time', async () => {
    const { id } = await withWaitingLink('Decided once')
    const decisions = await inParallel(6, n => (n % 2 === 0 ? approve(id) : reject(id, { reason: 'No.' })))
    expect(tally(decisions)).toEqual({ 200: 1, 409: 5 })
    const decided = (await eventsOf(id)).filter(({ kind }) => ['LINK_APPROVED', 'LINK_REJECTED'].includes(kind))
    expect(decided).toHaveLength(1)
  })

  test('is forgotten when the campaign ends', async () => {
    const { id, testId } = await withWaitingLink('Ends first')
    expect((await owner.call<Campaign>('POST', `/campaigns/${id}/cancel`)).body.pendingLink).toBeNull()
    expect((await approve(id)).status).toBe(409)
    expect(await waiting()).not.toContain(id)
    expect((await testers[0]!.call<CampaignTester>('GET', `/testers/campaign-testers/${testId}`)).body.status).toBe(
      'CANCELLED',
    )
  })

  test('of a draft changes at once, as an admin looks at the whole campaign later', async () => {
    const { id } = await draftOf(owner)
    expect((await edit(id, { distributionLink: newLink })).body).toMatchObject({
      distributionLink: newLink,
      pendingLink: null,
    })
    expect((await eventsOf(id)).at(-1)).toMatchObject({ kind: 'EDITED', fields: ['distributionLink'] })
  })
})

test('title and description change at once and stand in the activity', async () => {
  const { id } = await liveCampaign(owner, admin)
  const { body } = await edit(id, { title: 'Other title', description: 'Other text', distributionLink: newLink })
  expect(body).toMatchObject({ title: 'Other title', description: 'Other text' })
  expect((await eventsOf(id)).slice(-2)).toMatchObject([
    { kind: 'EDITED', fields: ['title', 'description'] },
    { kind: 'LINK_REQUESTED', link: newLink },
  ])
})

test('only the owner changes a link, and only an admin decides on it', async () => {
  const { id } = await withWaitingLink('Not yours', testers[3]!)
  expect((await stranger.call('PATCH', `/campaigns/${id}`, { distributionLink: newLink })).status).toBe(404)
  for (const person of [owner, stranger, testers[3]!]) {
    expect((await person.call('POST', `/admin/campaigns/${id}/approve-link`)).status).toBe(403)
    expect((await person.call('GET', '/admin/campaigns/pending-links')).status).toBe(403)
  }
  expect((await seenBy(owner, id)).pendingLink).toBe(newLink)
})

test('the admins’ list has the longest wait first, page after page, also when one is decided in between', async () => {
  for (const id of await waiting()) await approve(id)
  const newcomer = await t.signUp('TESTER')
  const ids: string[] = []
  for (const title of ['First', 'Second', 'Third']) ids.push((await withWaitingLink(title, newcomer)).id)
  // A newer change waits from then on.
  await edit(ids[0]!, { distributionLink: 'https://example.test/again' })
  const [second, third, first] = [ids[1]!, ids[2]!, ids[0]!]
  expect(await waiting()).toEqual([second, third, first])
  expect(await waiting('?limit=1')).toEqual([second])
  const firstPage = await admin.call('GET', '/admin/campaigns/pending-links?limit=1')
  const cursor = /cursor=(\d+)/.exec(String(firstPage.headers.link))![1]
  await approve(second)
  expect(await waiting(`?limit=1&cursor=${cursor}`)).toEqual([third])
  expect(await waiting('?search=Third')).toEqual([third])
})

describe('a link into a closed network, or one with a user’s name,', () => {
  const refused = [
    'http://localhost:3000/app',
    'http://127.0.0.1',
    'http://2130706433',
    'http://0x7f.1',
    'http://[::ffff:169.254.169.254]/latest',
    'https://printer.local./app',
    'https://metadata.google.internal',
    'https://user@example.test/app',
    'ftp://example.test/app',
  ]

  test.each(refused)('%s is refused on creating, in a draft and while running', async distributionLink => {
    const campaigns = [await draftOf(owner), await liveCampaign(owner, admin)]
    for (const answer of [
      await owner.call('POST', '/campaigns', { ...campaignInput, distributionLink }),
      ...(await Promise.all(campaigns.map(({ id }) => owner.call('PATCH', `/campaigns/${id}`, { distributionLink })))),
    ]) {
      expect(answer.status).toBe(400)
      expect(Object.keys(answer.body.fields ?? {})).toEqual(['distributionLink'])
      expect(answer.body.message).toMatch(/^Distribution link (must|may not) .+/)
    }
    expect((await seenBy(owner, campaigns[1]!.id)).pendingLink).toBeNull()
  })

  test('may stand in a proof, whose links only have to be http or https', async () => {
    const { id } = await liveCampaign(owner, admin, { durationDays: 1 })
    const tester = await t.signUp('TESTER')
    const { id: testId } = await joinedBy(tester, id)
    await tester.call('POST', `/testers/campaign-testers/${testId}/check-ins`, {})
    await t.advance(24)
    const send = (links: string[]) =>
      tester.call('POST', `/testers/campaign-testers/${testId}/proof`, { proof: { text: 'See there.', links } })
    expect((await send(['ftp://example.test'])).status).toBe(400)
    expect((await send(['http://192.168.1.5/film.mp4', 'https://user@example.test'])).status).toBe(200)
  })

  test('over plain http is allowed', async () => {
    const { distributionLink } = await fundedBy(owner, { distributionLink: 'http://example.test/app.apk' })
    expect(distributionLink).toBe('http://example.test/app.apk')
  })
})

describe('a changed Google Group', () => {
  const oldGroup = 'https://groups.google.com/g/old-testers'
  const newGroup = 'https://groups.google.com/g/new-testers'
  const groupCampaign = (title: string) =>
    liveCampaign(owner, admin, { title, accessMode: 'GOOGLE_GROUP', groupLink: oldGroup })
  const lastEvents = async (id: string, count: number) =>
    (await owner.call<CampaignEvent[]>('GET', `/campaigns/${id}/activity`)).body
      .slice(0, count)
      .map(({ kind, link, ofGroup }) => [kind, link, ofGroup])

  test('waits as a changed link does, seen by its owner and admins alone', async () => {
    const pendingLinks = async () =>
      (await admin.call<{ pendingLinks: number }>('GET', '/admin/stats')).body.pendingLinks
    const { id } = await groupCampaign('Group waits')
    const before = await pendingLinks()
    const { body } = await edit(id, { groupLink: newGroup })
    expect(body).toMatchObject({ groupLink: oldGroup, pendingGroupLink: newGroup, pendingLink: null })
    expect(body.pendingLinkSince).not.toBeNull()
    expect(await seenBy(testers[0]!, id)).toMatchObject({ groupLink: oldGroup, pendingGroupLink: null })
    expect(await waiting()).toContain(id)
    expect(await lastEvents(id, 1)).toEqual([['LINK_REQUESTED', newGroup, true]])
    expect(await pendingLinks()).toBe(before + 1)
  })

  test('is withdrawn when it is set back, and leaves a waiting app link waiting', async () => {
    const { id } = await groupCampaign('Group withdrawn')
    await edit(id, { groupLink: newGroup, distributionLink: newLink })
    const { body } = await edit(id, { groupLink: oldGroup })
    expect(body).toMatchObject({ pendingGroupLink: null, pendingLink: newLink })
    expect(await lastEvents(id, 1)).toEqual([['LINK_WITHDRAWN', newGroup, true]])
    expect((await edit(id, { distributionLink: oldLink })).body.pendingLinkSince).toBeNull()
    expect(await waiting()).not.toContain(id)
  })

  test('and a changed link are approved together, and testers are told of the group', async () => {
    const { id } = await groupCampaign('Both approved')
    const participant = await t.signUp('TESTER')
    await t.look(`update campaigns set access_mode = 'OPEN_LINK', group_link = null where id = $1`, [id])
    await joinedBy(participant, id)
    await t.look(`update campaigns set access_mode = 'GOOGLE_GROUP', group_link = $2 where id = $1`, [id, oldGroup])
    await edit(id, { groupLink: newGroup, distributionLink: newLink })
    // Whoever has seen only one of the two decides on neither.
    expect((await approve(id, { link: newLink })).status).toBe(409)
    expect((await approve(id, { groupLink: newGroup })).status).toBe(409)
    const { body } = await approve(id, { link: newLink, groupLink: newGroup })
    const none = { pendingLink: null, pendingGroupLink: null, pendingLinkSince: null }
    expect(body).toMatchObject({ groupLink: newGroup, distributionLink: newLink, ...none })
    expect(await lastEvents(id, 2)).toEqual([
      ['LINK_APPROVED', newGroup, true],
      ['LINK_APPROVED', newLink, false],
    ])
    expect((await lastAuditEntry()).facts).toEqual({
      oldLink,
      newLink,
      oldGroupLink: oldGroup,
      newGroupLink: newGroup,
    })
    expect(await newsOf(participant)).toContain('New links: Both approved')
  })

  test('that is rejected leaves the old one, with the reason', async () => {
    const { id } = await groupCampaign('Group rejected')
    await edit(id, { groupLink: newGroup })
    const { body } = await reject(id, { reason: 'It is somebody else’s group.', groupLink: newGroup })
    expect(body).toMatchObject({ groupLink: oldGroup, pendingGroupLink: null })
    expect(await lastEvents(id, 1)).toEqual([['LINK_REJECTED', newGroup, true]])
    expect((await reject(id, { reason: 'Again.' })).status).toBe(409)
  })

  test('goes with the campaign when it ends, and does not exist in another mode', async () => {
    const { id } = await groupCampaign('Group ends')
    await edit(id, { groupLink: newGroup })
    const ended = await owner.call<Campaign>('POST', `/campaigns/${id}/cancel`)
    expect(ended.body).toMatchObject({ pendingGroupLink: null, pendingLinkSince: null })
    const list = await liveCampaign(owner, admin, { accessMode: 'EMAIL_LIST' })
    expect((await edit(list.id, { groupLink: newGroup })).body).toMatchObject({
      groupLink: null,
      pendingGroupLink: null,
    })
    const { id: groupId } = await groupCampaign('Group stays')
    expect((await edit(groupId, { groupLink: null })).status).toBe(400)
  })
})
