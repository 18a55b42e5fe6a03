/** Play addresses are erased 30 days after the end of their campaign, and are sealed again after a change of the encryption key. */
import { randomBytes } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { autocommit } from '../../kit/server/db.ts'
import { useEncryptionKeys } from '../../kit/server/encryption.ts'
import { device, joinedBy, liveCampaign, type Person, playEmailOf } from '../../testing/app.ts'
import { signedUp, testApp } from '../../testing/prologue.ts'
import { addressesErasedSince, eraseAgain, playAddressOf } from './playAddresses.ts'
import { sealAgain, sealAgainOnBench } from './queries.ts'
import { sealedFor } from './sealing.ts'

const [first, second] = [randomBytes(32).toString('base64'), randomBytes(32).toString('base64')]
const t = testApp({ ENCRYPTION_KEY: first }, { fresh: true })
const developer = signedUp(t, 'DEVELOPER')
const admin = signedUp(t, 'ADMIN')

type Row = {
  sealed: Buffer | null
  address_hash: Buffer | null
  same_address: string | null
  same_account: string | null
  erased_at: string | null
}
const rowOf = async (id: string) =>
  (await t.look<Row>('select * from play_addresses where participation_id = $1', [id]))[0]!
const joinList = async (tester: Person) => {
  const campaign = await liveCampaign(developer, admin, { accessMode: 'EMAIL_LIST' })
  return { campaign, test: await joinedBy(tester, campaign.id) }
}

describe('an address', () => {
  test('is erased 30 days after the campaign was cancelled, and not before; the record of consent stays', async () => {
    const tester = await t.signUp('TESTER')
    const { campaign, test: ended } = await joinList(tester)
    const { test: goesOn } = await joinList(tester)
    await developer.call('POST', `/campaigns/${campaign.id}/cancel`)
    await t.advance(29 * 24)
    expect(await playAddressOf(autocommit, ended.id)).not.toBeNull()
    await t.advance(25)
    expect(await playAddressOf(autocommit, ended.id)).toBeNull()
    const row = await rowOf(ended.id)
    expect(row).toMatchObject({
      sealed: null,
      address_hash: null,
      same_address: null,
      consent_version: 1,
      consented_at: ended.joinedAt,
    })
    // A list of erasures begins with the moment that it is asked from.
    expect((await addressesErasedSince(autocommit, row.erased_at!)).map(({ id }) => id)).toEqual([ended.id])
    // Its campaign is still running.
    expect(await playAddressOf(autocommit, goesOn.id)).not.toBeNull()
    const back = await t.signIn(tester.user.email)
    expect((await back.call<{ playAddresses: object[] }>('GET', '/users/me/export')).body.playAddresses).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ participationId: ended.id, playEmail: null, erasedAt: expect.any(String) }),
      ]),
    )
  })

  test('leaves which testers of a campaign shared an account, and nothing about the others', async () => {
    const campaign = await liveCampaign(developer, admin, { accessMode: 'EMAIL_LIST', testersRequired: 4 })
    const ids: string[] = []
    for (let n = 0; n < 4; n++) ids.push((await joinedBy(await t.signUp('TESTER'), campaign.id)).id)
    const { test: elsewhere } = await joinList(await t.signUp('TESTER'))
    // As before a second tester with the account was refused.
    const share = (one: string, others: string[]) =>
      t.look(
        `update play_addresses set address_hash = (select address_hash from play_addresses where participation_id = $1)
          where participation_id = any($2)`,
        [one, others],
      )
    await share(ids[0]!, [ids[1]!, ids[2]!])
    await share(ids[3]!, [elsewhere.id])
    // One of the three has deleted the account before.
    expect(await eraseAgain(autocommit, [ids[0]!])).toBe(1)
    await developer.call('POST', `/campaigns/${campaign.id}/cancel`)
    await t.advance(30 * 24 + 1)
    const rows = await Promise.all(ids.map(rowOf))
    expect(rows.map(row => [row.sealed, row.address_hash, row.same_account])).toEqual([
      [null, null, ids[0]],
      [null, null, ids[0]],
      [null, null, ids[0]],
      [null, null, null],
    ])
  })

  test('sealed with an old key is resealed, so that the key can be removed; one account still has one hash', async () => {
    const [ann, bob] = [await t.signUp('TESTER'), await t.signUp('TESTER')]
    const { test: old } = await joinList(ann)
    const before = await rowOf(old.id)
    useEncryptionKeys([second, first])
    const other = await liveCampaign(developer, admin, { accessMode: 'EMAIL_LIST' })
    const fresh = await joinedBy(bob, other.id, playEmailOf(ann).replace('gmail.com', 'googlemail.com'))
    expect((await rowOf(fresh.id)).address_hash).not.toEqual(before.address_hash)
    await t.advance(0)
    const after = await rowOf(old.id)
    expect(after.sealed!.subarray(1, 5)).not.toEqual(before.sealed!.subarray(1, 5))
    useEncryptionKeys([second])
    expect(await playAddressOf(autocommit, old.id)).toBe(playEmailOf(ann))
    expect((await rowOf(fresh.id)).address_hash).toEqual(after.address_hash)
  })

  test('that is erased or resealed after it was read is left as it is', async () => {
    const tester = await t.signUp('TESTER')
    const { test: joined } = await joinList(tester)
    const key = { participationId: joined.id }
    const { sealed } = await rowOf(joined.id)
    const fresh = sealedFor(joined.id, playEmailOf(tester))
    expect(await sealAgain(autocommit, { ...key, sealed: fresh.sealed }, fresh)).toBe(0)
    expect((await rowOf(joined.id)).sealed).toEqual(sealed)
    expect(await eraseAgain(autocommit, [joined.id])).toBe(1)
    expect(await sealAgain(autocommit, { ...key, sealed: sealed! }, fresh)).toBe(0)
    expect(await rowOf(joined.id)).toMatchObject({ sealed: null, address_hash: null })
  })

  test('of a tester on a bench is resealed after a change of the key as well', async () => {
    const campaign = await liveCampaign(developer, admin, { accessMode: 'EMAIL_LIST', testersRequired: 1 })
    await joinedBy(await t.signUp('TESTER'), campaign.id)
    const waiting = await t.signUp('TESTER')
    await waiting.call('POST', `/testers/campaigns/${campaign.id}/join`, {
      deviceInfo: device,
      waitlist: true,
      playEmail: 'bench@example.com',
      consent: true,
    })
    const hash = async () =>
      (await t.look<{ hash: string }>(`select encode(address_hash, 'hex') as hash from bench_entries`))[0]!.hash
    const before = await hash()
    useEncryptionKeys([second, first])
    await t.advance(0)
    // The hash is of the new key as well, or the account would not be found among those who join from now on.
    expect(await hash()).not.toBe(before)
    useEncryptionKeys([second])
    const { body } = await waiting.call<{ playAddresses: object[] }>('GET', '/users/me/export')
    expect(body.playAddresses).toMatchObject([{ playEmail: 'bench@example.com' }])
    // The address of an entry that was changed after it was read is not overwritten.
    const { id } = (await t.look<{ id: string }>('select id from bench_entries'))[0]!
    const old = { participationId: id, sealed: randomBytes(40) }
    expect(await sealAgainOnBench(autocommit, old, sealedFor(id, 'other@example.com'))).toBe(0)
  })
})
