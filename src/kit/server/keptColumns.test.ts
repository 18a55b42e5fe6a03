/** Columns that are derived from a row's texts are computed when the text changes, and not with each update of the row. */
import { expect, test } from 'vitest'
import { draftOf, joinedBy, liveCampaign } from '../../testing/app.ts'
import { signedUp, testApp } from '../../testing/prologue.ts'

const t = testApp()
const developer = signedUp(t, 'DEVELOPER')
const admin = signedUp(t, 'ADMIN')
const tester = signedUp(t, 'TESTER')
const another = signedUp(t, 'TESTER')

test('no table with a trigger before updates has a generated column: each update would compute it', async () => {
  const computed = await t.look(
    `select attrelid::regclass::text as table, attname as column from pg_attribute
      where attgenerated = 's' and attrelid in (select tgrelid from pg_trigger
        where not tgisinternal and tgtype & 2 > 0 and tgtype & 16 > 0)`,
  )
  expect(computed).toEqual([])
})

test('a campaign is found by its title and description as they are now', async () => {
  const { id } = await draftOf(developer, { title: 'Quokka counter', description: 'Counts Marsupials.' })
  const find = async (search: string) =>
    (await developer.call<{ id: string }[]>('GET', `/campaigns?search=${search}`)).body.map(found => found.id)
  expect(await find('quokka')).toEqual([id])
  // One by one, unlike a PATCH, which writes both.
  await t.look(`update campaigns set title = 'Wombat counter' where id = $1`, [id])
  expect(await find('quokka')).toEqual([])
  expect(await find('wombat')).toEqual([id])
  await t.look(`update campaigns set description = 'Counts Numbats.' where id = $1`, [id])
  expect(await find('marsupials')).toEqual([])
  expect(await find('numbats')).toEqual([id])
})

test('a proof’s key is that of its present text, and nobody can write another', async () => {
  const { id: campaignId } = await liveCampaign(developer, admin)
  const { id } = await joinedBy(tester, campaignId)
  const keyAfter = async (change: string) => {
    await t.look(`update participations set ${change} where id = $1`, [id])
    const [row] = await t.look<{ key: string | null; right: boolean }>(
      `select proof_key as key, proof_key is not distinct from proof_key(proof_text) as right from participations where id = $1`,
      [id],
    )
    expect(row?.right).toBe(true)
    return row?.key
  }
  const first = await keyAfter(`proof_text = 'I tried the search on each of the days.'`)
  expect(first).toEqual(expect.any(String))
  expect(await keyAfter(`proof_text = 'I tried the export instead.'`)).not.toBe(first)
  expect(await keyAfter(`proof_key = 'another'`)).not.toBe('another')
  expect(await keyAfter('proof_text = null')).toBeNull()
  await keyAfter(`proof_text = 'I tried the search on each of the days.'`)
  const copies = await t.look<{ key: string | null }>(
    `insert into participations select (jsonb_populate_record(p, jsonb_build_object(
        'id', gen_random_uuid(), 'tester_id', $2::text, 'ordinal', 99, 'proof_key', null))).* from participations p where id = $1
      returning proof_key as key`,
    [id, another.user.id],
  )
  expect(copies).toEqual([{ key: await keyAfter('at_risk = false') }])
  expect(copies[0]?.key).toEqual(expect.any(String))
})
