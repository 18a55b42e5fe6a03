import { describe, expect, test } from 'vitest'
import { clock } from '../../kit/clock.ts'
import { daysAndProof, joinedBy, liveCampaign, type Person, proof } from '../../testing/app.ts'
import { signedUp, testApp } from '../../testing/prologue.ts'
import { brokenChecks, emailsOf } from '../../testing/observed.ts'
import { overtaken } from '../../testing/races.ts'
import type { Campaign } from '../../campaigns/contract.ts'
import type { Balance } from '../../ledger/contract.ts'
import type { Notification } from '../../notifications/contract.ts'
import type { CampaignTester } from '../contract.ts'
import { wakeParticipations } from './participations.ts'

const t = testApp()
const developer = signedUp(t, 'DEVELOPER')
const admin = signedUp(t, 'ADMIN')

const mine = async (tester: Person) => (await tester.call<CampaignTester[]>('GET', '/testers/my-campaigns')).body[0]!
const campaignOf = async (id: string) => (await developer.call<Campaign>('GET', `/campaigns/${id}`)).body
const seat = async (terms: Record<string, unknown>) => {
  const campaign = await liveCampaign(developer, admin, terms)
  const tester = await t.signUp('TESTER')
  return { campaign, tester, id: (await joinedBy(tester, campaign.id)).id }
}
const emailsAbout = async (title: string) =>
  (await emailsOf(t)).filter(email => email.includes(title) && !email.includes('Approved'))

describe('a tester who goes silent', () => {
  test('is at risk at 48 hours, loses the seat at 72, and both are told once', async () => {
    const { campaign, tester } = await seat({ title: 'Silent', testersRequired: 1 })
    await t.advance(47)
    expect(await mine(tester)).toMatchObject({ status: 'ACTIVE', atRisk: false })
    await t.advance(1)
    expect(await mine(tester)).toMatchObject({ status: 'ACTIVE', atRisk: true })
    await t.advance(23)
    expect(await mine(tester)).toMatchObject({ status: 'ACTIVE', atRisk: true })
    expect(await emailsAbout('Silent')).toEqual([
      `${developer.user.email}: Tester 1 may drop out of Silent`,
      `${tester.user.email}: Check in today: Silent`,
    ])
    await t.advance(1)
    expect(await mine(tester)).toMatchObject({
      status: 'DROPPED',
      dropReason: 'NO_CHECK_IN',
      payoutAmountCents: 0,
      atRisk: false,
      actions: [],
    })
    await t.advance(24)
    expect(await emailsAbout('Silent')).toEqual([
      `${developer.user.email}: A seat is open again: Silent`,
      `${developer.user.email}: Tester 1 may drop out of Silent`,
      `${tester.user.email}: Check in today: Silent`,
      `${tester.user.email}: You lost your seat: Silent`,
    ])
    expect((await campaignOf(campaign.id))._count.campaignTesters).toBe(0)
    expect((await joinedBy(await t.signUp('TESTER'), campaign.id)).alias).toBe('Tester 2')
  })

  test('frees no seat of a cancelled campaign, nor does who leaves it: the owner reads that its money goes back', async () => {
    const { campaign, ...first } = await seat({ title: 'Called off', testersRequired: 2, durationDays: 1 })
    const second = { tester: await t.signUp('TESTER'), id: '' }
    second.id = (await joinedBy(second.tester, campaign.id)).id
    const testers = [first, second].map(({ tester: person, id: participationId }) => ({ person, participationId }))
    await daysAndProof(t, testers, 1)
    for (const { participationId } of testers) {
      const note = 'Say more about the search please.'
      await developer.call('POST', `/campaign-testers/${participationId}/request-changes`, { note })
    }
    await developer.call('POST', `/campaigns/${campaign.id}/cancel`)
    expect((await second.tester.call('POST', `/testers/campaign-testers/${second.id}/leave`)).status).toBe(200)
    await t.advance(73)
    expect(await mine(first.tester)).toMatchObject({ status: 'DROPPED' })
    const told = (await developer.call<Notification[]>('GET', '/users/me/notifications?limit=100')).body
      .filter(({ subject }) => subject.endsWith('Called off') && subject.startsWith('Tester'))
      .toReversed()
    expect(told.map(({ subject }) => subject)).toEqual([
      'Tester 2 is no longer testing: Called off',
      'Tester 1 is no longer testing: Called off',
    ])
    for (const { text } of told) expect(text).toContain('The pay and the fee of the seat are refunded to you.')
  })

  test.each([
    ['paused', 'A seat is open again', 'nobody can take it while the campaign is paused'],
    ['over', 'Tester 1 is no longer testing', 'past its end date, and completes as soon as nobody is testing anymore'],
  ])('leaves a seat that the owner reads about as it is, in a campaign that is %s', async (how, head, sentence) => {
    const title = `Left when ${how}`
    const { campaign, id } = await seat({ title, testersRequired: 1, durationDays: how === 'over' ? 1 : 14 })
    if (how === 'paused') await developer.call('POST', `/campaigns/${campaign.id}/pause`)
    await t.advance(72)
    const told = await t.look<{ subject: string; text: string }>(
      `select subject, text from notifications where about_test_id = $1 and kind = 'TESTER_DROPPED_OWNER'`,
      [id],
    )
    expect(told).toEqual([{ subject: `${head}: ${title}`, text: expect.stringContaining(sentence) }])
  })

  test('leaves a seat that others can still take after the end date, as the owner reads, while somebody is testing', async () => {
    const title = 'Left past the end'
    const { campaign, id } = await seat({ title, testersRequired: 2, durationDays: 1 })
    const other = await t.signUp('TESTER')
    await daysAndProof(t, [{ person: other, participationId: (await joinedBy(other, campaign.id)).id }], 1)
    await t.advance(48)
    const told = await t.look<{ subject: string; text: string }>(
      `select subject, text from notifications where about_test_id = $1 and kind = 'TESTER_DROPPED_OWNER'`,
      [id],
    )
    expect(told).toEqual([
      {
        subject: `Tester 1 is no longer testing: ${title}`,
        text: expect.stringContaining('as nobody is testing anymore. Until then another tester can take the seat.'),
      },
    ])
    expect((await joinedBy(await t.signUp('TESTER'), campaign.id)).id).toBeTruthy()
  })

  test('after the days are over can keep the seat with the proof, too, and both are told so', async () => {
    const { tester, id } = await seat({ title: 'Over and silent', testersRequired: 1, durationDays: 1 })
    await t.advance(48)
    const told = await t.look<{ subject: string; text: string }>(
      `select subject, text from notifications where kind in ('TESTER_AT_RISK', 'TESTER_AT_RISK_OWNER')
        and (about_test_id = $1 or user_id = $2) order by kind`,
      [id, tester.user.id],
    )
    expect(told).toEqual([
      {
        subject: 'You may lose your seat: Over and silent',
        text: expect.stringContaining('submit your proof, or check in, before'),
      },
      { subject: expect.any(String), text: expect.stringContaining('If they neither check in nor submit their proof') },
    ])
  })

  test('is safe again after a check-in, for the next 48 hours', async () => {
    const { tester, id } = await seat({ title: 'Saved' })
    await t.advance(60)
    expect((await mine(tester)).atRisk).toBe(true)
    expect((await tester.call('POST', `/testers/campaign-testers/${id}/check-ins`, {})).status).toBe(201)
    await t.advance(47)
    expect(await mine(tester)).toMatchObject({ status: 'ACTIVE', atRisk: false })
    await t.advance(1)
    expect(await mine(tester)).toMatchObject({ status: 'ACTIVE', atRisk: true })
  })

  test('keeps the seat where no daily check-in is asked for, until the proof is 72 hours late', async () => {
    const { tester } = await seat({ title: 'Relaxed', dailyCheckIn: false, durationDays: 10 })
    await t.advance(10 * 24 + 47)
    expect(await mine(tester)).toMatchObject({ status: 'ACTIVE', atRisk: false })
    await t.advance(24)
    expect(await mine(tester)).toMatchObject({ status: 'ACTIVE', atRisk: true })
    await t.advance(1)
    expect(await mine(tester)).toMatchObject({ status: 'DROPPED', dropReason: 'NO_PROOF' })
    expect(await emailsAbout('Relaxed')).toEqual([
      `${developer.user.email}: Completed: Relaxed`,
      `${developer.user.email}: Tester 1 is no longer testing: Relaxed`,
      `${developer.user.email}: Tester 1 may drop out of Relaxed`,
      `${tester.user.email}: Submit your proof: Relaxed`,
      `${tester.user.email}: You lost your seat: Relaxed`,
    ])
  })
})

test('a test that was woken for nothing is looked at again only when something is due', async () => {
  const { id } = await seat({ title: 'Woken early' })
  const wakes = () => t.look('select wake_at from participations where id = $1', [id])
  const due = await wakes()
  await t.look('update participations set wake_at = $2 where id = $1', [id, clock.now()])
  await t.advance(0)
  expect(await wakes()).toEqual(due)
})

describe('a tester who is faithful but late with the proof', () => {
  const checkIn = async (tester: Person, id: string) =>
    expect((await tester.call('POST', `/testers/campaign-testers/${id}/check-ins`, {})).status).toBe(201)

  test('is warned 24 hours before the seat is lost, once, whatever they check in, and told why it was lost', async () => {
    const { tester, id } = await seat({ title: 'Faithful', durationDays: 1 })
    for (let day = 0; day < 2; day++) {
      await checkIn(tester, id)
      await t.advance(24)
    }
    await checkIn(tester, id)
    await t.advance(23)
    expect(await mine(tester)).toMatchObject({ status: 'ACTIVE', atRisk: false })
    expect(await emailsAbout('Faithful')).toEqual([])
    await t.advance(1)
    const warned = [
      `${developer.user.email}: Tester 1 may drop out of Faithful`,
      `${tester.user.email}: Submit your proof: Faithful`,
    ]
    expect(await emailsAbout('Faithful')).toEqual(warned)
    await checkIn(tester, id)
    await t.advance(23)
    expect(await mine(tester)).toMatchObject({ status: 'ACTIVE', atRisk: true })
    expect(await emailsAbout('Faithful')).toEqual(warned)
    await t.advance(1)
    expect(await mine(tester)).toMatchObject({ status: 'DROPPED', dropReason: 'NO_PROOF', atRisk: false })
    const [lost, warning] = (await tester.call<Notification[]>('GET', '/users/me/notifications')).body
    expect(lost?.text).toContain('because you did not submit the proof that was due within 72 hours')
    expect(warning?.text).toContain('your proof has been due for 48 hours')
    expect(warning?.text).toContain('Checking in again does not extend this deadline.')
    expect(warning?.about).toMatchObject({ kind: 'TEST', id })
  })

  test('reads until when another check-in keeps the seat, if one is missing as well', async () => {
    const { tester, id } = await seat({ title: 'Last chance', durationDays: 1 })
    await t.advance(10)
    await checkIn(tester, id)
    await t.advance(62)
    const told = (await tester.call<Notification[]>('GET', '/users/me/notifications')).body
    expect(told.find(({ subject }) => subject === 'Submit your proof: Last chance')?.text).toContain(
      'Checking in again keeps your seat until',
    )
  })

  test('is no longer at risk once the proof is submitted, even if changes are requested', async () => {
    const { tester, id } = await seat({ title: 'In time', durationDays: 1 })
    for (let day = 0; day < 3; day++) {
      await checkIn(tester, id)
      await t.advance(24)
    }
    expect(await mine(tester)).toMatchObject({ status: 'ACTIVE', atRisk: true })
    await tester.call('POST', `/testers/campaign-testers/${id}/proof`, { proof })
    expect(await mine(tester)).toMatchObject({ status: 'SUBMITTED', atRisk: false })
    await developer.call('POST', `/campaign-testers/${id}/request-changes`, { note: 'Show more.' })
    expect(await mine(tester)).toMatchObject({ status: 'CHANGES_REQUESTED', atRisk: false })
  })

  test('who is also silent is warned of both, and their developer is told once', async () => {
    const { tester, id } = await seat({ title: 'Both', durationDays: 1 })
    await t.advance(20)
    await checkIn(tester, id)
    await t.advance(48)
    await t.advance(4)
    expect(await emailsAbout('Both')).toEqual([
      `${developer.user.email}: Tester 1 may drop out of Both`,
      `${tester.user.email}: Submit your proof: Both`,
      `${tester.user.email}: You may lose your seat: Both`,
    ])
    const { deadlineAt, proofDueAt } = await mine(tester)
    const { timeZone } = tester.user
    const shown = (instant: string) =>
      new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeStyle: 'short', timeZone }).format(
        Date.parse(instant),
      )
    const { body: told } = await tester.call<{ text: string }[]>('GET', '/users/me/notifications')
    expect(told[0]!.text).toContain(`Submit it before ${shown(deadlineAt!)}`)
    expect(told[0]!.text).toContain(`keeps your seat until ${shown(proofDueAt!)}`)
    await t.advance(20)
    expect(await mine(tester)).toMatchObject({ status: 'DROPPED', dropReason: 'NO_CHECK_IN' })
  })
})

describe('a developer who goes silent', () => {
  test('for 72 hours after a proof has it auto-verified, and the tester is paid', async () => {
    const { campaign, tester, id } = await seat({ title: 'Quiet', testersRequired: 1, durationDays: 1 })
    await daysAndProof(t, [{ person: tester, participationId: id }], 1)
    await t.advance(71)
    expect((await mine(tester)).status).toBe('SUBMITTED')
    await t.advance(1)
    expect(await mine(tester)).toMatchObject({
      status: 'VERIFIED',
      payoutAmountCents: 1000,
      review: { bySilence: true, byAdmin: false },
    })
    expect((await tester.call<Balance>('GET', '/testers/balance')).body.balanceCents).toBe(1000)
    expect((await campaignOf(campaign.id)).status).toBe('COMPLETED')
    expect((await emailsAbout('Quiet')).filter(email => email.startsWith(tester.user.email))).toEqual([
      `${tester.user.email}: You earned $10.00: Quiet`,
    ])
  })

  test('and a tester who does not answer a request for changes within 72 hours loses the seat', async () => {
    const { tester, id } = await seat({ title: 'No answer', durationDays: 1 })
    await daysAndProof(t, [{ person: tester, participationId: id }], 1)
    await developer.call('POST', `/campaign-testers/${id}/request-changes`, { note: 'Show more.' })
    await t.advance(71)
    expect((await mine(tester)).status).toBe('CHANGES_REQUESTED')
    await t.advance(1)
    expect(await mine(tester)).toMatchObject({ status: 'DROPPED', dropReason: 'NO_PROOF' })
  })

  test('but is warned 24 hours before, as the developer is, after each request', async () => {
    const { campaign, tester, id } = await seat({ title: 'To be changed', durationDays: 1 })
    await daysAndProof(t, [{ person: tester, participationId: id }], 1)
    const ask = () => developer.call('POST', `/campaign-testers/${id}/request-changes`, { note: 'Show more.' })
    const told = () =>
      t.look<{ kind: string; text: string }>(
        `select kind, text from notifications where kind like 'PROOF_LATE%'
          and (about_test_id = $1 or user_id = $2) order by created_at, kind`,
        [id, tester.user.id],
      )
    await ask()
    await t.advance(47)
    expect(await mine(tester)).toMatchObject({ status: 'CHANGES_REQUESTED', atRisk: false })
    await t.advance(1)
    expect(await mine(tester)).toMatchObject({ status: 'CHANGES_REQUESTED', atRisk: true })
    const { body: needs } = await developer.call<{ needs: unknown[] }>('GET', '/dashboard/needs')
    expect(needs.needs).toContainEqual(
      expect.objectContaining({ kind: 'AT_RISK', campaign: { id: campaign.id, title: 'To be changed' } }),
    )
    expect(await told()).toEqual([
      { kind: 'PROOF_LATE', text: expect.stringContaining('requested 48 hours ago. Submit it again before') },
      { kind: 'PROOF_LATE_OWNER', text: expect.stringContaining('If they do not submit it again, they lose') },
    ])
    await t.advance(1)
    expect(await told()).toHaveLength(2)
    await tester.call('POST', `/testers/campaign-testers/${id}/proof`, { proof })
    await ask()
    expect(await mine(tester)).toMatchObject({ status: 'CHANGES_REQUESTED', atRisk: false })
    await t.advance(48)
    expect(await told()).toHaveLength(4)
  })
})

test('a proof that cannot be verified does not hold up the others, and the job reports the failure', async () => {
  const seats = [await seat({ title: 'Broken', durationDays: 1 }), await seat({ title: 'Sound', durationDays: 1 })]
  await daysAndProof(
    t,
    seats.map(({ tester, id }) => ({ person: tester, participationId: id })),
    1,
  )
  const move = (from: string, to: string) =>
    t.look(`select post_transfer($1, account_of($2, $4), account_of($3, $4), 3000, $4, now())`, [
      `test:${from}`,
      from,
      to,
      seats[0]!.campaign.id,
    ])
  // The pay is not where it belongs: verifying would overdraw the escrow.
  await move('CAMPAIGN_ESCROW', 'CAMPAIGN_FEE')
  clock.setOffsetMs(clock.offsetMs() + 72 * 3_600_000)
  await expect(wakeParticipations.run({})).rejects.toThrow('1 of 2 failed')
  expect((await mine(seats[0]!.tester)).status).toBe('SUBMITTED')
  expect((await mine(seats[1]!.tester)).status).toBe('VERIFIED')
  await move('CAMPAIGN_FEE', 'CAMPAIGN_ESCROW')
  await t.advance(0)
  expect((await mine(seats[0]!.tester)).status).toBe('VERIFIED')
})

test('a tester whose balance somebody holds does not hold up the pay of the others', async () => {
  const [first, second] = [
    await seat({ title: 'Held', durationDays: 1 }),
    await seat({ title: 'Not held', durationDays: 1 }),
  ]
  await daysAndProof(
    t,
    [first, second].map(({ tester, id }) => ({ person: tester, participationId: id })),
    1,
  )
  const held = first.tester.user.id
  await t.look(`select account_of('TESTER_BALANCE', $1)`, [held])
  clock.setOffsetMs(clock.offsetMs() + 72 * 3_600_000)
  const statuses = async () => [(await mine(first.tester)).status, (await mine(second.tester)).status]
  const [, meanwhile] = await overtaken(
    t,
    { rows: `select from accounts where kind = 'TESTER_BALANCE' and owner_id = $1`, values: [held] },
    () => wakeParticipations.run({}),
    statuses,
  )
  expect(meanwhile).toEqual(['SUBMITTED', 'VERIFIED'])
  expect(await statuses()).toEqual(['VERIFIED', 'VERIFIED'])
})

describe('a campaign that was cancelled', () => {
  test('still has its proofs reviewed: verified ones are paid, rejected ones give the money back after 72 hours', async () => {
    const { id: campaignId } = await liveCampaign(developer, admin, {
      title: 'Cut short',
      testersRequired: 3,
      durationDays: 1,
    })
    const testers = await Promise.all([t.signUp('TESTER'), t.signUp('TESTER'), t.signUp('TESTER')])
    const seats = []
    for (const person of testers) seats.push({ person, participationId: (await joinedBy(person, campaignId)).id })
    await daysAndProof(t, seats, 1)
    const { body } = await developer.call<Campaign>('POST', `/campaigns/${campaignId}/cancel`)
    // Nothing is left over: every seat is under review.
    expect(body).toMatchObject({ status: 'CANCELLED', fundedCents: 3000, feeCents: 450 })
    const [paid, refused, better] = seats.map(({ participationId }) => participationId)
    await developer.call('POST', `/campaign-testers/${paid}/verify`)
    await developer.call('POST', `/campaign-testers/${refused}/reject`, {
      code: 'OTHER',
      reason: 'It is the proof of another campaign than ours.',
    })
    // Held for an appeal.
    expect(await campaignOf(campaignId)).toMatchObject({ fundedCents: 3000, feeCents: 450 })
    await developer.call('POST', `/campaign-testers/${better}/request-changes`, { note: 'Show the search.' })
    await t.advance(1)
    expect((await testers[2].call('POST', `/testers/campaign-testers/${better}/proof`, { proof })).status).toBe(200)
    await t.advance(72)
    expect((await mine(testers[2])).status).toBe('VERIFIED')
    expect(await campaignOf(campaignId)).toMatchObject({ status: 'CANCELLED', fundedCents: 2000, feeCents: 300 })
    expect(await emailsAbout('Cut short')).not.toContain(`${testers[0].user.email}: Cancelled: Cut short`)
  })

  test('notifies the testers whose tests it ended, and the owner if an admin cancelled it', async () => {
    const { campaign, tester } = await seat({ title: 'By an admin' })
    await admin.call('POST', `/campaigns/${campaign.id}/cancel`)
    await t.advance(1)
    expect(await emailsAbout('By an admin')).toEqual([
      `${developer.user.email}: Cancelled: By an admin`,
      `${tester.user.email}: Cancelled: By an admin`,
    ])
  })

  test('tells each tester what the days earned, or that none was completed', async () => {
    const { campaign, tester, id } = await seat({ title: 'Told the pay', testersRequired: 2, durationDays: 2 })
    const idle = await t.signUp('TESTER')
    await joinedBy(idle, campaign.id)
    expect((await tester.call('POST', `/testers/campaign-testers/${id}/check-ins`, {})).status).toBe(201)
    await developer.call('POST', `/campaigns/${campaign.id}/cancel`)
    const textFor = async ({ user }: Person) =>
      (
        await t.look<{ text: string }>(
          `select text from notifications where user_id = $1 and kind = 'CAMPAIGN_CANCELLED'`,
          [user.id],
        )
      ).map(({ text }) => text)
    expect(await textFor(tester)).toEqual([expect.stringContaining('$5.00 for the days you completed was added')])
    expect(await textFor(idle)).toEqual([expect.stringContaining('so this test does not pay')])
  })

  test('tells whoever waited a week for the tester list that the day’s pay is for that', async () => {
    const { campaign, id } = await seat({ title: 'Waited for the list', accessMode: 'EMAIL_LIST' })
    await t.advance(7 * 24)
    expect((await developer.call('POST', `/campaigns/${campaign.id}/cancel`)).status).toBe(200)
    const told = await t.look<{ text: string }>(
      `select text from notifications where about_id = $1 and kind = 'CAMPAIGN_CANCELLED'`,
      [id],
    )
    expect(told.map(({ text }) => text.split('was cancelled. ')[1])).toEqual([
      'You had waited to be let in for a week or longer, so one day’s pay, $0.71, was added to your balance.',
    ])
  })

  test('tells a tester who was asked for changes that they still count', async () => {
    const { campaign, tester, id } = await seat({ title: 'Changes asked', testersRequired: 2, durationDays: 1 })
    await daysAndProof(t, [{ person: tester, participationId: id }], 1)
    await developer.call('POST', `/campaign-testers/${id}/request-changes`, { note: 'Show the search.' })
    await developer.call('POST', `/campaigns/${campaign.id}/cancel`)
    const told = await t.look<{ text: string }>(
      `select text from notifications where about_id = $1 and kind = 'CAMPAIGN_CANCELLED'`,
      [id],
    )
    expect(told.map(({ text }) => text)).toEqual([expect.stringContaining('You can still submit the proof')])
    expect((await tester.call('POST', `/testers/campaign-testers/${id}/proof`, { proof })).status).toBe(200)
    await developer.call('POST', `/campaign-testers/${id}/verify`)
    expect((await mine(tester)).status).toBe('VERIFIED')
  })
})

test('a campaign past its end completes when the last tester is done, and refunds the open seats', async () => {
  const { campaign, tester, id } = await seat({ title: 'Half full', testersRequired: 2, durationDays: 2 })
  await daysAndProof(t, [{ person: tester, participationId: id }], 2)
  expect((await campaignOf(campaign.id)).status).toBe('LIVE')
  await developer.call('POST', `/campaigns/${campaign.id}/pause`)
  await developer.call('POST', `/campaign-testers/${id}/verify`)
  await t.advance(0)
  expect(await campaignOf(campaign.id)).toMatchObject({
    status: 'COMPLETED',
    fundedCents: 1000,
    feeCents: 150,
    actions: [],
  })
})

test('the books balance', async () => expect(await brokenChecks()).toEqual([]))
