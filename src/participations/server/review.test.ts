import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { clock, daysAfter } from '../../kit/clock.ts'
import { daysAndProof, joinedBy, liveCampaign, type Person, proof } from '../../testing/app.ts'
import { signedUp, testApp } from '../../testing/prologue.ts'
import { overtaken, untilWaiting } from '../../testing/races.ts'
import { inParallel, brokenChecks, connectBeside, emailsOf, tally } from '../../testing/observed.ts'
import type { CampaignEvent } from '../../activity/contract.ts'
import type { Campaign } from '../../campaigns/contract.ts'
import type { Balance } from '../../ledger/contract.ts'
import type { CampaignTester, VerifyResult } from '../contract.ts'
import { wakeParticipations } from './participations.ts'

const t = testApp()
const developer = signedUp(t, 'DEVELOPER')
const otherDeveloper = signedUp(t, 'DEVELOPER')
const admin = signedUp(t, 'ADMIN')

type Answer = CampaignTester & { code?: string; message?: string }
const onTester = (person: Person, id: string, action: string, body?: unknown, key?: string) =>
  person.call<Answer>('POST', `/campaign-testers/${id}/${action}`, body, key)
const own = (person: Person, id: string, action: string, body?: unknown) =>
  person.call<Answer>('POST', `/testers/campaign-testers/${id}/${action}`, body)
const rejection = { code: 'NO_EVIDENCE_OF_TESTING', reason: 'The proof speaks of none of the screens of our app.' }
const balanceOf = async (tester: Person) => (await tester.call<Balance>('GET', '/testers/balance')).body.balanceCents

/** A tester in a campaign of one day and one seat, with the proof handed in unless said otherwise. */
const tested = async (title: string, { submitted = true, seats = 1 } = {}) => {
  const campaign = await liveCampaign(developer, admin, { title, testersRequired: seats, durationDays: 1 })
  const tester = await t.signUp('TESTER')
  const { id } = await joinedBy(tester, campaign.id)
  if (submitted) await daysAndProof(t, [{ person: tester, participationId: id }], 1)
  return { id, tester, campaignId: campaign.id }
}

/** The emails about a campaign, once all have been sent. */
const emailsAbout = async (title: string) => {
  await t.advance(0)
  return (await emailsOf(t)).filter(email => email.endsWith(title))
}

describe('the proof', () => {
  test('is accepted once the days have passed and not before, and the refusal names the date', async () => {
    const { id, tester } = await tested('Too early', { submitted: false })
    const early = await own(tester, id, 'proof', { proof })
    expect(early).toMatchObject({ status: 409, body: { code: 'TOO_EARLY' } })
    const [{ joined_at: joinedAt }] = (await t.look<{ joined_at: string }>(
      'select joined_at from participations where id = $1',
      [id],
    )) as [{ joined_at: string }]
    const when = new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone: 'UTC' }).format(
      Date.parse(daysAfter(joinedAt, 1)),
    )
    expect(early.body.message).toContain(when)
    await t.advance(24)
    const taken = await own(tester, id, 'proof', { proof: { text: 'Done', links: ['https://example.test/film'] } })
    expect(taken.body).toMatchObject({
      status: 'SUBMITTED',
      proof: { text: 'Done', links: ['https://example.test/film'] },
      actions: [],
    })
    expect((await own(tester, id, 'proof', { proof })).status).toBe(409)
    expect(await emailsAbout('Too early')).toContain(`${developer.user.email}: Proof to review: Too early`)
  })

  test('asked for changes under a key is asked once, and the key of one note is refused for another', async () => {
    const { id } = await tested('One key')
    const key = randomUUID()
    const ask = (note: string) => onTester(developer, id, 'request-changes', { note }, key)
    const asked = await ask('Show the search.')
    expect([asked.status, (await ask('Show the search.')).body]).toEqual([200, asked.body])
    expect((await ask('Show the settings.')).status).toBe(422)
  })

  test('of a tester who is suspended in the same moment is asked for no changes, which nobody could make', async () => {
    const { id, tester } = await tested('Suspended')
    const [banned, asked] = await overtaken(
      t,
      { rows: 'select from sessions where user_id = $1', values: [tester.user.id] },
      () => admin.call('POST', `/admin/users/${tester.user.id}/ban`, { reason: 'Two accounts.' }),
      () => onTester(developer, id, 'request-changes', { note: 'Show the search.' }),
    )
    expect([banned.status, asked.status, asked.body.message]).toEqual([200, 409, expect.stringContaining('suspended')])
  })

  test('is submitted again after changes were requested', async () => {
    const { id, tester } = await tested('Again')
    for (const note of ['Show the search.', 'And the settings.']) {
      expect((await onTester(developer, id, 'request-changes', { note })).body).toMatchObject({
        status: 'CHANGES_REQUESTED',
        review: { note, bySilence: false },
      })
      expect((await own(tester, id, 'proof', { proof: `${proof} ${note}` })).body.status).toBe('SUBMITTED')
    }
    expect((await onTester(developer, id, 'verify')).body.status).toBe('VERIFIED')
    expect(await emailsAbout('Again')).toEqual(
      [
        `${developer.user.email}: Proof to review: Again`,
        `${developer.user.email}: Proof to review: Again`,
        `${developer.user.email}: Proof to review: Again`,
        `${tester.user.email}: Changes requested: Again`,
        `${tester.user.email}: Changes requested: Again`,
        `${tester.user.email}: You earned $10.00: Again`,
      ]
        .concat(`${developer.user.email}: Approved: Again`, `${developer.user.email}: Completed: Again`)
        .toSorted(),
    )
  })
})

test('a decision on a proof that has been replaced since is refused, moves nothing, and can be made on the new one', async () => {
  const { id, tester, campaignId } = await tested('Replaced')
  const read = (await developer.call<CampaignTester[]>('GET', `/campaigns/${campaignId}/testers`)).body[0]!.proof!
  const seen = { proofSubmittedAt: read.submittedAt }
  await onTester(admin, id, 'request-changes', { note: 'Show the search.', ...seen })
  await own(tester, id, 'proof', { proof: 'Another text about the same days.' })
  const replaced = {
    status: 409,
    body: { code: 'WRONG_STATE', message: expect.stringMatching(/another proof/) as string },
  }
  expect(await onTester(developer, id, 'verify', seen, randomUUID())).toMatchObject(replaced)
  expect(await onTester(developer, id, 'reject', { ...rejection, ...seen })).toMatchObject(replaced)
  expect(await onTester(developer, id, 'request-changes', { note: 'And the settings.', ...seen })).toMatchObject(
    replaced,
  )
  const all = (proofsSubmittedAt: string[]) =>
    developer.call<{ results: VerifyResult[]; fields?: object }>('POST', '/campaign-testers/verify-all', {
      ids: [id],
      proofsSubmittedAt,
    })
  const [refused] = (await all([read.submittedAt])).body.results
  expect(refused).toMatchObject({ status: 'REFUSED', message: replaced.body.message })
  expect((await all([])).body.fields).toEqual({ proofsSubmittedAt: 'Give one time for each test' })
  expect(await balanceOf(tester)).toBe(0)
  const [row] = (await developer.call<CampaignTester[]>('GET', `/campaigns/${campaignId}/testers`)).body
  expect(row).toMatchObject({ status: 'SUBMITTED', changesRequested: 1 })
  const decided = await onTester(developer, id, 'verify', { proofSubmittedAt: row!.proof!.submittedAt })
  expect(decided.body.status).toBe('VERIFIED')
  expect(await balanceOf(tester)).toBe(1000)
})

test('a proof that is replaced while the decision waits for the test’s row is not paid', async () => {
  const { id, tester, campaignId } = await tested('Replaced meanwhile')
  const read = (await developer.call<CampaignTester[]>('GET', `/campaigns/${campaignId}/testers`)).body[0]!.proof!
  const beside = await connectBeside(t)
  try {
    await beside.query('begin')
    await beside.query(
      `update participations set proof_submitted_at = proof_submitted_at + interval '1 minute' where id = $1`,
      [id],
    )
    const deciding = onTester(developer, id, 'verify', { proofSubmittedAt: read.submittedAt })
    await untilWaiting(beside, 1, deciding)
    await beside.query('commit')
    expect((await deciding).body.message).toMatch(/another proof/)
  } finally {
    await beside.end()
  }
  expect(await balanceOf(tester)).toBe(0)
})

test('changes are requested three times at most: the fourth is 409 and not offered, the proof is verified or rejected', async () => {
  const { id, tester } = await tested('Four times')
  const actionsOf = async () => {
    const [campaign] = await t.look<{ id: string }>('select campaign_id as id from participations where id = $1', [id])
    return (await developer.call<CampaignTester[]>('GET', `/campaigns/${campaign!.id}/testers`)).body[0]?.actions
  }
  for (const round of [1, 2, 3]) {
    expect(await actionsOf()).toEqual(['verify', 'requestChanges', 'reject'])
    const replies = await inParallel(3, () => onTester(developer, id, 'request-changes', { note: `Round ${round}` }))
    expect(tally(replies)).toEqual({ 200: 1, 409: 2 })
    expect(replies.find(({ status }) => status === 200)?.body.changesRequested).toBe(round)
    await own(tester, id, 'proof', { proof: `${proof} ${round}` })
  }
  expect(await actionsOf()).toEqual(['verify', 'reject'])
  for (const reviewer of [developer, admin])
    expect(await onTester(reviewer, id, 'request-changes', { note: 'Once more.' })).toMatchObject({
      status: 409,
      body: { code: 'WRONG_STATE', message: expect.stringContaining('3 times') as string },
    })
  expect((await onTester(developer, id, 'verify')).body.status).toBe('VERIFIED')
})

describe('a review', () => {
  test.each([
    [
      'verify',
      undefined,
      'TESTER_VERIFIED',
      /^An admin verified Tester 1’s proof for “By an admin”, and \$10\.00 was paid to them\.$/,
    ],
    [
      'request-changes',
      { note: 'Show the search.' },
      'CHANGES_REQUESTED',
      /^An admin requested changes to Tester 1’s proof for “By an admin”:\n\nShow the search\.\n\nThey can submit it again within 72 hours\.$/,
    ],
    [
      'reject',
      rejection,
      'TESTER_REJECTED',
      /^An admin rejected Tester 1’s proof for “By an admin”:\n\nThe proof speaks .*\n\nThey can appeal before .*\. Until the rejection is final, the pay and the fee of the seat stay held\.$/,
    ],
  ] as const)(
    'by an admin is told to the owner, whose activity and roster say whose it was: %s',
    async (action, body, event, text) => {
      const decidedBy = async (reviewer: Person) => {
        const { id, tester, campaignId } = await tested('By an admin')
        expect((await onTester(reviewer, id, action, body)).status).toBe(200)
        const told = await t.look<{ text: string }>(
          `select text from notifications where user_id = $1 and about_test_id = $2 and kind = 'PROOF_DECIDED_OWNER'`,
          [developer.user.id, id],
        )
        const [test1] = (await developer.call<CampaignTester[]>('GET', `/campaigns/${campaignId}/testers`)).body
        const activities = [
          await developer.call<CampaignEvent[]>('GET', `/campaigns/${campaignId}/activity`),
          await tester.call<CampaignEvent[]>('GET', `/testers/campaign-testers/${id}/activity`),
        ]
        const by = activities.map(({ body: events }) => events.find(({ kind }) => kind === event)?.by)
        return { told: told.map(one => one.text), byAdmin: test1?.review?.byAdmin, by }
      }
      const { told, ...shown } = await decidedBy(admin)
      expect(told).toEqual([expect.stringMatching(text)])
      expect(shown).toEqual({ byAdmin: true, by: ['ADMIN', 'ADMIN'] })
      expect(await decidedBy(developer)).toEqual({ told: [], byAdmin: false, by: [null, null] })
    },
  )

  test('is for the owner of the campaign and for admins; for another developer there is nothing to review', async () => {
    const { id, tester } = await tested('Whose')
    for (const [action, body] of [['verify'], ['request-changes', { note: 'x' }], ['reject', rejection]] as const) {
      expect((await onTester(otherDeveloper, id, action, body)).status).toBe(404)
      expect((await onTester(tester, id, action, body)).status).toBe(403)
    }
    expect((await onTester(admin, id, 'verify')).body).toMatchObject({ status: 'VERIFIED', actions: [] })
    const audit = await t.look<{ action: string }>('select action from audit_log where subject_id = $1', [id])
    expect(audit).toEqual([{ action: 'participation.verify' }])
  })

  test('pays once, however often and by whomever it is requested at once', async () => {
    const { id, tester } = await tested('Pay once')
    const replies = await inParallel(20, index => onTester(index % 2 ? developer : admin, id, 'verify'))
    expect(tally(replies)).toEqual({ 200: 1, 409: 19 })
    expect(await balanceOf(tester)).toBe(1000)
    expect((await emailsAbout('Pay once')).filter(email => email.includes('You earned'))).toEqual([
      `${tester.user.email}: You earned $10.00: Pay once`,
    ])
  })

  test('that rejects needs a code of the list and 30 characters of reason, pays nothing, and frees the seat after 72 hours', async () => {
    const { id, tester, campaignId } = await tested('Rejected')
    for (const wrong of [
      { ...rejection, code: 'BAD_MOOD' },
      { ...rejection, reason: 'a'.repeat(29) },
      { code: rejection.code },
    ]) {
      expect((await onTester(developer, id, 'reject', wrong)).status).toBe(400)
    }
    const rejected = await onTester(developer, id, 'reject', rejection)
    expect(rejected.body).toMatchObject({ status: 'REJECTED', review: rejection, actions: [] })
    expect(await balanceOf(tester)).toBe(0)
    const seats = async () => (await developer.call<Campaign>('GET', `/campaigns/${campaignId}`)).body._count
    expect((await seats()).campaignTesters).toBe(1)
    expect(await emailsAbout('Rejected')).toContain(`${tester.user.email}: Proof rejected: Rejected`)
    await t.advance(72)
    expect((await seats()).campaignTesters).toBe(0)
    expect((await own(tester, id, 'appeal', { reason: rejection.reason })).status).toBe(409)
  })

  test('shows the reviewer an alias and never who the tester is', async () => {
    const { tester, campaignId } = await tested('Alias')
    const reply = await developer.call<CampaignTester[]>('GET', `/campaigns/${campaignId}/testers`)
    expect(reply.body[0]?.alias).toBe('Tester 1')
    const text = JSON.stringify(reply.body)
    for (const secret of [tester.user.email, tester.user.name, tester.user.id]) expect(text).not.toContain(secret)
    expect((await otherDeveloper.call('GET', `/campaigns/${campaignId}/testers`)).status).toBe(404)
  })

  test('of a proof that was not submitted is refused, whatever the decision', async () => {
    const { id } = await tested('Not yet', { submitted: false })
    for (const [action, body] of [['verify'], ['request-changes', { note: 'x' }], ['reject', rejection]] as const) {
      expect(await onTester(developer, id, action, body)).toMatchObject({ status: 409, body: { code: 'WRONG_STATE' } })
    }
  })
})

describe.each([
  ['verify', 'reject'],
  ['verify', 'clock'],
  ['reject', 'clock'],
  ['requestChanges', 'clock'],
  ['requestChanges', 'verify'],
  ['verify', 'reject', 'requestChanges', 'clock'],
] as const)('%s, %s … at once', (...contestants) => {
  test.each([1, 2])('have exactly one winner, and money and emails agree with it (%i)', async round => {
    const title = `Race ${contestants.join()} ${round}`
    const { id, tester, campaignId } = await tested(title)
    // The time for a review runs out, and nothing has happened yet.
    clock.setOffsetMs(clock.offsetMs() + 72 * 3_600_000)
    for (const person of [developer, admin, tester]) await person.call('GET', '/users/me')
    const ask = {
      verify: () => onTester(developer, id, 'verify'),
      reject: () => onTester(admin, id, 'reject', rejection),
      requestChanges: () => onTester(developer, id, 'request-changes', { note: 'More, please.' }),
      clock: () => wakeParticipations.run({}),
    }
    const order = round === 1 ? contestants : contestants.toReversed()
    const replies = (await Promise.all(order.map(name => ask[name]()))).filter(reply => reply !== undefined)

    const { body } = await developer.call<CampaignTester[]>('GET', `/campaigns/${campaignId}/testers`)
    const { status, review } = body[0]!
    const byClock = status === 'VERIFIED' && review?.bySilence === true
    expect(tally(replies)[200] ?? 0).toBe(byClock ? 0 : 1)
    expect(tally(replies)[409] ?? 0).toBe(replies.length - (byClock ? 0 : 1))
    expect(await balanceOf(tester)).toBe(status === 'VERIFIED' ? 1000 : 0)
    const subject = new Map<string, string>([
      ['VERIFIED', 'You earned $10.00'],
      ['REJECTED', 'Proof rejected'],
      ['CHANGES_REQUESTED', 'Changes requested'],
    ])
    const toTester = (await emailsAbout(title)).filter(email => email.startsWith(tester.user.email))
    expect(toTester).toEqual([`${tester.user.email}: ${subject.get(status)}: ${title}`])
  })
})

test('the books balance', async () => expect(await brokenChecks()).toEqual([]))
