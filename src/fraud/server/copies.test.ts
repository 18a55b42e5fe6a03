/** The same picture from several testers (product.md §6). */
import { describe, expect, test } from 'vitest'
import { device, liveCampaign, type Person, playEmailOf } from '../../testing/app.ts'
import { picture, scene } from '../../testing/pictures.ts'
import { fraudScan } from '../../testing/fraudScan.ts'
import { signedUp, testApp } from '../../testing/prologue.ts'
import { uploaded } from '../../testing/uploads.ts'

const t = testApp({}, { fresh: true })
const admin = signedUp(t, 'ADMIN')
const developer = signedUp(t, 'DEVELOPER')

type Handed = { tester: Person; attachmentId: string; participationId: string }

let testers = 0
const joined = async (campaignId: string, person?: Person) => {
  const tester = person ?? (await t.signUp('TESTER'))
  const { status, body } = await tester.call<{ id: string }>('POST', `/testers/campaigns/${campaignId}/join`, {
    deviceInfo: { ...device, fingerprint: `own-${(testers += 1)}` },
    playEmail: playEmailOf(tester),
    consent: true,
  })
  expect(status).toBe(201)
  return { tester, participationId: body.id }
}
const campaign = (terms = {}) => liveCampaign(developer, admin, { durationDays: 1, ...terms })

/** Uploads it with the check-in of a day. */
const checkedIn = async (bytes: Buffer, campaignId: string, person?: Person): Promise<Handed> => {
  const { tester, participationId } = await joined(campaignId, person)
  const { id: attachmentId } = await uploaded(t, tester, bytes)
  const path = `/testers/campaign-testers/${participationId}/check-ins`
  expect((await tester.call('POST', path, { attachmentId })).status).toBe(201)
  return { tester, attachmentId, participationId }
}

const shownInBug = async (bytes: Buffer, campaignId: string) => {
  const { tester } = await joined(campaignId)
  const { id } = await uploaded(t, tester, bytes)
  const bug = { title: 'It closes', severity: 'LOW', steps: 'Open it', actual: 'It closes', attachmentIds: [id] }
  expect((await tester.call('POST', `/campaigns/${campaignId}/bugs`, bug)).status).toBe(201)
}

const scan = () => fraudScan(t, admin)
/** The users of the reports that show this file. */
const reportedFor = async (attachmentId: string) =>
  (await scan())
    .filter(({ eventData }) => eventData.evidence.some(({ attachment }) => attachment?.id === attachmentId))
    .map(({ user }) => user.id)

describe('one file from several testers', () => {
  test('is reported on the later one, with both files for the admin to see, even within one campaign', async () => {
    const bytes = await picture({ color: '#2288aa' })
    const { id } = await campaign()
    const first = await checkedIn(bytes, id)
    const second = await checkedIn(bytes, id)
    const [report, ...more] = await scan()
    expect(more).toEqual([])
    expect([report!.user.id, report!.eventData.severity]).toEqual([second.tester.user.id, 'HIGH'])
    expect(report!.eventData).toMatchObject({
      reason: 'Same picture from several testers',
      details: '2 testers submitted the same file in 1 campaign.',
    })
    const shown = report!.eventData.evidence.map(({ attachment, user }) => [attachment?.id, user?.id])
    expect(shown).toEqual([
      [first.attachmentId, first.tester.user.id],
      [second.attachmentId, second.tester.user.id],
    ])
    await admin.call('GET', '/users/me')
    const headers = { authorization: `Bearer ${admin.accessToken}` }
    const preview = await t.app.inject({ url: `/api/v1/attachments/${second.attachmentId}/preview`, headers })
    expect(preview.statusCode).toBe(200)
    expect((await scan()).length).toBe(1)
  })

  test('is never held against the first uploader, even if a server with a slow clock received the copy', async () => {
    const bytes = await scene(1)
    await checkedIn(bytes, (await campaign()).id)
    const copy = await checkedIn(bytes, (await campaign()).id)
    await t.look(`update attachments set created_at = created_at - interval '5 seconds' where id = $1`, [
      copy.attachmentId,
    ])
    expect(await reportedFor(copy.attachmentId)).toEqual([copy.tester.user.id])
  })

  test('is never held against the first uploader who uploads it again after changes were requested', async () => {
    const bytes = await scene(2)
    const { id } = await campaign({ testersRequired: 2, dailyCheckIn: false })
    const [first, second] = [await joined(id), await joined(id)]
    await t.advance(25)
    const submit = async ({ tester, participationId }: Pick<Handed, 'tester' | 'participationId'>) => {
      const { id: attachmentId } = await uploaded(t, tester, bytes)
      const proof = { text: 'See the picture.', attachmentIds: [attachmentId] }
      const path = `/testers/campaign-testers/${participationId}/proof`
      expect((await tester.call('POST', path, { proof })).status).toBe(200)
      return attachmentId
    }
    await submit(first)
    await submit(second)
    await developer.call('POST', `/campaign-testers/${first.participationId}/request-changes`, { note: 'Say more.' })
    expect(await reportedFor(await submit(first))).toEqual([second.tester.user.id])
  })

  test('is found even if its first owner submitted it more often than a report shows', async () => {
    const bytes = await picture({ color: '#aa8822' })
    const { id } = await campaign()
    const first = await checkedIn(bytes, id)
    const copy = await checkedIn(bytes, id)
    const again = await uploaded(t, first.tester, bytes)
    await t.look(
      `insert into attachments (id, uploader_id, content_type, bytes, width, height, sha256, look_hash, created_at,
          stored_at, participation_id, kind, position)
        select gen_random_uuid(), uploader_id, content_type, bytes, width, height, sha256, look_hash, created_at,
          stored_at, $2::uuid, 'PROOF', number
        from attachments, generate_series(1, 60) number where id = $1`,
      [again.id, first.participationId],
    )
    const reported = (await scan()).filter(({ eventData }) =>
      eventData.evidence.some(({ value }) => value.includes('more')),
    )
    expect(reported.map(({ user }) => user.id)).toEqual([copy.tester.user.id])
  })

  test('counts once it is attached, even if a scan passed its upload before', async () => {
    const bytes = await picture({ color: '#11aa55' })
    const { id } = await campaign()
    await checkedIn(bytes, id)
    const late = await joined(id)
    const { id: attachmentId } = await uploaded(t, late.tester, bytes)
    await t.advance(20)
    expect((await scan()).map(({ user }) => user.id)).not.toContain(late.tester.user.id)
    const path = `/testers/campaign-testers/${late.participationId}/check-ins`
    expect((await late.tester.call('POST', path, { attachmentId })).status).toBe(201)
    expect((await scan()).map(({ user }) => user.id)).toContain(late.tester.user.id)
  })

  test('is no finding if one tester alone has it, or if it was never attached', async () => {
    const before = (await scan()).length
    const bytes = await picture({ color: '#552288' })
    const own = await checkedIn(bytes, (await campaign()).id)
    await checkedIn(bytes, (await campaign()).id, own.tester)
    await uploaded(t, await t.signUp('TESTER'), bytes)
    expect((await scan()).length).toBe(before)
  })

  test('is no finding if another tester showed it in the thread of a bug, which is not a submission', async () => {
    const before = (await scan()).length
    const bytes = await picture({ color: '#772211' })
    const { id } = await campaign()
    await checkedIn(bytes, id)
    await shownInBug(bytes, id)
    expect((await scan()).length).toBe(before)
  })
})

describe('pictures that look the same', () => {
  const looksSame = async () =>
    (await scan()).filter(({ eventData }) => eventData.details.includes('pictures that look the same'))

  test('in several campaigns are reported on the later one, if re-encoded and scaled down', async () => {
    await checkedIn(await scene(5), (await campaign()).id)
    const copy = await checkedIn(await scene(5, { width: 180, height: 320, format: 'jpeg' }), (await campaign()).id)
    const [report, ...more] = await looksSame()
    expect(more).toEqual([])
    expect([report!.user.id, report!.eventData.severity]).toEqual([copy.tester.user.id, 'LOW'])
    expect(report!.eventData.details).toBe('2 testers submitted pictures that look the same in 2 campaigns.')
  })

  test('are never held against the first uploader who uploads them again after changes were requested', async () => {
    const terms = { dailyCheckIn: false }
    const [first, second] = [await joined((await campaign(terms)).id), await joined((await campaign(terms)).id)]
    await t.advance(25)
    const submit = async ({ tester, participationId }: Pick<Handed, 'tester' | 'participationId'>, bytes: Buffer) => {
      const { id: attachmentId } = await uploaded(t, tester, bytes)
      const proof = { text: 'See the picture.', attachmentIds: [attachmentId] }
      const path = `/testers/campaign-testers/${participationId}/proof`
      expect((await tester.call('POST', path, { proof })).status).toBe(200)
      return attachmentId
    }
    await submit(first, await scene(6))
    await submit(second, await scene(6, { format: 'jpeg' }))
    await developer.call('POST', `/campaign-testers/${first.participationId}/request-changes`, { note: 'Say more.' })
    const anew = await submit(first, await scene(6, { width: 180, height: 320, format: 'jpeg' }))
    expect(await reportedFor(anew)).toEqual([second.tester.user.id])
  })

  test('are no finding of their own if they are the same file, nor in the thread of a bug', async () => {
    const before = (await looksSame()).length
    const bytes = await scene(7)
    await checkedIn(bytes, (await campaign()).id)
    const same = await checkedIn(bytes, (await campaign()).id)
    expect(await reportedFor(same.attachmentId)).toEqual([same.tester.user.id])
    expect((await looksSame()).length).toBe(before)
    const other = await scene(7, { format: 'jpeg' })
    await shownInBug(other, (await campaign()).id)
    expect((await looksSame()).length).toBe(before)
    await checkedIn(other, (await campaign()).id)
    expect((await looksSame()).length).toBe(before + 1)
  })

  test('count once one is attached, even if a scan passed its upload before', async () => {
    await checkedIn(await scene(9), (await campaign()).id)
    const late = await joined((await campaign()).id)
    const { id: attachmentId } = await uploaded(t, late.tester, await scene(9, { format: 'jpeg' }))
    await t.advance(20)
    const before = (await looksSame()).length
    const path = `/testers/campaign-testers/${late.participationId}/check-ins`
    expect((await late.tester.call('POST', path, { attachmentId })).status).toBe(201)
    expect(await looksSame()).toHaveLength(before + 1)
    expect(await reportedFor(attachmentId)).toEqual([late.tester.user.id])
  })

  test.each([
    [7, '000000000000007f', 0],
    [8, '00000000000000ff', 1],
  ])('count from the eighth bit of their look on: with %i', async (_bits, look, reports) => {
    const copies = [
      await checkedIn(await scene(6), (await campaign()).id),
      await checkedIn(await scene(7), (await campaign()).id),
    ]
    await t.look(`update attachments set look_hash = decode($1, 'hex'), first_look_seq = null where id = any($2)`, [
      look,
      copies.map(({ attachmentId }) => attachmentId),
    ])
    expect(await looksSame()).toHaveLength(reports)
  })

  test('are no finding within one campaign, in opt-ins, or if there is nothing on them', async () => {
    const before = (await looksSame()).length
    const { id } = await campaign()
    await checkedIn(await scene(9), id)
    await checkedIn(await scene(9, { format: 'jpeg' }), id)
    await checkedIn(await picture({ color: '#fefefe' }), id)
    await checkedIn(await picture({ color: '#010101' }), (await campaign()).id)
    const optedIn = async (bytes: Buffer) => {
      const { tester, participationId } = await joined((await campaign({ accessMode: 'EMAIL_LIST' })).id)
      await t.look('update participations set listed_at = joined_at where id = $1', [participationId])
      const path = `/testers/campaign-testers/${participationId}`
      await tester.call('POST', `${path}/open-link`)
      const { id: attachmentId } = await uploaded(t, tester, bytes)
      expect((await tester.call('POST', `${path}/opt-in`, { attachmentId })).status).toBe(200)
    }
    await optedIn(await scene(13))
    await optedIn(await scene(13, { format: 'jpeg' }))
    expect((await looksSame()).length).toBe(before)
  })
})
