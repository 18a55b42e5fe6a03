/**
 * What pauses, suspensions and disputes do to a seat that is held, what its tester is told of it, and that its owner cannot close
 * it.
 */
import { randomUUID } from 'node:crypto'
import { beforeEach, describe, expect, test } from 'vitest'
import { clock, hoursAfter } from '../../kit/clock.ts'
import type { Campaign } from '../../campaigns/contract.ts'
import { brokenChecks } from '../../testing/observed.ts'
import { joinedBy, liveCampaign, type Person } from '../../testing/app.ts'
import { accept, fullOfOne, leave, own, seen, subjects, waitingFor } from '../../testing/bench.ts'
import { signedUp, testApp } from '../../testing/prologue.ts'

const t = testApp()
const owner = signedUp(t, 'DEVELOPER')
const admin = signedUp(t, 'ADMIN')

const outcomeOf = async (call: string, values: unknown[]) =>
  (await t.look<{ outcome: string }>(`select ${call} as outcome`, values))[0]?.outcome

let inside: Person
let insideId: string
let campaign: Campaign
beforeEach(async () => {
  ;({ campaign, inside, insideId } = await fullOfOne(t, owner, admin))
})
const waiting = (count: number) => waitingFor(t, campaign.id, count)

describe('a freed seat', () => {
  test('is told to its tester once an hour, however often the campaign is paused and goes on', async () => {
    const [next] = await waiting(1)
    await leave(inside, insideId)
    await t.advance(0)
    const pausedAndStarted = async () => {
      await owner.call('POST', `/campaigns/${campaign.id}/pause`)
      await owner.call('POST', `/campaigns/${campaign.id}/start`)
      await t.advance(0)
    }
    await pausedAndStarted()
    await pausedAndStarted()
    // Of pauses that were over before the job ran, too.
    expect(await subjects(next!.person)).toEqual(['A seat is yours: Full'])
    expect((await own(next!.person, next!.id)).actions).toContain('acceptSeat')
    await t.advance(1)
    await pausedAndStarted()
    expect(await subjects(next!.person)).toEqual(['A seat is yours: Full', 'A seat is yours: Full'])
  })

  test('that a pause takes back is told to its tester once, and so is the next one, an hour after the first', async () => {
    const [next] = await waiting(1)
    await leave(inside, insideId)
    await t.advance(0)
    const [yours, waits] = ['A seat is yours: Full', 'Your seat is on hold: Full']
    const turned = async (action: string) => {
      await owner.call('POST', `/campaigns/${campaign.id}/${action}`)
      await t.advance(0)
      return subjects(next!.person)
    }
    expect(await turned('pause')).toEqual([yours, waits])
    expect(await turned('start')).toEqual([yours, waits])
    expect((await own(next!.person, next!.id)).actions).toContain('acceptSeat')
    expect(await turned('pause')).toEqual([yours, waits])
    await turned('start')
    await t.advance(1)
    expect(await subjects(next!.person)).toEqual([yours, waits, yours])
    expect(await turned('pause')).toEqual([yours, waits, yours, waits])
  })

  test('of which its tester was not told yet is taken back without a word', async () => {
    const [next] = await waiting(1)
    await leave(inside, insideId)
    await owner.call('POST', `/campaigns/${campaign.id}/pause`)
    await t.advance(0)
    expect(await subjects(next!.person)).toEqual([])
  })

  test('that a suspension or a dispute takes back is told, too, with why', async () => {
    const dora = await t.signUp('DEVELOPER')
    campaign = await liveCampaign(dora, admin, { testersRequired: 1, title: 'Full' })
    insideId = (await joinedBy(inside, campaign.id)).id
    const [next] = await waiting(1)
    await leave(inside, insideId)
    await t.advance(0)
    await t.look('update campaigns set disputed_since = $2 where id = $1', [campaign.id, clock.now()])
    await t.advance(0)
    const news = async () =>
      (await next!.person.call<{ text: string }[]>('GET', '/users/me/notifications')).body[0]?.text.split(',')[0]
    expect(await news()).toBe('The campaign “Full” is not accepting new testers at the moment')
    await t.look('update campaigns set disputed_since = null where id = $1', [campaign.id])
    await t.advance(1)
    await t.look('select offer_seats($1, false, $2)', [campaign.id, clock.now()])
    await t.advance(0)
    expect(await news()).toBe('A seat in “Full” is free')
    await admin.call('POST', `/admin/users/${dora.user.id}/ban`, { reason: 'Several accounts on one device.' })
    await t.advance(0)
    expect(await news()).toBe('The campaign “Full” was paused')
  })

  test.each([
    ['a pause', () => owner.call('POST', `/campaigns/${campaign.id}/pause`)],
    ['a dispute', () => t.look('update campaigns set disputed_since = $2 where id = $1', [campaign.id, clock.now()])],
  ])('whose time was over before %s took back the others was let pass, and is told as that', async (_, withdraw) => {
    campaign = await liveCampaign(owner, admin, { testersRequired: 2, title: 'Full' })
    const seats = []
    for (const person of [inside, await t.signUp('TESTER')])
      seats.push({ person, id: (await joinedBy(person, campaign.id)).id })
    const [late, next] = await waiting(2)
    for (const { person, id } of seats) await leave(person, id)
    await t.advance(0)
    await t.look('update bench_entries set offered_at = $2, offer_ends_at = $3, told_at = $2 where id = $1', [
      late!.id,
      hoursAfter(clock.now(), -24),
      clock.now(),
    ])
    await withdraw()
    await t.advance(0)
    await t.advance(0)
    expect(await subjects(late!.person)).toEqual(['A seat is yours: Full', 'Your seat offer expired: Full'])
    expect(await subjects(next!.person)).toEqual(['A seat is yours: Full', 'Your seat is on hold: Full'])
    expect((await own(next!.person, next!.id)).bench).toMatchObject({ line: 1, offerEndsAt: null })
    expect((await own(late!.person, late!.id)).bench).toMatchObject({ line: 2, offerEndsAt: null })
    await t.look('update campaigns set disputed_since = null where id = $1', [campaign.id])
  })

  test('that somebody before them in line has after a pause is told as that', async () => {
    campaign = await liveCampaign(owner, admin, { testersRequired: 3, title: 'Full' })
    insideId = (await joinedBy(inside, campaign.id)).id
    for (const person of [await t.signUp('TESTER'), await t.signUp('TESTER')]) await joinedBy(person, campaign.id)
    const [first, passed, last] = await waiting(3)
    await t.look('update bench_entries set passes = 1 where id = $1', [passed!.id])
    await leave(inside, insideId)
    await leave(first!.person, first!.id)
    await t.advance(0)
    expect(await subjects(last!.person)).toEqual(['A seat is yours: Full'])
    await owner.call('POST', `/campaigns/${campaign.id}/pause`)
    await owner.call('POST', `/campaigns/${campaign.id}/start`)
    await t.advance(0)
    expect((await own(passed!.person, passed!.id)).actions).toContain('acceptSeat')
    const [news] = (await last!.person.call<{ subject: string; text: string }[]>('GET', '/users/me/notifications')).body
    expect(news!.subject).toBe('Somebody else has the seat: Full')
    expect(news!.text).toContain('was paused for a while, and somebody ahead of you in line has the seat now')
  })

  test('that a server of the release before has told of, after one was taken back, is told once', async () => {
    const [next] = await waiting(1)
    await leave(inside, insideId)
    await t.advance(0)
    await owner.call('POST', `/campaigns/${campaign.id}/pause`)
    await t.advance(1)
    await owner.call('POST', `/campaigns/${campaign.id}/start`)
    await t.look('update bench_entries set told = true, told_at = $2 where id = $1', [next!.id, clock.now()])
    await t.advance(2)
    expect(await subjects(next!.person)).toEqual(['A seat is yours: Full', 'Your seat is on hold: Full'])
  })

  test('is not offered while the campaign is paused, and is when it goes on', async () => {
    const [next] = await waiting(1)
    await leave(inside, insideId)
    await owner.call('POST', `/campaigns/${campaign.id}/pause`)
    expect(await own(next!.person, next!.id)).toMatchObject({
      bench: { line: 1, offerEndsAt: null, takesNobody: true, keptByLimit: false, obstacle: null },
      actions: ['leave'],
    })
    expect((await accept(next!.person, next!.id)).status).toBe(409)
    await owner.call('POST', `/campaigns/${campaign.id}/start`)
    expect((await own(next!.person, next!.id)).actions).toContain('acceptSeat')
  })

  test('cannot be closed while it is held', async () => {
    await waiting(1)
    await leave(inside, insideId)
    expect((await owner.call('POST', `/campaigns/${campaign.id}/close-seat`)).status).toBe(409)
  })

  test('can be closed while another one is held', async () => {
    campaign = await liveCampaign(owner, admin, { testersRequired: 2, title: 'Full' })
    const other = await t.signUp('TESTER')
    const tests = [await joinedBy(inside, campaign.id), await joinedBy(other, campaign.id)]
    await waiting(1)
    await leave(inside, tests[0]!.id)
    await t.advance(0)
    await leave(other, tests[1]!.id)
    const close = () => owner.call('POST', `/campaigns/${campaign.id}/close-seat`)
    expect([(await close()).status, (await close()).status]).toEqual([200, 409])
  })

  test('cannot be closed by a pause either, for 24 hours since its tester was told', async () => {
    const [next] = await waiting(1)
    await leave(inside, insideId)
    await t.advance(0)
    expect(await subjects(next!.person)).toEqual(['A seat is yours: Full'])
    await owner.call('POST', `/campaigns/${campaign.id}/pause`)
    const close = () => owner.call('POST', `/campaigns/${campaign.id}/close-seat`)
    const refused = await close()
    expect([refused.status, refused.body.message]).toEqual([409, expect.stringContaining('held for a tester')])
    expect((await seen(owner, campaign.id)).actions).not.toContain('closeSeat')
    expect(await outcomeOf('close_free_seat($1, $2, $3)', [campaign.id, randomUUID(), clock.now()])).toBe('WRONG_STATE')
    await owner.call('POST', `/campaigns/${campaign.id}/start`)
    expect((await own(next!.person, next!.id)).actions).toContain('acceptSeat')
    await owner.call('POST', `/campaigns/${campaign.id}/pause`)
    await t.advance(24)
    expect((await seen(owner, campaign.id)).actions).toContain('closeSeat')
    expect((await close()).status).toBe(200)
  })

  test('of which nobody was told yet can be closed once a pause has taken it back', async () => {
    await waiting(1)
    await leave(inside, insideId)
    await owner.call('POST', `/campaigns/${campaign.id}/pause`)
    expect((await owner.call('POST', `/campaigns/${campaign.id}/close-seat`)).status).toBe(200)
  })
})

test('the books and the counters agree', async () => expect(await brokenChecks()).toEqual([]))
