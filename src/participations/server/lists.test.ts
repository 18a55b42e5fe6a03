import { beforeAll, expect, test } from 'vitest'
import { device, joinedBy, liveCampaign, type Person } from '../../testing/app.ts'
import { allSignedUp, signedUp, testApp } from '../../testing/prologue.ts'
import type { CampaignTester } from '../contract.ts'

const t = testApp()
const developer = signedUp(t, 'DEVELOPER')
const admin = signedUp(t, 'ADMIN')
const testers = allSignedUp(t, 'TESTER', 5)

const nextOf = (headers: Record<string, unknown>) => /^<([^>]+)>; rel="next"$/.exec(String(headers.link))?.[1]

/** The pages of a list through the Link header, each as what `of` gives of its rows. */
const pagesOf = async <T>(person: Person, first: string, of: (row: CampaignTester) => T): Promise<T[][]> => {
  const pages: T[][] = []
  for (let path: string | undefined = first; path !== undefined;) {
    const { status, body, headers } = await person.call<CampaignTester[]>('GET', path)
    expect(status).toBe(200)
    pages.push(body.map(of))
    path = nextOf(headers)
  }
  return pages
}

let roster: string
let campaigns: string[]

beforeAll(async () => {
  roster = (await liveCampaign(developer, admin, { testersRequired: 5 })).id
  const joined: CampaignTester[] = []
  for (const tester of testers) joined.push(await joinedBy(tester, roster))
  await testers[1]!.call('POST', `/testers/campaign-testers/${joined[1]!.id}/leave`)
  await testers[3]!.call('POST', `/testers/campaign-testers/${joined[3]!.id}/leave`)
  campaigns = [roster]
  for (const title of ['Second', 'Third']) {
    const { id } = await liveCampaign(developer, admin, { title })
    campaigns.push((await joinedBy(testers[0]!, id)).campaign.id)
  }
})

const alias = (row: CampaignTester) => row.alias

test('a roster is paged in joining order, with each tester once', async () => {
  for (const reader of [developer, admin]) {
    expect(await pagesOf(reader, `/campaigns/${roster}/testers?limit=2`, alias)).toEqual([
      ['Tester 1', 'Tester 2'],
      ['Tester 3', 'Tester 4'],
      ['Tester 5'],
    ])
  }
})

test('a roster filtered by status pages within the filter', async () => {
  expect(await pagesOf(developer, `/campaigns/${roster}/testers?limit=2&status=ACTIVE`, alias)).toEqual([
    ['Tester 1', 'Tester 3'],
    ['Tester 5'],
  ])
  const left = (await pagesOf(developer, `/campaigns/${roster}/testers?limit=100`, row => row))[0]!
    .filter(row => row.status !== 'ACTIVE')
    .map(row => row.status)
  expect(left).toHaveLength(2)
  expect(await pagesOf(developer, `/campaigns/${roster}/testers?status=${left[0]}`, alias)).toEqual([
    ['Tester 2', 'Tester 4'],
  ])
})

test('a tester’s own tests are paged, newest first', async () => {
  const own = await pagesOf(testers[0]!, '/testers/my-campaigns?limit=2', row => row.campaign.id)
  expect(own).toEqual([[campaigns[2], campaigns[1]], [campaigns[0]]])
})

test('a tester’s own tests filtered by status contain no others', async () => {
  const left = (await pagesOf(testers[1]!, '/testers/my-campaigns', row => row.status))[0]!
  expect(left).toHaveLength(1)
  expect(await pagesOf(testers[1]!, `/testers/my-campaigns?status=${left[0]}`, row => row.campaign.id)).toEqual([
    [roster],
  ])
  expect(await pagesOf(testers[1]!, '/testers/my-campaigns?status=ACTIVE', row => row.campaign.id)).toEqual([[]])
})

test('a tester’s own tests and places on a bench are searched and filtered by their campaigns', async () => {
  const tester = await t.signUp('TESTER')
  const android = await liveCampaign(developer, admin, { title: 'Chess clock' })
  const ios = await liveCampaign(developer, admin, { title: 'Chess board', platform: 'ios' })
  const full = await liveCampaign(developer, admin, { title: 'Chess club', testersRequired: 1 })
  await joinedBy(testers[2]!, full.id)
  await joinedBy(tester, android.id)
  await tester.call('POST', `/testers/campaigns/${ios.id}/join`, { deviceInfo: { ...device, platform: 'ios' } })
  await tester.call('POST', `/testers/campaigns/${full.id}/join`, { deviceInfo: device, waitlist: true })
  const own = (query: string) =>
    pagesOf(tester, `/testers/my-campaigns?limit=1&${query}`, row => row.campaign.title).then(pages => pages.flat())
  const all = ['Chess club', 'Chess board', 'Chess clock']
  expect(await own('search=CHESS')).toEqual(all)
  expect(await own('search=cl')).toEqual(['Chess club', 'Chess clock'])
  expect(await own('platform=ios')).toEqual(['Chess board'])
  expect(await own('search=chess&platform=android&status=WAITLISTED')).toEqual(['Chess club'])
  expect(await own('search=chess&platform=android&status=ACTIVE')).toEqual(['Chess clock'])
  expect(await own('search=%25')).toEqual([])
  expect(await own('search=&platform=ALL')).toEqual(all)
  expect((await tester.call('GET', '/testers/my-campaigns?platform=windows')).status).toBe(400)
})
