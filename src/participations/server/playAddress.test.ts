/** A Play address is asked for where testers get in by a list, with a consent; it is stored sealed, and shown to nobody else. */
import { randomUUID } from 'node:crypto'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { PersonalData } from '../../accounts/contract.ts'
import { autocommit } from '../../kit/server/db.ts'
import { shareWrites } from '../../kit/server/lines.ts'
import { consentVersion } from '../../playAddresses/consent.ts'
import { playAddressOf } from '../../playAddresses/server/playAddresses.ts'
import { device, joinedBy, liveCampaign, password, type Person } from '../../testing/app.ts'
import { own } from '../../testing/bench.ts'
import { inParallel, tally } from '../../testing/observed.ts'
import { allSignedUp, signedUp, testApp } from '../../testing/prologue.ts'
import { overtaken } from '../../testing/races.ts'
import type { CampaignTester } from '../contract.ts'

const t = testApp()
const developer = signedUp(t, 'DEVELOPER', { name: 'Ada Lovelace' })
const admin = signedUp(t, 'ADMIN')
const testers = allSignedUp(t, 'TESTER', 4)

const emailList = { accessMode: 'EMAIL_LIST' }
const googleGroup = { accessMode: 'GOOGLE_GROUP', groupLink: 'https://groups.google.com/g/notes-testers' }

const join = (tester: Person, campaignId: string, more: Record<string, unknown> = {}) =>
  tester.call<CampaignTester & { code?: string; message?: string; fields?: Record<string, string> }>(
    'POST',
    `/testers/campaigns/${campaignId}/join`,
    { deviceInfo: device, ...more },
  )
const given = (playEmail = 'ann.lee@gmail.com') => ({ playEmail, consent: true })

type JoinForm = { playEmail: string | null; consent: { version: number; text: string[] } | null; device: unknown }
const formOf = (person: Person, campaignId: string) =>
  person.call<JoinForm>('GET', `/testers/campaigns/${campaignId}/join-form`)

const rowOf = async (participationId: string) =>
  (
    await t.look<{
      sealed: Buffer
      address_hash: Buffer
      same_address: string
      consent_version: number
      consented_at: string
    }>('select * from play_addresses where participation_id = $1', [participationId])
  )[0]

describe('joining a campaign with a tester list', () => {
  test.each([emailList, googleGroup])('needs an address and the consent: $accessMode', async mode => {
    const { id } = await liveCampaign(developer, admin, mode)
    const cases: [Record<string, unknown>, string[]][] = [
      [{}, ['consent', 'playEmail']],
      [{ consent: true }, ['playEmail']],
      [{ consent: true, playEmail: null }, ['playEmail']],
      [{ consent: true, playEmail: '  ' }, ['playEmail']],
      [{ consent: true, playEmail: 'ann.lee' }, ['playEmail']],
      [{ playEmail: 'ann@gmail.com' }, ['consent']],
      [{ playEmail: 'ann@gmail.com', consent: false }, ['consent']],
      [{ ...given(), consentVersion: consentVersion + 1 }, ['consent']],
    ]
    for (const [more, fields] of cases) {
      const { status, body } = await join(testers[0]!, id, more)
      expect(status).toBe(400)
      expect(body.code).toBe('INVALID_INPUT')
      expect(Object.keys(body.fields!).toSorted()).toEqual(fields)
    }
    expect((await testers[0]!.call<unknown[]>('GET', '/testers/my-campaigns')).body).toEqual([])
  })

  test('keeps the address sealed, what was agreed to and when, and shows it in no reply', async () => {
    const [tester] = testers
    const { id } = await liveCampaign(developer, admin, emailList)
    const { status, body } = await join(tester!, id, { ...given('  Ann.Lee@GMail.com '), consentVersion })
    expect(status).toBe(201)
    expect(JSON.stringify(body).toLowerCase()).not.toContain('ann.lee@gmail.com')
    expect(await playAddressOf(autocommit, body.id)).toBe('ann.lee@gmail.com')
    expect(await rowOf(body.id)).toMatchObject({ consent_version: consentVersion, consented_at: body.joinedAt })
    const [{ row } = { row: '' }] = await t.look<{ row: string }>(
      `select encode(sealed, 'escape') || encode(address_hash, 'escape') as row from play_addresses where participation_id = $1`,
      [body.id],
    )
    expect(row.toLowerCase()).not.toContain('ann')
  })

  test('is the same address however it is written: the hashes of one Google account are equal, and others are not', async () => {
    const written = ['annlee@gmail.com', 'ann.lee+x@googlemail.com', 'ann.lee@example.com']
    const rows = []
    for (const [at, playEmail] of written.entries()) {
      const { id } = await liveCampaign(developer, admin, emailList)
      rows.push(await rowOf((await joinedBy(testers[at]!, id, playEmail)).id))
    }
    expect(rows[0]!.address_hash.equals(rows[1]!.address_hash)).toBe(true)
    expect(rows[0]!.address_hash.equals(rows[2]!.address_hash)).toBe(false)
    expect(rows[0]!.address_hash).toHaveLength(32)
    // The name by which a fraud report tells addresses apart.
    expect(rows[1]!.same_address).toBe(rows[0]!.same_address)
    expect(rows[2]!.same_address).not.toBe(rows[0]!.same_address)
  })

  test('that fails leaves no address: full, joined before, at once with others', async () => {
    const { id } = await liveCampaign(developer, admin, { ...emailList, testersRequired: 1 })
    const replies = await inParallel(4, at => join(testers[at]!, id, given(`tester${at}@gmail.com`)))
    expect(tally(replies)).toEqual({ 201: 1, 409: 3 })
    const inside = replies.findIndex(({ status }) => status === 201)
    expect((await join(testers[inside]!, id, given())).body.code).toBe('ALREADY_JOINED')
    const stored = await t.look(
      'select from play_addresses a join participations p on p.id = a.participation_id where p.campaign_id = $1',
      [id],
    )
    expect(stored).toHaveLength(1)
    expect(await playAddressOf(autocommit, replies[inside]!.body.id)).toBe(`tester${inside}@gmail.com`)
  })
})

describe('one Google account gives one seat of a campaign, because Google Play counts it once', () => {
  const [ann, bob, cem] = [signedUp(t, 'TESTER'), signedUp(t, 'TESTER'), signedUp(t, 'TESTER')]
  const same = 'AnnLee+test@googlemail.com'
  const taken = {
    code: 'PLAY_ACCOUNT_TAKEN',
    message:
      'Another tester of this campaign uses this Google account, and Google Play counts it once. Enter a Google account of your own.',
  }

  test.each([emailList, googleGroup])('however it is written: $accessMode', async mode => {
    const { id } = await liveCampaign(developer, admin, mode)
    await joinedBy(ann, id, 'ann.lee@gmail.com')
    const { status, body } = await join(bob, id, given(same))
    expect([status, body]).toEqual([409, expect.objectContaining({ ...taken, fields: { playEmail: taken.message } })])
    expect((await join(bob, id, given('bob.lee@gmail.com'))).status).toBe(201)
    const other = await liveCampaign(developer, admin, mode)
    expect((await join(bob, other.id, given(same))).status).toBe(201)
  })

  test('also when two ask two servers at once', async () => {
    // On one server the second would wait for the first.
    shareWrites(false)
    onTestFinished(() => shareWrites(true))
    const { id } = await liveCampaign(developer, admin, emailList)
    const row = { rows: 'select from campaigns where id = $1', values: [id] }
    const replies = await overtaken(
      t,
      row,
      () => join(ann, id, given()),
      () => join(bob, id, given(same)),
    )
    expect(replies.map(({ status, body }) => [status, body.code])).toEqual([
      [201, undefined],
      [409, taken.code],
    ])
  })

  test('while its tester is in: it is free again for others once they have left, and taken after a verified proof', async () => {
    const { id } = await liveCampaign(developer, admin, { ...emailList, durationDays: 1 })
    const [gone, done] = [await joinedBy(ann, id, 'gone@gmail.com'), await joinedBy(bob, id, 'done@gmail.com')]
    await ann.call('POST', `/testers/campaign-testers/${gone.id}/leave`)
    await t.look(`update participations set status = 'VERIFIED', closed_at = now(), wake_at = null where id = $1`, [
      done.id,
    ])
    expect((await join(cem, id, given('done@gmail.com'))).body).toMatchObject(taken)
    expect((await join(cem, id, given('gone@gmail.com'))).status).toBe(201)
  })

  test('a full campaign says nothing about it', async () => {
    const { id } = await liveCampaign(developer, admin, { ...emailList, testersRequired: 1 })
    await joinedBy(ann, id, 'ann.lee@gmail.com')
    expect((await join(bob, id, given(same))).body.code).toBe('CAMPAIGN_FULL')
    expect((await join(bob, id, { ...given(same), waitlist: true })).status).toBe(201)
  })

  test('also where it was given on the bench: the held seat is refused, and the place in line can be given up for another account', async () => {
    const { id } = await liveCampaign(developer, admin, { ...emailList, testersRequired: 2 })
    await joinedBy(ann, id, 'ann.lee@gmail.com')
    const seat = await joinedBy(bob, id, 'bob.lee@gmail.com')
    const entry = (await join(cem, id, { ...given(same), waitlist: true })).body
    await bob.call('POST', `/testers/campaign-testers/${seat.id}/leave`)
    const refused = await cem.call('POST', `/testers/campaign-testers/${entry.id}/accept-seat`)
    const obstacle = {
      code: taken.code,
      message:
        'Another tester of this campaign uses this Google account, and Google Play counts it once. Leave the bench, and join again with a Google account of your own.',
    }
    expect([refused.status, refused.body]).toEqual([409, expect.objectContaining(obstacle)])
    expect(await own(cem, entry.id)).toMatchObject({ bench: { obstacle }, actions: ['leave'] })
    expect((await cem.call('POST', `/testers/campaign-testers/${entry.id}/leave`)).status).toBe(200)
    expect((await join(cem, id, given('cem.lee@gmail.com'))).status).toBe(201)
  })

  test('no seat is held for a tester on the bench whose account is in the campaign, or holds another seat', async () => {
    const { id } = await liveCampaign(developer, admin, { ...emailList, testersRequired: 3 })
    const [dan, eve] = [await t.signUp('TESTER'), await t.signUp('TESTER')]
    await joinedBy(ann, id, 'ann.lee@gmail.com')
    const seats = [await joinedBy(bob, id, 'bob.lee@gmail.com'), await joinedBy(dan, id, 'dan.lee@gmail.com')]
    const entries = []
    for (const [person, playEmail] of [
      [cem, same],
      [eve, 'twice@gmail.com'],
      [await t.signUp('TESTER'), 'twice@googlemail.com'],
    ] as const)
      entries.push((await join(person, id, { ...given(playEmail), waitlist: true })).body.id)
    await bob.call('POST', `/testers/campaign-testers/${seats[0]!.id}/leave`)
    await dan.call('POST', `/testers/campaign-testers/${seats[1]!.id}/leave`)
    const held = () => t.look('select id from bench_entries where campaign_id = $1 and offered_at is not null', [id])
    expect(await held()).toEqual([{ id: entries[1] }])
    // The second seat is free for others meanwhile.
    expect((await join(await t.signUp('TESTER'), id, given('fay@gmail.com'))).status).toBe(201)
    await eve.call('POST', `/testers/campaign-testers/${entries[1]}/leave`)
    expect(await held()).toEqual([{ id: entries[2] }])
  })

  test('who has let a seat pass does not keep the next one from another tester with the same account', async () => {
    const { id } = await liveCampaign(developer, admin, { ...emailList, testersRequired: 3 })
    const newcomers = await Promise.all(Array.from({ length: 6 }, () => t.signUp('TESTER')))
    const [first, second, third, dan, eve, fay] = newcomers as [Person, Person, Person, Person, Person, Person]
    await joinedBy(first, id, 'first.lee@gmail.com')
    const seat = await joinedBy(second, id, 'second.lee@gmail.com')
    await joinedBy(third, id, 'third.lee@gmail.com')
    const bench = async (person: Person, playEmail: string) =>
      (await join(person, id, { ...given(playEmail), waitlist: true })).body.id
    await bench(dan, 'twice@gmail.com')
    const between = await bench(eve, 'eve.lee@gmail.com')
    await second.call('POST', `/testers/campaign-testers/${seat.id}/leave`)
    // Dan lets it pass, and then stands behind Eve, but before Fay.
    await t.advance(24)
    const last = await bench(fay, 'twice@googlemail.com')
    await eve.call('POST', `/testers/campaign-testers/${between}/leave`)
    const held = 'select id from bench_entries where campaign_id = $1 and offered_at is not null'
    expect(await t.look(held, [id])).toEqual([{ id: last }])
  })

  test('a held seat is not voided: nobody else takes a free seat with its account, until its tester has let it pass', async () => {
    const { id } = await liveCampaign(developer, admin, { ...emailList, testersRequired: 3 })
    const [dan, eve] = [await t.signUp('TESTER'), await t.signUp('TESTER')]
    await joinedBy(ann, id, 'ann.lee@gmail.com')
    const seats = [await joinedBy(bob, id, 'bob.lee@gmail.com'), await joinedBy(cem, id, 'cem.lee@gmail.com')]
    const bench = async (person: Person, playEmail: string) =>
      (await join(person, id, { ...given(playEmail), waitlist: true })).body.id
    const [held, other] = [await bench(dan, 'twice@gmail.com'), await bench(eve, 'twice@googlemail.com')]
    await bob.call('POST', `/testers/campaign-testers/${seats[0]!.id}/leave`)
    await cem.call('POST', `/testers/campaign-testers/${seats[1]!.id}/leave`)
    const accept = (person: Person, entry: string) =>
      person.call<CampaignTester & { code?: string }>('POST', `/testers/campaign-testers/${entry}/accept-seat`)
    // Whoever only holds an offer may let it pass, so Eve is not told to give up her place.
    const obstacle = {
      code: taken.code,
      message:
        'A seat is held for another tester with this Google account, and Google Play counts it once. If they let it pass, you can take a seat; if they accept it, leave the bench, and join again with a Google account of your own.',
    }
    expect((await accept(eve, other)).body).toMatchObject(obstacle)
    expect(await own(eve, other)).toMatchObject({ bench: { offerEndsAt: null, obstacle }, actions: ['leave'] })
    expect((await join(await t.signUp('TESTER'), id, given('t.wice@gmail.com'))).body).toMatchObject(taken)
    await t.advance(24)
    expect((await accept(eve, other)).body).toMatchObject({ status: 'ACTIVE' })
    expect((await accept(dan, held)).body.code).toBe(taken.code)
  })

  test('of two who were both offered a seat with one account, the first to accept gets it', async () => {
    const { id } = await liveCampaign(developer, admin, { ...emailList, testersRequired: 2 })
    const seats = [await joinedBy(ann, id, 'ann.lee@gmail.com'), await joinedBy(bob, id, 'bob.lee@gmail.com')]
    const entries = []
    for (const [person, playEmail] of [
      [cem, 'one@gmail.com'],
      [await t.signUp('TESTER'), 'other@gmail.com'],
    ] as const)
      entries.push((await join(person, id, { ...given(playEmail), waitlist: true })).body.id)
    await ann.call('POST', `/testers/campaign-testers/${seats[0]!.id}/leave`)
    await bob.call('POST', `/testers/campaign-testers/${seats[1]!.id}/leave`)
    // As after a change of the encryption key, when the two hashes did not agree at first.
    await t.look(
      `update bench_entries set address_hash = (select address_hash from bench_entries where id = $1) where id = $2`,
      entries,
    )
    expect((await cem.call('POST', `/testers/campaign-testers/${entries[0]}/accept-seat`)).status).toBe(200)
  })
})

test('a campaign with an open link asks for no address, and stores none that is sent', async () => {
  const { id } = await liveCampaign(developer, admin)
  expect((await formOf(testers[0]!, id)).body).toEqual({
    playEmail: null,
    consent: null,
    // Of the test before, so that nobody types it again.
    device: { platform: 'android', osVersion: '14', model: 'Pixel 8', manufacturer: 'Google' },
  })
  const newcomer = await t.signUp('TESTER')
  expect((await formOf(newcomer, id)).body).toMatchObject({ device: null })
  const { status, body } = await join(testers[0]!, id, { playEmail: 'not an address', consent: false })
  expect(status).toBe(201)
  expect(await rowOf(body.id)).toBeUndefined()
})

describe('the form', () => {
  test('starts with the tester’s own last address, and shows the text with the developer’s name', async () => {
    const [tester, other] = [await t.signUp('TESTER'), await t.signUp('TESTER')]
    const [first, second, third] = [
      await liveCampaign(developer, admin, emailList),
      await liveCampaign(developer, admin, emailList),
      await liveCampaign(developer, admin, googleGroup),
    ]
    expect((await formOf(tester, first.id)).body.playEmail).toBeNull()
    await joinedBy(tester, first.id, 'old@gmail.com')
    await t.advance(1)
    await joinedBy(tester, second.id, 'new@gmail.com')
    await joinedBy(other, second.id, 'other@gmail.com')
    const { body, headers } = await formOf(tester, third.id)
    expect(body.playEmail).toBe('new@gmail.com')
    expect(headers['cache-control']).toBe('no-store')
    expect(body.consent).toMatchObject({ version: consentVersion })
    expect(body.consent!.text.join(' ')).toMatch(/Ada Lovelace.*Google Group.*30 days/s)
    expect((await formOf(tester, first.id)).body.consent!.text.join(' ')).toMatch(/Ada Lovelace.*Play Console/s)
  })

  test('is for testers who may see the campaign', async () => {
    const { id } = await liveCampaign(developer, admin, emailList)
    expect((await t.call('GET', `/testers/campaigns/${id}/join-form`)).status).toBe(401)
    for (const person of [developer, admin]) expect((await formOf(person, id)).status).toBe(403)
    expect((await formOf(testers[0]!, randomUUID())).status).toBe(404)
    await developer.call('POST', `/campaigns/${id}/pause`)
    expect((await formOf(testers[0]!, id)).status).toBe(404)
  })
})

describe('one’s own data', () => {
  test('holds the addresses that one gave, and nobody else’s', async () => {
    const [tester, other] = [await t.signUp('TESTER'), await t.signUp('TESTER')]
    const { id } = await liveCampaign(developer, admin, emailList)
    const mine = await joinedBy(tester, id, 'mine@gmail.com')
    await joinedBy(other, id, 'theirs@gmail.com')
    const { body } = await tester.call<PersonalData>('GET', '/users/me/export')
    expect(body.playAddresses).toEqual([
      {
        participationId: mine.id,
        playEmail: 'mine@gmail.com',
        consentVersion,
        consentedAt: mine.joinedAt,
        erasedAt: null,
      },
    ])
    expect((await developer.call<PersonalData>('GET', '/users/me/export')).body.playAddresses).toEqual([])
  })

  test('ends with the account: a tester’s addresses are erased with it, and so are those that a developer was given', async () => {
    const owner = await t.signUp('DEVELOPER')
    const [tester, stays] = [await t.signUp('TESTER'), await t.signUp('TESTER')]
    const { id } = await liveCampaign(owner, admin, emailList)
    const [gone, kept] = [await joinedBy(tester, id), await joinedBy(stays, id)]
    await tester.call('POST', `/testers/campaign-testers/${gone.id}/leave`)
    expect((await tester.call('DELETE', '/users/me', { password })).status).toBe(204)
    expect(await playAddressOf(autocommit, gone.id)).toBeNull()
    expect(await rowOf(gone.id)).toMatchObject({ sealed: null, address_hash: null, consent_version: consentVersion })
    expect(await playAddressOf(autocommit, kept.id)).not.toBeNull()
    await owner.call('POST', `/campaigns/${id}/cancel`)
    await t.advance(1)
    expect((await owner.call('DELETE', '/users/me', { password })).status).toBe(204)
    expect(await playAddressOf(autocommit, kept.id)).toBeNull()
  })
})
