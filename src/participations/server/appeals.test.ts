/** A tester's appeal against a rejection: who may, how often, until when. */
import { describe, expect, test } from 'vitest'
import { clock } from '../../kit/clock.ts'
import { type Answer, appeal, hearing, own, reason } from '../../testing/appeals.ts'
import { password, type Reply } from '../../testing/app.ts'
import { brokenChecks, inParallel, tally } from '../../testing/observed.ts'
import { film, picture } from '../../testing/pictures.ts'
import { signedUp, testApp } from '../../testing/prologue.ts'
import { overtaken } from '../../testing/races.ts'
import { uploaded } from '../../testing/uploads.ts'
import type { CampaignTester } from '../contract.ts'
import { wakeParticipations } from './participations.ts'

const t = testApp()
const developer = signedUp(t, 'DEVELOPER')
const otherDeveloper = signedUp(t, 'DEVELOPER')
const admin = signedUp(t, 'ADMIN')
const { reject, decide, campaignOf, submitted, rejected, appealed, emailsAbout } = hearing(t, developer, admin)

describe('an appeal', () => {
  test('is made by the tester, with text and files; the developer is told and sees both, and no name', async () => {
    const { id, tester, campaignId } = await rejected('With files')
    const file = await uploaded(t, tester, await picture())
    const video = await uploaded(t, tester, film())
    const { status, body } = await appeal(tester, id, { attachmentIds: [file.id, video.id] })
    expect(status).toBe(200)
    expect(body).toMatchObject({
      status: 'APPEALED',
      appeal: { reason, outcome: null, note: null, attachments: [{ id: file.id }, { id: video.id }] },
      actions: [],
      deadlineAt: null,
    })
    const { body: seen } = await developer.call<CampaignTester[]>('GET', `/campaigns/${campaignId}/testers`)
    expect(seen[0]).toMatchObject({ status: 'APPEALED', alias: 'Tester 1', appeal: { reason } })
    expect(JSON.stringify(seen)).not.toContain(tester.user.name)
    expect((await developer.call('GET', `/attachments/${file.id}`)).status).toBe(200)
    expect((await otherDeveloper.call('GET', `/attachments/${file.id}`)).status).toBe(404)
    expect((await campaignOf(campaignId)).frozen).toEqual({ seats: 1, appealed: 1, until: null })
    expect(await emailsAbout('With files')).toContain(`${developer.user.email}: Tester 1 appealed: With files`)
  })

  test('is the tester’s own: another one’s test is not found, and a developer may not', async () => {
    const { id } = await rejected('Whose')
    expect((await appeal(await t.signUp('TESTER'), id)).status).toBe(404)
    expect((await appeal(developer, id)).status).toBe(403)
    expect((await appeal(admin, id)).status).toBe(403)
  })

  test('needs 30 characters and takes five files, each once and the tester’s own', async () => {
    const { id, tester } = await rejected('Words')
    expect((await appeal(tester, id, { reason: 'a'.repeat(29) })).status).toBe(400)
    const files = Array.from({ length: 6 }, (_, index) => `019e8a00-0000-7000-8000-00000000000${index}`)
    expect((await appeal(tester, id, { attachmentIds: files })).status).toBe(400)
    expect((await appeal(tester, id, { attachmentIds: [files[0], files[0]] })).status).toBe(400)
    expect((await appeal(tester, id, { attachmentIds: [files[0]] })).status).toBe(404)
    // Nothing is left behind of an appeal that failed.
    expect((await own(tester, id)).status).toBe('REJECTED')
  })

  test('is possible once, however often it is sent at once, and not again after the decision', async () => {
    const { id, tester } = await rejected('Once')
    expect(tally(await inParallel(6, () => appeal(tester, id)))).toEqual({ 200: 1, 409: 5 })
    await decide(id, 'UPHOLD')
    const again = await appeal(tester, id)
    expect(again).toMatchObject({ status: 409, body: { code: 'WRONG_STATE' } })
    expect(again.body.message).toContain('decision is final')
  })

  test('comes too late for an account that is being deleted: a rejection kept it from nothing', async () => {
    const { id, tester } = await rejected('Deleted')
    const [left, late] = await overtaken(
      t,
      { rows: 'select from sessions where user_id = $1', values: [tester.user.id] },
      () => tester.call('DELETE', '/users/me', { password }),
      () => appeal(tester, id),
    )
    expect([left.status, late.status]).toEqual([204, 401])
    expect(await t.look('select from appeals where participation_id = $1', [id])).toEqual([])
  })

  test('comes too late after 72 hours, also before the clock has looked', async () => {
    const { id, tester } = await rejected('Late')
    clock.setOffsetMs(clock.offsetMs() + 72 * 3_600_000)
    const late = await appeal(tester, id)
    expect(late).toMatchObject({ status: 409, body: { code: 'WRONG_STATE' } })
    expect(late.body.message).toContain('72 hours')
  })

  test('is not possible against anything but a rejection: a verified test is final', async () => {
    const { id, tester } = await submitted('Verified')
    expect((await appeal(tester, id)).status).toBe(409)
    await developer.call('POST', `/campaign-testers/${id}/verify`)
    expect((await appeal(tester, id)).status).toBe(409)
    expect((await reject(id)).status).toBe(409)
    expect((await decide(id, 'UPHOLD')).status).toBe(409)
  })

  test.each([1, 2])('and the end of its time at once have one winner (%i)', async round => {
    const { id, tester, campaignId } = await rejected(`Race ${round}`)
    // Due, and the appeal was begun a moment before.
    await t.look(`update participations set wake_at = $2::timestamptz where id = $1`, [id, clock.now()])
    const both = [() => appeal(tester, id), () => wakeParticipations.run({})]
    const [reply] = (await Promise.all((round === 1 ? both : both.toReversed()).map(act => act()))).filter(
      (one): one is Reply<Answer> => one !== undefined,
    )
    const { status, closedAt } = await own(tester, id)
    expect(reply?.status).toBe(status === 'APPEALED' ? 200 : 409)
    expect(closedAt === null).toBe(status === 'APPEALED')
    expect((await campaignOf(campaignId))._count.campaignTesters).toBe(status === 'APPEALED' ? 1 : 0)
    await t.look(
      `update participations set wake_at = reviewed_at + interval '72 hours' where id = $1 and wake_at is not null`,
      [id],
    )
  })
})

test('the tester’s data export has the appeal', async () => {
  const { tester } = await appealed('Export')
  const { body } = await tester.call<{ appeals: unknown[] }>('GET', '/users/me/export')
  expect(body.appeals).toMatchObject([{ reason, outcome: null }])
})

test('the books balance', async () => expect(await brokenChecks()).toEqual([]))
