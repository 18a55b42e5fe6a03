/** How testers get in: what a mode asks of the other terms, and what can change when. */
import { describe, expect, test } from 'vitest'
import { campaignInput, draftOf, fundedBy, liveCampaign, type Person } from '../../testing/app.ts'
import { signedUp, testApp } from '../../testing/prologue.ts'
import type { ErrorBody } from '../../kit/errors.ts'
import type { Campaign, NewCampaignTerms } from '../contract.ts'

const t = testApp()
const owner = signedUp(t, 'DEVELOPER')
const admin = signedUp(t, 'ADMIN')
const tester = signedUp(t, 'TESTER')

const group = 'https://groups.google.com/g/notes-testers'
const create = (terms: object) => owner.call<Campaign & ErrorBody>('POST', '/campaigns', { ...campaignInput, ...terms })
const edit = (id: string, change: object) => owner.call<Campaign & ErrorBody>('PATCH', `/campaigns/${id}`, change)
const seenBy = async (person: Person, id: string) => (await person.call<Campaign>('GET', `/campaigns/${id}`)).body

describe('a campaign', () => {
  test('that does not say how testers get in has an open link and no features', async () => {
    expect((await create({})).body).toMatchObject({ accessMode: 'OPEN_LINK', groupLink: null, features: [] })
  })

  test('shows its mode, its group and its features to testers before they join', async () => {
    const features = ['Write a note', 'Search']
    const { id } = await liveCampaign(owner, admin, { accessMode: 'GOOGLE_GROUP', groupLink: group, features })
    expect(await seenBy(tester, id)).toMatchObject({ accessMode: 'GOOGLE_GROUP', groupLink: group, features })
  })

  test('may have a tester list when its link only has the name of an app file in it', async () => {
    const distributionLink = 'https://a.test/app.apk/about'
    expect((await create({ accessMode: 'EMAIL_LIST', distributionLink })).body).toMatchObject({ distributionLink })
  })

  test('keeps each feature once, without empty lines, and 20 at most', async () => {
    const features = [' Write ', '', 'Search', 'Write']
    expect((await create({ features })).body.features).toEqual(['Write', 'Search'])
    const many = Array.from({ length: 21 }, (_, line) => `Feature ${line}`)
    expect((await create({ features: many.slice(1) })).body.features).toHaveLength(20)
    const refused = await create({ features: many })
    expect(refused).toMatchObject({ status: 400, body: { fields: { features: 'List at most 20 features' } } })
  })
})

const refusals: [string, object, string][] = [
  ['a group without its link', { accessMode: 'GOOGLE_GROUP' }, 'groupLink'],
  ['a group whose link is null', { accessMode: 'GOOGLE_GROUP', groupLink: null }, 'groupLink'],
  ['a tester list for iOS', { accessMode: 'EMAIL_LIST', platform: 'ios' }, 'accessMode'],
  ['a group for iOS', { accessMode: 'GOOGLE_GROUP', groupLink: group, platform: 'ios' }, 'accessMode'],
  ...['https://a.test/app.apk', 'https://a.test/App.APK?build=7', 'https://a.test/x.aab#top'].map(
    (distributionLink): [string, object, string] => [
      `a tester list for ${distributionLink}`,
      { accessMode: 'EMAIL_LIST', distributionLink },
      'distributionLink',
    ],
  ),
  ['a mode that does not exist', { accessMode: 'SECRET' }, 'accessMode'],
]

describe.each(refusals)('%s', (_what, terms, field) => {
  test('is refused on create, at its field', async () => {
    const { status, body } = await create(terms)
    expect([status, body.code, Object.keys(body.fields ?? {})]).toEqual([400, 'INVALID_INPUT', [field]])
  })

  test('is refused on an edit, and nothing changes', async () => {
    const before = await draftOf(owner)
    const { status, body } = await edit(before.id, terms)
    expect([status, body.code, Object.keys(body.fields ?? {})]).toEqual([400, 'INVALID_INPUT', [field]])
    expect(await seenBy(owner, before.id)).toEqual(before)
  })
})

describe('an edit', () => {
  test('of one field is judged with the others as they are', async () => {
    const { id } = await draftOf(owner, { accessMode: 'EMAIL_LIST' })
    expect((await edit(id, { platform: 'ios' })).body.fields).toHaveProperty('accessMode')
    expect((await edit(id, { distributionLink: 'https://a.test/a.apk' })).body.fields).toHaveProperty(
      'distributionLink',
    )
    expect((await edit(id, { accessMode: 'OPEN_LINK', distributionLink: 'https://a.test/a.apk' })).status).toBe(200)
  })

  test('to another mode clears the group’s link', async () => {
    const { id } = await draftOf(owner, { accessMode: 'GOOGLE_GROUP', groupLink: group })
    expect((await edit(id, { accessMode: 'EMAIL_LIST' })).body).toMatchObject({
      accessMode: 'EMAIL_LIST',
      groupLink: null,
    })
    expect((await edit(id, { groupLink: group })).body.groupLink).toBeNull()
  })

  test('may add, remove and reorder features until the campaign starts', async () => {
    const { id } = await draftOf(owner, { features: ['A', 'B'] })
    expect((await edit(id, { features: ['B', 'C', 'A'] })).body.features).toEqual(['B', 'C', 'A'])
    expect((await edit(id, { features: [] })).body.features).toEqual([])
  })

  test('of a started campaign changes neither mode nor features, and its link not to a file', async () => {
    const { id } = await liveCampaign(owner, admin, { accessMode: 'EMAIL_LIST', features: ['A'] })
    for (const change of [{ accessMode: 'OPEN_LINK' }, { features: ['B'] }, { features: [] }]) {
      const { status, body } = await edit(id, change)
      expect([status, body.code, Object.keys(body.fields ?? {})]).toEqual([409, 'WRONG_STATE', Object.keys(change)])
    }
    const file = await edit(id, { distributionLink: 'https://a.test/app.apk' })
    expect(file).toMatchObject({ status: 400, body: { code: 'INVALID_INPUT' } })
    expect(file.body.fields).toHaveProperty('distributionLink')
    expect(await seenBy(owner, id)).toMatchObject({ accessMode: 'EMAIL_LIST', features: ['A'], pendingLink: null })
  })

  test('of a paid campaign that awaits approval is refused as before', async () => {
    const { id } = await fundedBy(owner)
    expect((await edit(id, { features: ['A'] })).status).toBe(409)
  })
})

describe('the drop-out rate that new campaigns are told', () => {
  const dropOuts = async () => (await owner.call<NewCampaignTerms>('GET', '/campaigns/new-terms')).body.dropOuts

  /** Finished tests, put in place: of each status so many. */
  const finished = async (verified: number, dropped: number, closedAt: string) => {
    const { id } = await draftOf(owner)
    await t.look(
      `with people as (
        insert into users (id, email, name, role, password_hash, created_at)
          select gen_random_uuid(), gen_random_uuid() || '@example.test', 'Done', 'TESTER', 'none', now()
          from generate_series(1, $2::int) returning id
      )
      insert into participations (id, campaign_id, tester_id, ordinal, status, device_model, time_zone, joined_at,
        proof_allowed_at, last_seen_at, payout_amount_cents, closed_at, drop_reason)
      select gen_random_uuid(), $1, id, n, case when n <= $3 then 'DROPPED' else 'VERIFIED' end, 'Pixel 8', 'UTC', $4, $4, $4, 0,
        $4::timestamptz, case when n <= $3 then 'LEFT' end from (select id, row_number() over () as n from people) numbered`,
      [id, verified + dropped, dropped, closedAt],
    )
  }

  test('is assumed below 200 finished tests, then this marketplace’s own, of the newest 1,000', async () => {
    expect(await dropOuts()).toEqual({ finishedTests: 0, basisPoints: 2000, assumed: true })
    await finished(99, 100, '2026-01-01T00:00:00Z')
    expect(await dropOuts()).toEqual({ finishedTests: 199, basisPoints: 2000, assumed: true })
    await finished(1, 0, '2026-01-02T00:00:00Z')
    expect(await dropOuts()).toEqual({ finishedTests: 200, basisPoints: 5000, assumed: false })
    await finished(900, 100, '2026-01-03T00:00:00Z')
    expect(await dropOuts()).toEqual({ finishedTests: 1000, basisPoints: 1000, assumed: false })
  })

  test('is read from its index alone', async () => {
    await t.look('vacuum analyze participations')
    const plan = await t.look<{ 'QUERY PLAN': string }>(
      `explain select status from participations where status in ('VERIFIED', 'REJECTED', 'DROPPED')
        order by closed_at desc limit 1000`,
    )
    expect(plan.map(line => line['QUERY PLAN']).join(' ')).toContain('Index Only Scan using participations_finished')
  })
})
