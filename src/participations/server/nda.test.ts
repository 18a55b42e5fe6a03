/** The NDA of a test: nothing of the app before it is accepted, and nothing lost by a changed one. */
import { afterAll, describe, expect, test } from 'vitest'
import { hoursBetween } from '../../kit/clock.ts'
import type { Campaign } from '../../campaigns/contract.ts'
import type { Nda } from '../../nda/contract.ts'
import type { TesterList } from '../../testerLists/contract.ts'
import { daysAndProof, device, joinedBy, liveCampaign, playEmailOf } from '../../testing/app.ts'
import { brokenChecks, inParallel, tally } from '../../testing/observed.ts'
import { signedUp, testApp } from '../../testing/prologue.ts'
import { ndaTests } from '../../testing/ndas.ts'
import { overtaken } from '../../testing/races.ts'
import type { CampaignTester } from '../contract.ts'

const t = testApp()
const developer = signedUp(t, 'DEVELOPER')
const admin = signedUp(t, 'ADMIN')
afterAll(async () => {
  expect(await brokenChecks()).toEqual([])
})

const link = 'https://play.google.com/apps/testing/com.example.notes'
const { setNda, accept, on, mine, balanceOf, campaignOf, subjectsOf, withNda, inside, terms } = ndaTests(
  t,
  developer,
  admin,
)

describe('before it is accepted', () => {
  test('no answer carries the link, and no step of the test is possible', async () => {
    const { id } = await withNda()
    const tester = await t.signUp('TESTER')
    const joined = await joinedBy(tester, id)
    expect(joined).toMatchObject({ nextStep: 'ACCEPT_NDA', nda: { version: 1, accepted: null, refusalPayCents: null } })
    expect(joined.actions).toContain('acceptNda')
    expect(joined.actions).not.toContain('checkIn')
    const answers = [
      joined,
      await mine(tester, joined.id),
      (await tester.call('GET', '/testers/my-campaigns')).body,
      (await tester.call('GET', `/campaigns/${id}`)).body,
      (await tester.call('GET', '/campaigns')).body,
      (await tester.call('GET', '/campaigns/available')).body,
      (await tester.call('GET', `/testers/campaigns/${id}/join-form`)).body,
      (await tester.call('GET', `/campaigns/${id}/nda`)).body,
      (await tester.call('GET', '/users/me/export')).body,
    ]
    expect(JSON.stringify(answers.filter(answer => JSON.stringify(answer).includes(id)))).not.toContain(link)
    const opened = await on(tester, joined.id, 'open-link')
    expect(opened).toMatchObject({ status: 409, body: { code: 'WRONG_STATE' } })
    expect(JSON.stringify(opened.body)).not.toContain(link)
    expect((await on(tester, joined.id, 'check-ins', {})).body.message).toContain('Accept the NDA')
    expect((await on(tester, joined.id, 'proof', { proof: 'I did it.' })).body.message).toContain('Accept the NDA')

    expect(joined.begunAt).toBeNull()
    const accepted = await accept(tester, id)
    expect(accepted.body.begunAt! > joined.joinedAt).toBe(true)
    expect(accepted.body).toMatchObject({ nda: { version: 1, accepted: 1 }, campaign: { distributionLink: link } })
    expect((await tester.call<Campaign>('GET', `/campaigns/${id}`)).body.distributionLink).toBe(link)
    expect((await on(tester, joined.id, 'open-link')).status).toBe(200)
    expect((await on(tester, joined.id, 'check-ins', {})).status).toBe(201)
  })

  test('the group stays hidden, on the bench too, and the developer sees link and group all the time', async () => {
    const groupLink = 'https://groups.google.com/g/notes-testers'
    const { id } = await withNda({ accessMode: 'GOOGLE_GROUP', groupLink, testersRequired: 1 })
    const [first, second] = [await t.signUp('TESTER'), await t.signUp('TESTER')]
    const joined = await joinedBy(first, id)
    const { body: waiting } = await second.call<CampaignTester>('POST', `/testers/campaigns/${id}/join`, {
      deviceInfo: device,
      playEmail: playEmailOf(second),
      consent: true,
      waitlist: true,
    })
    expect(waiting.status).toBe('WAITLISTED')
    const hidden = [joined, waiting, await mine(second, waiting.id), (await first.call('GET', `/campaigns/${id}`)).body]
    expect(JSON.stringify(hidden)).not.toContain(groupLink)
    expect((await accept(first, id)).body.campaign.groupLink).toBe(groupLink)
    expect(await campaignOf(id)).toMatchObject({ groupLink, distributionLink: link, ndaVersion: 1 })
    expect((await accept(second, id)).status).toBe(409)
  })

  test('the Play address is not exported; afterwards it is, and the wait for the list begins', async () => {
    const { id } = await withNda({ accessMode: 'EMAIL_LIST' })
    const tester = await t.signUp('TESTER')
    const seat = await joinedBy(tester, id)
    const list = async () => (await developer.call<TesterList>('GET', `/campaigns/${id}/tester-list`)).body
    const exported = async () => {
      const { accessToken } = await t.signIn(developer.user.email)
      const reply = await t.app.inject({
        method: 'POST',
        url: `/api/v1/campaigns/${id}/tester-list/export?form=play`,
        headers: { authorization: `Bearer ${accessToken}` },
      })
      return reply.payload
    }
    expect(await list()).toMatchObject({ additions: [], testers: 0, ndaAwaited: 1 })
    expect(await exported()).not.toContain(playEmailOf(tester))
    expect((await on(tester, seat.id, 'opt-in', {})).status).toBe(409)
    await t.advance(24)
    const { body } = await accept(tester, id)
    expect(body).toMatchObject({ nextStep: 'WAIT_FOR_LIST', funnel: { step: 'JOINED' } })
    expect(body.waiting!.since > seat.joinedAt).toBe(true)
    expect((await list()).additions).toHaveLength(1)
    expect(await exported()).toContain(playEmailOf(tester))
    // A week since accepting, not since joining.
    await t.advance(6 * 24)
    expect((await on(tester, seat.id, 'leave')).body).toMatchObject({ status: 'DROPPED', payoutAmountCents: 0 })
  })

  test('no days run: no date for the proof, no later end of the campaign, from the bench neither, and no check-in is expected', async () => {
    const owner = await t.signUp('DEVELOPER')
    const { id, endDate } = await liveCampaign(owner, admin, { ...terms, testersRequired: 1 })
    expect((await owner.call('PUT', `/campaigns/${id}/nda`, { text: 'Tell nobody about it.' })).status).toBe(200)
    const [first, second] = [await t.signUp('TESTER'), await t.signUp('TESTER')]
    await t.advance(24)
    const joined = await joinedBy(first, id)
    const waitlisted = { deviceInfo: device, waitlist: true }
    const { body: entry } = await second.call<CampaignTester>('POST', `/testers/campaigns/${id}/join`, waitlisted)
    await t.advance(50)
    expect((await on(first, joined.id, 'leave')).body).toMatchObject({ status: 'DROPPED', proofAllowedAt: null })
    const { body: promoted } = await on(second, entry.id, 'accept-seat')
    await t.advance(50)
    for (const seat of [joined, promoted])
      expect(seat).toMatchObject({ status: 'ACTIVE', begunAt: null, proofAllowedAt: null })
    expect((await owner.call<Campaign>('GET', `/campaigns/${id}`)).body.endDate).toBe(endDate)
    const { body: analytics } = await owner.call('GET', '/dashboard/developer/analytics')
    expect(analytics).toMatchObject({ checkIns: null })

    const { body: begun } = await accept(second, id)
    expect(hoursBetween(begun.begunAt!, begun.proofAllowedAt!)).toBe(14 * 24)
    expect((await owner.call<Campaign>('GET', `/campaigns/${id}`)).body.endDate).toBe(begun.proofAllowedAt)
  })

  test.each([{}, { dailyCheckIn: false }, { accessMode: 'EMAIL_LIST' }])(
    'the tester is warned after 48 hours and loses the seat after 72: %j',
    async more => {
      const { id, title } = await withNda({ ...more, title: `Late ${JSON.stringify(more)}` })
      const tester = await t.signUp('TESTER')
      const seat = (await joinedBy(tester, id)).id
      await t.advance(48)
      expect(await mine(tester, seat)).toMatchObject({ status: 'ACTIVE', atRisk: true })
      expect(await subjectsOf(tester)).toContain(`Accept the NDA: ${title}`)
      expect(await subjectsOf(developer)).toContain(`Tester 1 may drop out of ${title}`)
      await t.advance(24)
      expect(await mine(tester, seat)).toMatchObject({ status: 'DROPPED', dropReason: 'NDA_NOT_ACCEPTED' })
      expect((await campaignOf(id))._count.campaignTesters).toBe(0)
    },
  )

  test('nothing is paid when the campaign is cancelled, where no check-in is asked for either', async () => {
    const { id } = await withNda({ dailyCheckIn: false })
    const tester = await t.signUp('TESTER')
    const seat = (await joinedBy(tester, id)).id
    await t.advance(50)
    await developer.call('POST', `/campaigns/${id}/cancel`)
    expect(await mine(tester, seat)).toMatchObject({ status: 'CANCELLED', payoutAmountCents: 0 })
  })
})

describe('accepting', () => {
  test('begins the days of the test, and says who, which version, when and from where to the tester', async () => {
    const { id } = await withNda({ dailyCheckIn: false, durationDays: 7, payPerTesterCents: 700 })
    const tester = await t.signUp('TESTER')
    const seat = await joinedBy(tester, id)
    await t.advance(40)
    const { body } = await accept(tester, id, 1, '  Tess   Tester ')
    expect(body).toMatchObject({ atRisk: false, status: 'ACTIVE' })
    expect(Math.floor(hoursBetween(seat.joinedAt, body.proofAllowedAt!))).toBe(40 + 7 * 24)
    const { accepted } = (await tester.call<Nda>('GET', `/campaigns/${id}/nda`)).body
    expect(accepted).toMatchObject({ version: 1, text: 'Tell nobody about it.', name: 'Tess Tester', ip: '127.0.0.1' })
    await t.advance(50)
    await developer.call('POST', `/campaigns/${id}/cancel`)
    expect((await mine(tester, seat.id)).payoutAmountCents).toBe(200)
  })

  test('late, it leaves all the hours for a first check-in', async () => {
    const { id } = await withNda()
    const tester = await t.signUp('TESTER')
    const seat = (await joinedBy(tester, id)).id
    await t.advance(70)
    expect((await mine(tester, seat)).atRisk).toBe(true)
    expect((await accept(tester, id)).body.atRisk).toBe(false)
    await t.advance(71)
    expect(await mine(tester, seat)).toMatchObject({ status: 'ACTIVE', atRisk: true })
    await t.advance(1)
    expect(await mine(tester, seat)).toMatchObject({ status: 'DROPPED', dropReason: 'NO_CHECK_IN' })
  })

  test('an older version is 409 with a sentence, and the same one again changes nothing', async () => {
    const { id, tester, seat } = await inside(0)
    const recorded = () => t.look('select from nda_acceptances where participation_id = $1', [seat])
    expect((await accept(tester, id)).status).toBe(200)
    expect(await recorded()).toHaveLength(1)
    await setNda(id, 'Tell really nobody.')
    const stale = await accept(tester, id)
    expect(stale).toMatchObject({ status: 409, body: { code: 'WRONG_STATE' } })
    expect(stale.body.message).toContain('Read the new version')
    expect((await accept(tester, id, 3)).status).toBe(409)
    expect(tally(await inParallel(4, () => accept(tester, id, 2)))).toEqual({ 200: 4 })
    expect(await recorded()).toHaveLength(2)
  })

  test('is for who is in the test, with a name, and where an NDA is asked for', async () => {
    const { id } = await withNda()
    const stranger = await t.signUp('TESTER')
    expect((await accept(stranger, id)).body.message).toContain('Join this campaign first')
    const { id: seat } = await joinedBy(stranger, id)
    expect(await accept(stranger, id, 1, ' x ')).toMatchObject({ status: 400, body: { fields: { name: /full name/ } } })
    await on(stranger, seat, 'leave')
    expect((await accept(stranger, id)).status).toBe(409)
    const { id: without } = await liveCampaign(developer, admin, terms)
    await joinedBy(stranger, without)
    expect((await accept(stranger, without)).body.message).toContain('does not require an NDA')
  })

  test('loses against a version that comes in the same moment', async () => {
    const { id } = await withNda()
    const tester = await t.signUp('TESTER')
    const { id: seat } = await joinedBy(tester, id)
    const row = { rows: 'select from campaigns where id = $1', values: [id] }
    const [set, accepted] = await overtaken(
      t,
      row,
      () => setNda(id, 'Another text.'),
      () => accept(tester, id),
    )
    expect([set.status, accepted.status]).toEqual([200, 409])
    expect((await mine(tester, seat)).nda).toMatchObject({ version: 2, accepted: null })
  })
})

test('accepting while the campaign is paused moves its end as well', async () => {
  const { id } = await withNda()
  const tester = await t.signUp('TESTER')
  await joinedBy(tester, id)
  await developer.call('POST', `/campaigns/${id}/pause`)
  await t.advance(24)
  const { proofAllowedAt } = (await accept(tester, id)).body
  expect(proofAllowedAt).not.toBeNull()
  expect((await campaignOf(id)).endDate).toBe(proofAllowedAt)
})

describe('a changed NDA', () => {
  test('asks again, and stops neither link, days, proof nor pay', async () => {
    const { id, title, tester, seat } = await inside(1, { durationDays: 2, payPerTesterCents: 200, title: 'Changing' })
    await setNda(id, 'Tell really nobody.')
    expect(await subjectsOf(tester)).toContain(`The NDA has changed: ${title}`)
    const asked = await mine(tester, seat)
    expect(asked).toMatchObject({ nda: { version: 2, accepted: 1, refusalPayCents: 100 }, nextStep: 'CHECK_IN' })
    expect(asked.campaign.distributionLink).toBe(link)
    expect(asked.actions).toEqual(expect.arrayContaining(['acceptNda', 'refuseNda', 'checkIn']))
    expect((await on(tester, seat, 'open-link')).status).toBe(200)
    await daysAndProof(t, [{ person: tester, participationId: seat }], 1)
    expect((await developer.call('POST', `/campaign-testers/${seat}/verify`)).status).toBe(200)
    expect(await balanceOf(tester)).toBe(200)
    expect((await mine(tester, seat)).campaign.distributionLink).toBe(link)
  })

  test('is asked of whoever waits for the review of a proof, too', async () => {
    const { id, title, tester, seat } = await inside(0, { durationDays: 1, payPerTesterCents: 100, title: 'In review' })
    await daysAndProof(t, [{ person: tester, participationId: seat }], 1)
    expect((await mine(tester, seat)).status).toBe('SUBMITTED')
    await setNda(id, 'Tell really nobody.')
    expect(await subjectsOf(tester)).toContain(`The NDA has changed: ${title}`)
  })

  test('that is the first one, with testers inside: their days go on, link and list wait', async () => {
    const { id, title } = await liveCampaign(developer, admin, { ...terms, accessMode: 'EMAIL_LIST', title: 'Later' })
    const [listed, waiting] = [await t.signUp('TESTER'), await t.signUp('TESTER')]
    const row = await joinedBy(listed, id)
    await on(listed, row.id, 'opt-in', {})
    const { id: waits } = await joinedBy(waiting, id)
    await setNda(id, 'Tell nobody.')
    expect(await subjectsOf(listed)).toContain(`Accept an NDA: ${title}`)
    expect((await mine(listed, row.id)).campaign.distributionLink).toBeNull()
    expect((await on(listed, row.id, 'check-ins', {})).status).toBe(201)
    const list = (await developer.call<TesterList>('GET', `/campaigns/${id}/tester-list`)).body
    expect(list.additions).toEqual([])
    expect(await mine(waiting, waits)).toMatchObject({ nextStep: 'ACCEPT_NDA', waiting: { payCents: 100 } })
    await t.advance(72)
    expect((await mine(waiting, waits)).status).toBe('ACTIVE')
    await accept(waiting, id)
    expect(await mine(waiting, waits)).toMatchObject({ nextStep: 'WAIT_FOR_LIST', waiting: { payCents: 100 } })
  })

  test.each([6, 8])(
    'asked of somebody who waits for the list, their developer is told of them once they have accepted, on day %i',
    async days => {
      const { id, title } = await liveCampaign(developer, admin, {
        ...terms,
        accessMode: 'EMAIL_LIST',
        title: `Asked later, ${days}`,
      })
      const [waiting, letIn] = [await t.signUp('TESTER'), await t.signUp('TESTER')]
      await joinedBy(waiting, id)
      const { id: seat } = await joinedBy(letIn, id)
      await setNda(id, 'Tell nobody.')
      const told = async () =>
        (await subjectsOf(developer)).filter(
          subject => subject.startsWith('Testers are waiting') && subject.endsWith(title),
        )
      await t.advance(days * 24)
      // The developer let this one in otherwise, so nobody waits for the list.
      expect((await on(letIn, seat, 'opt-in', {})).status).toBe(200)
      await accept(letIn, id)
      await t.advance(0)
      expect(await told()).toEqual([])
      await accept(waiting, id)
      await t.advance(0)
      expect(await told()).toHaveLength(1)
    },
  )

  test('is asked of nobody verified once the campaign has ended, and holds their link back no longer', async () => {
    const { id } = await liveCampaign(developer, admin, { ...terms, durationDays: 1, testersRequired: 1 })
    const tester = await t.signUp('TESTER')
    const seat = (await joinedBy(tester, id)).id
    await daysAndProof(t, [{ person: tester, participationId: seat }], 1)
    await setNda(id, 'Tell nobody.')
    const linkIn = async () => [
      (await mine(tester, seat)).campaign.distributionLink,
      (await tester.call<Campaign>('GET', `/campaigns/${id}`)).body.distributionLink,
      (await on(tester, seat, 'open-link')).status,
    ]
    expect([(await mine(tester, seat)).status, await linkIn()]).toEqual(['SUBMITTED', [null, null, 409]])
    expect((await developer.call('POST', `/campaign-testers/${seat}/verify`)).status).toBe(200)
    // While it runs, it is asked of whoever is verified, too.
    expect([(await campaignOf(id)).status, await linkIn()]).toEqual(['LIVE', [null, null, 409]])
    expect((await mine(tester, seat)).actions).toContain('acceptNda')
    await t.advance(24)
    expect((await campaignOf(id)).status).toBe('COMPLETED')
    expect(await linkIn()).toEqual([link, link, 200])
    expect((await mine(tester, seat)).actions).not.toContain('acceptNda')
    expect(await accept(tester, id)).toMatchObject({ status: 409, body: { code: 'WRONG_STATE' } })
  })

  test('taken back lets in who waited for it', async () => {
    const { id } = await withNda()
    const tester = await t.signUp('TESTER')
    const seat = (await joinedBy(tester, id)).id
    expect((await developer.call('DELETE', `/campaigns/${id}/nda`)).status).toBe(200)
    expect(await mine(tester, seat)).toMatchObject({
      nda: null,
      nextStep: 'CHECK_IN',
      campaign: { distributionLink: link },
    })
    await setNda(id, 'Tell nobody about it.')
    expect((await mine(tester, seat)).nda).toEqual({ version: 2, accepted: null, refusalPayCents: 0 })
  })

  test('taken back, it begins nothing for whoever has left before, and moves no end of the campaign for them', async () => {
    const { id, endDate } = await withNda()
    const tester = await t.signUp('TESTER')
    const seat = (await joinedBy(tester, id)).id
    expect((await on(tester, seat, 'leave')).body).toMatchObject({ status: 'DROPPED', begunAt: null })
    await t.advance(24)
    expect((await developer.call('DELETE', `/campaigns/${id}/nda`)).status).toBe(200)
    expect(await mine(tester, seat)).toMatchObject({ begunAt: null, proofAllowedAt: null })
    expect((await campaignOf(id)).endDate).toBe(endDate)
  })

  test('taken back, it leaves whoever waited for it all the hours for a first check-in', async () => {
    const { id } = await withNda()
    const tester = await t.signUp('TESTER')
    const seat = (await joinedBy(tester, id)).id
    await t.advance(70)
    expect((await mine(tester, seat)).atRisk).toBe(true)
    expect((await developer.call('DELETE', `/campaigns/${id}/nda`)).status).toBe(200)
    expect((await mine(tester, seat)).atRisk).toBe(false)
    await t.advance(71)
    expect((await mine(tester, seat)).status).toBe('ACTIVE')
    await t.advance(1)
    expect((await mine(tester, seat)).status).toBe('DROPPED')
  })

  test('taken back, the test begins then: its proof is due after all its days, and those before are not paid', async () => {
    const { id } = await withNda({ dailyCheckIn: false })
    const tester = await t.signUp('TESTER')
    const seat = (await joinedBy(tester, id)).id
    await t.advance(48)
    await developer.call('DELETE', `/campaigns/${id}/nda`)
    const { begunAt, joinedAt, proofAllowedAt } = await mine(tester, seat)
    expect(hoursBetween(joinedAt, begunAt!)).toBeGreaterThanOrEqual(48)
    expect(hoursBetween(begunAt!, proofAllowedAt!)).toBe(14 * 24)
    expect((await campaignOf(id)).endDate).toBe(proofAllowedAt)
    await t.advance(24)
    expect((await developer.call('POST', `/campaigns/${id}/cancel`, { reason: 'No longer needed.' })).status).toBe(200)
    expect(await balanceOf(tester)).toBe(100)
  })

  test('taken back, its developer is told who waits for the list, also where only the tester was left to be told', async () => {
    const { id, title } = await liveCampaign(developer, admin, {
      ...terms,
      accessMode: 'EMAIL_LIST',
      title: 'Open again',
    })
    const tester = await t.signUp('TESTER')
    await joinedBy(tester, id)
    await setNda(id, 'Tell nobody.')
    await t.advance(8 * 24)
    const subjects = [`Testers are waiting to get in: ${title}`, `Still waiting to get in: ${title}`]
    const told = async (person = developer) => (await subjectsOf(person)).filter(each => subjects.includes(each))
    expect(await told()).toEqual([])
    await developer.call('DELETE', `/campaigns/${id}/nda`)
    await t.advance(0)
    expect(await told()).toHaveLength(1)
    await t.advance(24)
    expect(await told()).toHaveLength(1)
    expect(await told(tester)).toEqual([subjects[1]])
  })

  test('taken back, its developer hears at once of whoever was inside before it, and should have been named meanwhile', async () => {
    const { id, title } = await liveCampaign(developer, admin, {
      ...terms,
      accessMode: 'EMAIL_LIST',
      title: 'Named late',
    })
    await joinedBy(await t.signUp('TESTER'), id)
    await setNda(id, 'Tell nobody.')
    const told = async () => (await subjectsOf(developer)).includes(`Testers are waiting to get in: ${title}`)
    await t.advance(72)
    expect(await told()).toBe(false)
    await developer.call('DELETE', `/campaigns/${id}/nda`)
    await t.advance(0)
    expect(await told()).toBe(true)
  })

  test('taken back, its developer hears of the wait for the list in time, although an NDA is warned of later', async () => {
    const { id, title } = await withNda({ accessMode: 'EMAIL_LIST', title: 'Warned of late' })
    await t.look('update campaigns set at_risk_hours = 100, drop_hours = 200 where id = $1', [id])
    await joinedBy(await t.signUp('TESTER'), id)
    await t.advance(1)
    await developer.call('DELETE', `/campaigns/${id}/nda`)
    const told = async () => (await subjectsOf(developer)).includes(`Testers are waiting to get in: ${title}`)
    await t.advance(0)
    expect(await told()).toBe(false)
    await t.advance(48)
    expect(await told()).toBe(true)
  })

  test('whoever has not accepted it did not wait for the tester list, and is paid nothing for that', async () => {
    const { id } = await withNda({ accessMode: 'EMAIL_LIST' })
    await t.look('update campaigns set at_risk_hours = 300, drop_hours = 400 where id = $1', [id])
    const tester = await t.signUp('TESTER')
    const seat = await joinedBy(tester, id)
    await t.advance(8 * 24)
    expect((await developer.call('POST', `/campaigns/${id}/cancel`, { reason: 'No longer needed.' })).status).toBe(200)
    expect(await mine(tester, seat.id)).toMatchObject({ status: 'CANCELLED', payoutAmountCents: 0 })
    expect(await balanceOf(tester)).toBe(0)
  })

  test('taken back, the wait for the tester list begins then', async () => {
    const { id } = await withNda({ accessMode: 'EMAIL_LIST' })
    const tester = await t.signUp('TESTER')
    const seat = await joinedBy(tester, id)
    await t.advance(70)
    await developer.call('DELETE', `/campaigns/${id}/nda`)
    await t.advance(7 * 24 - 1)
    expect((await mine(tester, seat.id)).waiting).toMatchObject({ payCents: 100 })
    expect((await mine(tester, seat.id)).actions).toContain('leave')
    expect((await developer.call('POST', `/campaigns/${id}/cancel`, { reason: 'No longer needed.' })).status).toBe(200)
    expect(await balanceOf(tester)).toBe(0)
  })
})
