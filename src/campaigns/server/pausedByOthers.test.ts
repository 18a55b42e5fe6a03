/** A campaign that somebody else has paused says so to its owner. */
import { expect, test } from 'vitest'
import type { CampaignEvent } from '../../activity/contract.ts'
import { joinedBy, liveCampaign, type Person } from '../../testing/app.ts'
import { signedUp, testApp } from '../../testing/prologue.ts'
import type { Campaign } from '../contract.ts'

const t = testApp()
const developer = signedUp(t, 'DEVELOPER')
const admin = signedUp(t, 'ADMIN')

const toldOf = (id: string) =>
  t.look(`select user_id, kind, text from notifications where about_id = $1 and kind = 'CAMPAIGN_PAUSED_OWNER'`, [id])
const pausedBy = async (reader: Person, id: string) =>
  (await reader.call<Campaign>('GET', `/campaigns/${id}`)).body.pausedBy
const pauses = async (id: string) =>
  (await admin.call<CampaignEvent[]>('GET', `/campaigns/${id}/activity`)).body
    .filter(({ kind }) => kind === 'PAUSED')
    .map(({ by }) => by)

test('whose campaign an admin pauses is told, and reads in it who did, until it is resumed', async () => {
  const { id, title } = await liveCampaign(developer, admin)
  const tester = await t.signUp('TESTER')
  await joinedBy(tester, id)
  await admin.call('POST', `/campaigns/${id}/pause`)
  expect(await toldOf(id)).toEqual([
    {
      user_id: developer.user.id,
      kind: 'CAMPAIGN_PAUSED_OWNER',
      text: `An admin paused your campaign “${title}”. Nobody can join until you resume it. Current testers continue, and the end date does not move.`,
    },
  ])
  expect([await pausedBy(developer, id), await pausedBy(admin, id), await pausedBy(tester, id)]).toEqual([
    'ADMIN',
    'ADMIN',
    null,
  ])
  await developer.call('POST', `/campaigns/${id}/start`)
  expect(await pausedBy(developer, id)).toBeNull()
  await developer.call('POST', `/campaigns/${id}/pause`)
  expect(await pausedBy(developer, id)).toBeNull()
  expect(await pauses(id)).toEqual([null, 'ADMIN'])
  expect(await toldOf(id)).toHaveLength(1)
})

test('the activity says of a cancellation whether an admin did it', async () => {
  const cancelledBy = async (person: Person) => {
    const { id } = await liveCampaign(developer, admin)
    await person.call('POST', `/campaigns/${id}/cancel`)
    return (await developer.call<CampaignEvent[]>('GET', `/campaigns/${id}/activity`)).body.find(
      ({ kind }) => kind === 'CANCELLED',
    )?.by
  }
  expect([await cancelledBy(admin), await cancelledBy(developer)]).toEqual(['ADMIN', null])
})

test('a campaign that an admin has paused can be cancelled', async () => {
  const { id } = await liveCampaign(developer, admin)
  await admin.call('POST', `/campaigns/${id}/pause`)
  expect((await developer.call('POST', `/campaigns/${id}/cancel`)).status).toBe(200)
  expect(await pausedBy(developer, id)).toBeNull()
})

test('a restored developer reads of each campaign that it is paused since the suspension', async () => {
  const owner = await t.signUp('DEVELOPER')
  const [running, resting] = [await liveCampaign(owner, admin), await liveCampaign(owner, admin)]
  await owner.call('POST', `/campaigns/${resting.id}/pause`)
  await admin.call('POST', `/admin/users/${owner.user.id}/ban`, { reason: 'Several accounts on one device.' })
  await admin.call('POST', `/admin/users/${owner.user.id}/unban`, { reason: 'A family.' })
  const restored = await t.signIn(owner.user.email)
  expect([await pausedBy(restored, running.id), await pausedBy(restored, resting.id)]).toEqual(['SUSPENSION', null])
  expect([await pauses(running.id), await pauses(resting.id)]).toEqual([['SUSPENSION'], [null]])
})
