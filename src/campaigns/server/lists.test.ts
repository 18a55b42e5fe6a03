import { beforeAll, describe, expect, test } from 'vitest'
import { device, draftOf, fundedBy, joinedBy, liveCampaign, type Person } from '../../testing/app.ts'
import { signedUp, testApp } from '../../testing/prologue.ts'
import { brokenChecks } from '../../testing/observed.ts'
import type { CampaignTester } from '../../participations/contract.ts'
import type { Campaign } from '../contract.ts'
import { campaignStatuses } from '../terms.ts'

const t = testApp()
const owner = signedUp(t, 'DEVELOPER')
const other = signedUp(t, 'DEVELOPER')
const admin = signedUp(t, 'ADMIN')
const tester = signedUp(t, 'TESTER')

const titles = async (person: Person, path: string) =>
  (await person.call<Campaign[]>('GET', path)).body.map(campaign => campaign.title)

const nextOf = (headers: Record<string, unknown>) => /^<([^>]+)>; rel="next"$/.exec(String(headers.link))?.[1]

/** Every page to the end, through the Link header as a client would. */
const walk = async (person: Person, first: string, between: () => Promise<unknown> = async () => undefined) => {
  const pages: Campaign[][] = []
  for (let path: string | undefined = first; path !== undefined;) {
    const { status, body, headers } = await person.call<Campaign[]>('GET', path)
    expect(status).toBe(200)
    pages.push(body)
    path = nextOf(headers)
    if (path) await between()
  }
  return pages
}

describe('search', () => {
  beforeAll(async () => {
    const texts = [
      ['Save 100% on notes', 'Plain'],
      ['Save 1000 notes', 'Plain'],
      ['snake_case editor', 'Plain'],
      ['snakeXcase editor', 'Plain'],
      [String.raw`back\slash`, 'Plain'],
      ['Ünïcode ÄÖÜ Straße', 'Plain'],
      ['ΣΊΣΥΦΟΣ', 'Plain'],
      ['Заметки', 'Plain'],
      ['日本語のメモ', 'Plain'],
      ['One word', 'needle in the description'],
      ['ends with alpha', 'beta begins the text'],
      // Typed as a letter and an accent of its own.
      ['Cafe\u0301 finder', 'Plain'],
    ]
    for (const [title, description] of texts) await draftOf(owner, { title, description })
    await draftOf(other, { title: 'needle of somebody else' })
  })

  test.each([
    ['100%', ['Save 100% on notes']],
    ['snake_', ['snake_case editor']],
    ['\\', [String.raw`back\slash`]],
    ['SAVE', ['Save 1000 notes', 'Save 100% on notes']],
    ['ünïCODE äöü', ['Ünïcode ÄÖÜ Straße']],
    ['STRASSE', []],
    ['ΣΊΣΥΦΟΣ', ['ΣΊΣΥΦΟΣ']],
    ['заМЕТки', ['Заметки']],
    ['語のメ', ['日本語のメモ']],
    ['NEEDLE', ['One word']],
    ['caf\u00e9', ['Caf\u00e9 finder']],
    ['cafe\u0301', ['Caf\u00e9 finder']],
    ['%%', []],
    ["'; drop table campaigns; --", []],
  ])('for %j finds what contains it in title or description, without case and to the sign', async (search, found) => {
    expect(await titles(owner, `/campaigns?search=${encodeURIComponent(search)}`)).toEqual(found)
  })

  test('does not find the end of a title with the start of its description', async () => {
    expect(await titles(owner, '/campaigns?search=alpha%20beta')).toEqual([])
    expect(await titles(owner, '/campaigns?search=with%20alpha')).toEqual(['ends with alpha'])
  })

  test('of nothing but blanks is no search', async () => {
    expect(await titles(owner, '/campaigns?search=%20%20')).toHaveLength(12)
  })

  test('that is too long, or a status or platform that does not exist, is refused', async () => {
    for (const query of [
      `search=${'a'.repeat(101)}`,
      'status=ALIVE',
      'platform=symbian',
      'limit=0',
      'limit=101',
      'cursor=1',
    ]) {
      expect((await owner.call('GET', `/campaigns?${query}`)).status).toBe(400)
    }
  })
})

describe('pages', () => {
  let developer: Person
  beforeAll(async () => {
    developer = await t.signUp('DEVELOPER')
    for (let n = 1; n <= 25; n++) {
      await draftOf(developer, { title: `Page ${n}`, platform: n % 2 === 0 ? 'ios' : 'android' })
    }
  })

  test('lead to the end without gap or double while new campaigns come in, newest first', async () => {
    const before = await titles(developer, '/campaigns')
    const pages = await walk(developer, '/campaigns?limit=4', () => draftOf(developer, { title: 'Came in between' }))
    expect(pages.flat().map(campaign => campaign.title)).toEqual(before)
    expect(pages.map(page => page.length)).toEqual([4, 4, 4, 4, 4, 4, 1])
  })

  test('keep the filters of the first one, and have no next when the last one is exactly full', async () => {
    const pages = await walk(developer, '/campaigns?limit=4&platform=ios&search=page%20')
    expect(pages.flat().map(campaign => campaign.title)).toEqual(
      Array.from({ length: 12 }, (_, index) => `Page ${24 - 2 * index}`),
    )
    expect(pages.map(page => page.length)).toEqual([4, 4, 4])
  })
})

describe('who sees what', () => {
  let live: Campaign
  let paused: Campaign
  let full: Campaign
  let inside: { person: Person; seat: CampaignTester }
  beforeAll(async () => {
    live = await liveCampaign(owner, admin, { title: 'Seen: live' })
    full = await liveCampaign(owner, admin, { title: 'Seen: full', testersRequired: 1 })
    paused = await liveCampaign(owner, admin, { title: 'Seen: paused' })
    const person = await t.signUp('TESTER')
    inside = { person, seat: await joinedBy(person, full.id) }
    await joinedBy(tester, paused.id)
    await owner.call('POST', `/campaigns/${paused.id}/pause`)
    await draftOf(owner, { title: 'Seen: draft' })
    await fundedBy(other, { title: 'Seen: of another developer' })
  })

  test('developers their own, admins all, testers what is LIVE or what they are in', async () => {
    const own = ['Seen: draft', 'Seen: paused', 'Seen: full', 'Seen: live']
    expect(await titles(owner, '/campaigns?search=seen:')).toEqual(own)
    expect(await titles(other, '/campaigns?search=seen:')).toEqual(['Seen: of another developer'])
    expect(await titles(admin, '/campaigns?search=seen:')).toEqual(['Seen: of another developer', ...own])
    expect(await titles(tester, '/campaigns?search=seen:')).toEqual(['Seen: paused', 'Seen: full', 'Seen: live'])
    expect(await titles(await t.signUp('TESTER'), '/campaigns?search=seen:')).toEqual(['Seen: full', 'Seen: live'])
    expect(await titles(tester, '/campaigns?search=seen:&status=PAUSED')).toEqual(['Seen: paused'])
    expect(await titles(tester, '/campaigns?search=seen:&status=DRAFT')).toEqual([])
    const pages = await walk(tester, '/campaigns?search=seen:&limit=1')
    expect(pages.flat().map(campaign => campaign.title)).toEqual(['Seen: paused', 'Seen: full', 'Seen: live'])
  })

  test('a campaign that a tester waits for stays in the list while it is paused, for that tester only', async () => {
    const { id } = await liveCampaign(owner, admin, { title: 'Waited for', testersRequired: 1 })
    await joinedBy(await t.signUp('TESTER'), id)
    const waiting = await t.signUp('TESTER')
    const asked = { deviceInfo: device, waitlist: true }
    expect((await waiting.call('POST', `/testers/campaigns/${id}/join`, asked)).status).toBe(201)
    await owner.call('POST', `/campaigns/${id}/pause`)
    const { body } = await waiting.call<Campaign[]>('GET', '/campaigns?search=waited for')
    expect(body).toMatchObject([{ id, status: 'PAUSED', participation: { status: 'WAITLISTED' } }])
    expect((await waiting.call('GET', `/campaigns/${id}`)).body).toMatchObject({ id, status: 'PAUSED' })
    expect(await titles(waiting, '/campaigns?status=PAUSED')).toEqual(['Waited for'])
    expect(await titles(waiting, '/campaigns?search=waited for&platform=ios')).toEqual([])
    expect((await walk(waiting, '/campaigns?limit=1')).flat().filter(each => each.id === id)).toHaveLength(1)
    expect(await titles(await t.signUp('TESTER'), '/campaigns?search=waited for')).toEqual([])
  })

  test('lists of one status take a status as all lists do: of any other one there is nothing', async () => {
    const { id } = await liveCampaign(owner, admin, { title: 'Lone: live' })
    await fundedBy(owner, { title: 'Lone: pending' })
    await owner.call('PATCH', `/campaigns/${id}`, { distributionLink: 'https://example.test/lone' })
    const lists = [
      [tester, '/campaigns/available', ['LIVE'], ['Lone: live']],
      [admin, '/admin/campaigns/pending', ['PENDING_APPROVAL'], ['Lone: pending']],
      [admin, '/admin/campaigns/pending-links', ['LIVE'], ['Lone: live']],
    ] as const
    for (const [person, path, held, whole] of lists) {
      for (const status of ['', ...campaignStatuses]) {
        const expected = status === '' || held.some(one => one === status) ? whole : []
        expect([path, status, await titles(person, `${path}?search=lone:&status=${status}`)]).toEqual([
          path,
          status,
          expected,
        ])
      }
      expect(await person.call('GET', `${path}?status=nope`)).toMatchObject({
        status: 400,
        body: { fields: { status: 'Unknown status' } },
      })
    }
  })

  test('a full campaign is available while its bench has a place, and when a seat is given back', async () => {
    const all = '/campaigns/available?search=seen:'
    expect(await titles(tester, all)).toEqual(['Seen: full', 'Seen: live'])
    const waiting = await t.signUp('TESTER')
    const { body } = await waiting.call<{ id: string }>('POST', `/testers/campaigns/${full.id}/join`, {
      deviceInfo: device,
      waitlist: true,
    })
    expect(await titles(tester, all)).toEqual(['Seen: live'])
    await waiting.call('POST', `/testers/campaign-testers/${body.id}/leave`)
    await inside.person.call('POST', `/testers/campaign-testers/${inside.seat.id}/leave`)
    expect(await titles(tester, '/campaigns/available?search=seen:')).toEqual(['Seen: full', 'Seen: live'])
  })

  test('another developer sees of a LIVE campaign neither the link nor an action', async () => {
    const { body } = await other.call<Campaign[]>('GET', '/campaigns/available?search=seen:')
    const seen = body.find(campaign => campaign.id === live.id)
    expect(seen).toMatchObject({ distributionLink: null, actions: [] })
    expect((await other.call('GET', `/campaigns/${live.id}`)).status).toBe(404)
  })

  test.each(['disputed_since', 'dispute_lost_at'])('a campaign that has %s is not available', async column => {
    const { id } = await liveCampaign(owner, admin, { title: 'Disputed' })
    expect(await titles(tester, '/campaigns/available?search=disputed')).toEqual(['Disputed'])
    await t.look(`update campaigns set ${column} = now() where id = $1`, [id])
    const shown = await titles(tester, '/campaigns/available?search=disputed')
    await t.look(`update campaigns set ${column} = null, title = 'Settled' where id = $1`, [id])
    expect(shown).toEqual([])
  })

  test('a tester who is asked for changes keeps the link', async () => {
    const { id, distributionLink } = await liveCampaign(owner, admin, { title: 'Changes' })
    const person = await t.signUp('TESTER')
    const seat = await joinedBy(person, id)
    await t.look(
      `update participations set status = 'SUBMITTED', proof_text = 'Each day.', proof_submitted_at = now() where id = $1`,
      [seat.id],
    )
    const note = 'Please say which screen was slow.'
    expect((await owner.call('POST', `/campaign-testers/${seat.id}/request-changes`, { note })).status).toBe(200)
    expect((await person.call<Campaign>('GET', `/campaigns/${id}`)).body.distributionLink).toBe(distributionLink)
  })

  test('a tester gets the link on joining and loses it on leaving', async () => {
    const linkFor = async () => (await tester.call<Campaign>('GET', `/campaigns/${live.id}`)).body.distributionLink
    expect(await linkFor()).toBeNull()
    const seat = await joinedBy(tester, live.id)
    expect(seat.campaign.distributionLink).toBe(live.distributionLink)
    expect(await linkFor()).toBe(live.distributionLink)
    const left = await tester.call<typeof seat>('POST', `/testers/campaign-testers/${seat.id}/leave`)
    expect(left.body.campaign.distributionLink).toBeNull()
    expect(await linkFor()).toBeNull()
  })
})

describe('sorted', () => {
  const name = 'Sorted: '
  const plans = [
    { payPerTesterCents: 500, durationDays: 14 },
    { payPerTesterCents: 2000, durationDays: 7 },
    { payPerTesterCents: 500, durationDays: 30 },
    { payPerTesterCents: 1000, durationDays: 7 },
  ]
  const campaigns: Campaign[] = []
  beforeAll(async () => {
    for (const [at, plan] of plans.entries())
      campaigns.push(await liveCampaign(owner, admin, { title: `${name}${at + 1}`, testersRequired: 2, ...plan }))
  })

  const order = async (person: Person, path: string) =>
    (await walk(person, `${path}search=${name}&limit=1`))
      .flat()
      .map(({ title }) => title.slice(name.length))
      .join('')

  test('what can be joined comes by pay, by days, or newest first, without gap or double between pages', async () => {
    const available = '/campaigns/available?'
    expect(await order(tester, available)).toBe('4321')
    expect(await order(tester, `${available}sort=newest&`)).toBe('4321')
    expect(await order(tester, `${available}sort=highestPay&`)).toBe('2431')
    expect(await order(tester, `${available}sort=shortest&`)).toBe('2413')
    expect((await tester.call('GET', `${available}sort=mostPaid`)).status).toBe(400)
  })

  test('an admin’s list of all comes by age, pay, and what was paid in; others’ stay newest first', async () => {
    for (const [sort, sorted] of [
      ['newest', '4321'],
      ['oldest', '1234'],
      ['highestPay', '2431'],
      ['lowestPay', '1342'],
      ['mostPaid', '2431'],
      ['leastPaid', '1342'],
    ] as const)
      expect([sort, await order(admin, `/campaigns?sort=${sort}&`)]).toEqual([sort, sorted])
    expect(await order(owner, '/campaigns?sort=oldest&')).toBe('4321')
    expect(await order(tester, '/campaigns?sort=oldest&')).toBe('4321')
  })

  test.each([
    // The refunded one comes once more, where it belongs now.
    ['mostPaid', '3212'],
    ['leastPaid', '123'],
  ] as const)(
    'by %s, no other campaign is left out or comes twice when the last of a page is refunded',
    async (sort, all) => {
      const title = `Refunded by ${sort} `
      for (const number of [1, 2, 3])
        await liveCampaign(owner, admin, { title: `${title}${number}`, payPerTesterCents: number * 1000 })
      const first = await admin.call<Campaign[]>('GET', `/campaigns?sort=${sort}&search=${title}&limit=2`)
      const { id } = first.body[1]!
      expect((await admin.call('POST', `/campaigns/${id}/cancel`)).status).toBe(200)
      const next = await admin.call<Campaign[]>('GET', nextOf(first.headers)!)
      const read = [...first.body, ...next.body].map(campaign => campaign.title.slice(title.length)).join('')
      expect([read, nextOf(next.headers)]).toEqual([all, undefined])
    },
  )

  test('a position of the last release, which is an id alone, still leads to the next page', async () => {
    const rest = await admin.call<Campaign[]>(
      'GET',
      `/campaigns?sort=highestPay&search=${name}&cursor=${campaigns[3]!.id}`,
    )
    expect(rest.body.map(({ title }) => title.slice(name.length)).join('')).toBe('31')
    for (const sort of ['oldest', 'highestPay'])
      expect((await admin.call('GET', `/campaigns?sort=${sort}&cursor=10.x`)).status).toBe(400)
    // Others’ lists stay newest first, so a value says nothing there.
    const { body } = await tester.call<Campaign[]>('GET', `/campaigns?search=${name}&cursor=500.${campaigns[2]!.id}`)
    expect(body.map(({ title }) => title.slice(name.length)).join('')).toBe('21')
  })

  test('what a tester is in, waits for, or was in is not available any more, and the dashboard counts the same', async () => {
    const person = await t.signUp('TESTER')
    const available = async () => {
      const { body } = await person.call<Campaign[]>('GET', '/campaigns/available')
      const { body: figures } = await person.call<{ availableCampaigns: number }>('GET', '/dashboard/tester')
      expect(figures.availableCampaigns).toBe(body.length)
      return body.map(({ title }) => title).filter(title => title.startsWith(name))
    }
    expect(await available()).toHaveLength(4)
    const seat = await joinedBy(person, campaigns[0]!.id)
    expect(await available()).not.toContain(`${name}1`)
    await person.call('POST', `/testers/campaign-testers/${seat.id}/leave`)
    expect(await available()).not.toContain(`${name}1`)
    const [other1, other2] = [await t.signUp('TESTER'), await t.signUp('TESTER')]
    for (const filler of [other1, other2]) await joinedBy(filler, campaigns[1]!.id)
    expect(await available()).toContain(`${name}2`)
    await person.call('POST', `/testers/campaigns/${campaigns[1]!.id}/join`, { deviceInfo: device, waitlist: true })
    expect(await available()).toEqual([`${name}4`, `${name}3`])
    // For others the two are still there.
    expect(await order(tester, '/campaigns/available?')).toBe('4321')
  })
})

test('the queue of approvals is in the order of waiting, and a campaign that comes again waits anew', async () => {
  const developer = await t.signUp('DEVELOPER')
  const drafts = []
  for (const title of ['Queue 1', 'Queue 2', 'Queue 3', 'Queue 4']) drafts.push(await draftOf(developer, { title }))
  for (const { id, totalCostCents } of drafts.toReversed()) {
    await developer.call('POST', `/campaigns/${id}/fund`, { amountCents: totalCostCents })
    await t.advance(0.001)
  }
  const path = '/admin/campaigns/pending?search=queue&limit=3'
  const order = async () => (await walk(admin, path)).flat().map(campaign => campaign.title)
  expect(await order()).toEqual(['Queue 4', 'Queue 3', 'Queue 2', 'Queue 1'])
  const again = drafts[3]!.id
  await admin.call('POST', `/admin/campaigns/${again}/reject`, { reason: 'Once more.' })
  expect(await order()).toEqual(['Queue 3', 'Queue 2', 'Queue 1'])
  await developer.call('PATCH', `/campaigns/${again}`, { description: 'Once more.' })
  await developer.call('POST', `/campaigns/${again}/submit`)
  expect(await order()).toEqual(['Queue 3', 'Queue 2', 'Queue 1', 'Queue 4'])
})

test('the queue of approvals is in the order of submission, whatever the servers’ clocks said, and no page leaves one out', async () => {
  const developer = await t.signUp('DEVELOPER')
  const drafts: Campaign[] = []
  for (const number of [1, 2, 3, 4]) drafts.push(await draftOf(developer, { title: `Line ${number}` }))
  for (const { id, totalCostCents } of drafts)
    await developer.call('POST', `/campaigns/${id}/fund`, { amountCents: totalCostCents })
  // The last was taken by a server whose clock is behind.
  await t.look(`update campaigns set submitted_at = submitted_at - interval '1 minute' where id = $1`, [drafts[3]!.id])
  const path = '/admin/campaigns/pending?search=line&limit=2'
  const titlesOf = (campaigns: readonly Campaign[]) => campaigns.map(({ title }) => title)
  const first = await admin.call<Campaign[]>('GET', path)
  expect(titlesOf(first.body)).toEqual(['Line 1', 'Line 2'])
  // The campaign at which the page ended is rejected and comes again, before the next page is read.
  const { id } = drafts[1]!
  await admin.call('POST', `/admin/campaigns/${id}/reject`, { reason: 'Once more.' })
  await developer.call('PATCH', `/campaigns/${id}`, { description: 'Once more.' })
  await developer.call('POST', `/campaigns/${id}/submit`)
  const next = /<([^>]+)>/.exec(String(first.headers['link']))![1]!
  expect(titlesOf((await admin.call<Campaign[]>('GET', `${next}&limit=10`.replace('limit=2&', ''))).body)).toEqual([
    'Line 3',
    'Line 4',
    'Line 2',
  ])
})

test('the books balance', async () => expect(await brokenChecks()).toEqual([]))
