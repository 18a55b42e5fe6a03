/**
 * A request that moves money or creates something takes effect once when it is repeated with the same Idempotency-Key: to one
 * server or to two, at once or later. Each repeat gets the status and body of the first.
 */
import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import type { Campaign } from '../../campaigns/contract.ts'
import type { AppVersion } from '../../changes/contract.ts'
import type { Bug } from '../../bugs/contract.ts'
import type { FeedbackForm } from '../../feedback/contract.ts'
import { successOf } from '../../kit/server/http.ts'
import {
  campaignInput,
  device,
  draftOf,
  frozen,
  joinedBy,
  liveCampaign,
  paidTester,
  type Person,
  proof,
} from '../../testing/app.ts'
import { signedUp } from '../../testing/prologue.ts'
import { paidAfterAll, stuckPart } from '../../testing/stuckRefund.ts'
import { type Answer, twoServers } from '../../testing/twoServers.ts'
import { inParallel } from '../../testing/observed.ts'
import { everyStep, everyRow } from '../../testing/walk.ts'

const { t, toTheOther: sendToTheOther } = twoServers()
const developer = signedUp(t, 'DEVELOPER')
const admin = signedUp(t, 'ADMIN')
const colleague = signedUp(t, 'ADMIN')

type Sent = { person: Person; path: string; body?: unknown }

const toThisOne = async ({ person, path, body }: Sent, key: string): Promise<Answer> => {
  const { status, body: answered } = await person.call('POST', path, body, key)
  return { status, body: answered }
}
const toTheOther = ({ person, path, body }: Sent, key: string): Promise<Answer> =>
  sendToTheOther({ path, body, key, token: person.accessToken })

const inside = async (terms: Record<string, unknown> = {}) => {
  const person = await t.signUp('TESTER')
  const campaign = await liveCampaign(developer, admin, terms)
  return { person, campaign, id: (await joinedBy(person, campaign.id)).id }
}
/** Skips the days of testing. */
const submitted = async () => {
  const made = await inside()
  await t.look(
    `update participations set status = 'SUBMITTED', proof_text = $2, proof_submitted_at = joined_at where id = $1`,
    [made.id, `${proof} ${made.id}`],
  )
  return made
}
const optedIn = async () => {
  const made = await inside({ accessMode: 'EMAIL_LIST' })
  await developer.call('POST', `/campaigns/${made.campaign.id}/tester-list/export`)
  await developer.call('POST', `/campaigns/${made.campaign.id}/tester-list/confirm`)
  await made.person.call('POST', `/testers/campaign-testers/${made.id}/open-link`)
  return made
}
const running = async () => {
  const made = await optedIn()
  await made.person.call('POST', own(made.id, 'opt-in'))
  return made
}
const withNda = async () => {
  const { id } = await liveCampaign(developer, admin)
  await developer.call('PUT', `/campaigns/${id}/nda`, { text: 'Tell nobody about it.' })
  const person = await t.signUp('TESTER')
  return { person, campaignId: id, id: (await joinedBy(person, id)).id }
}
const bugOf = async () => {
  const { person, campaign, id } = await inside()
  const { body: bug } = await person.call<Bug>('POST', `/campaigns/${campaign.id}/bugs`, found)
  return { person, campaign, id, bug }
}
const formOf = async () => {
  const campaign = await liveCampaign(developer, admin)
  const question = { kind: 'LONG_TEXT', text: 'What is missing?', required: true }
  const { body: form } = await developer.call<FeedbackForm>('PUT', `/campaigns/${campaign.id}/feedback-form`, {
    questions: [question],
  })
  const person = await t.signUp('TESTER')
  const { id } = await joinedBy(person, campaign.id)
  const questionId = form.questions[0]!.id
  return { person, campaign, id, questionId, answers: { version: 1, answers: { [questionId]: 'A dark look' } } }
}
/** A withdrawal that waits for two admins. */
const largePayout = async () => {
  const person = await paidTester(t, developer, admin, 2000)
  await t.look('update settings set payout_approval_cents = 1500')
  const { body } = await person.call<{ id: string }>('POST', '/testers/withdraw', { amountCents: 2000 })
  await t.look('update settings set payout_approval_cents = null')
  return body.id
}
const byTransfer = { amountCents: 3450, reference: 'SEPA 2026-11-23 0815' }
const stuck = async () => {
  const { id } = await liveCampaign(developer, admin)
  await developer.call('POST', `/campaigns/${id}/cancel`)
  return `/admin/stuck-refunds/${await stuckPart(t, id)}`
}
/** A payment by other means, recorded by a colleague and above the payout limit. */
const recorded = async () => {
  const path = await stuck()
  await t.look('update settings set payout_approval_cents = 1500')
  await colleague.call('POST', `${path}/pay`, byTransfer)
  await t.look('update settings set payout_approval_cents = null')
  return path
}
/** A campaign whose money has been in escrow for 80 days. */
const aged = async () => {
  const { id } = await liveCampaign(developer, admin)
  await t.look('update campaigns set escrow_due_at = now() where id = $1', [id])
  return id
}
const why = { reason: 'The test runs for 90 days.' }
const own = (id: string, call: string) => `/testers/campaign-testers/${id}/${call}`
const found = { title: 'It crashes', severity: 'HIGH', steps: 'Open it.', actual: 'It closes.' }
const rejection = { code: 'OTHER', reason: 'The proof speaks of another app than ours, with other screens.' }
const note = 'The pictures show each of the screens.'

/** Its developer owes 3450 cents, and so can pay for nothing else. */
const lostDispute = async (): Promise<string> => {
  const { id } = await liveCampaign(await t.signUp('DEVELOPER'), admin)
  const [dispute] = await t.look<{ id: string }>(
    `with taken as (update campaigns set dispute_lost_at = now() where id = $1)
      insert into disputes (id, provider, reference, payment_id, campaign_id, amount_cents, reason, status, opened_at, closed_at,
          recorded_at)
        select gen_random_uuid(), 'test', id::text, id, campaign_id, amount_cents, 'Disputed.', 'LOST', now(), now(), now()
          from payments where campaign_id = $1 returning id`,
    [id],
  )
  return dispute!.id
}

/** Each prepares a state in which its request can succeed once. */
const kinds: Record<string, () => Promise<Sent>> = {
  'campaigns.create': async () => ({ person: developer, path: '/campaigns', body: campaignInput }),
  'campaigns.fund': async () => {
    const { id, totalCostCents: amountCents } = await draftOf(developer)
    return { person: developer, path: `/campaigns/${id}/fund`, body: { amountCents } }
  },
  'campaigns.closeSeat': async () => ({
    person: developer,
    path: `/campaigns/${(await liveCampaign(developer, admin)).id}/close-seat`,
  }),
  'campaigns.cancel': async () => ({
    person: developer,
    path: `/campaigns/${(await liveCampaign(developer, admin)).id}/cancel`,
  }),
  'ledger.withdraw': async () => ({
    person: await paidTester(t, developer, admin, 5000),
    path: '/testers/withdraw',
    body: { amountCents: 2000 },
  }),
  'disputes.decideDispute': async () => {
    const [dispute] = await t.look<{ id: string }>(
      `with opened as (insert into disputes (id, provider, reference, payment_id, campaign_id, amount_cents, reason, status, opened_at,
            recorded_at)
          select gen_random_uuid(), 'sandbox', gen_random_uuid()::text, id, campaign_id, amount_cents, 'Disputed.', 'OPEN', now(), now()
            from payments where campaign_id = $1 returning *),
          frozen as (update campaigns set disputed_since = opened.opened_at from opened where campaigns.id = opened.campaign_id)
        select id from opened`,
      [(await liveCampaign(developer, admin)).id],
    )
    return { person: admin, path: `/admin/disputes/${dispute!.id}/decide`, body: { outcome: 'WON', note } }
  },
  'disputes.settleDispute': async () => ({
    person: admin,
    path: `/admin/disputes/${await lostDispute()}/settle`,
    body: { amountCents: 3450, note },
  }),
  'disputes.waiveDebt': async () => ({
    person: admin,
    path: `/admin/disputes/${await lostDispute()}/waive`,
    body: { amountCents: 3450, note },
  }),
  'disputes.giveBackSettlement': async () => {
    const id = await lostDispute()
    await t.look('select settle_debt(gen_random_uuid(), $1, false, 3450, $2, $3, now())', [id, note, admin.user.id])
    await t.look(
      'select win_lost_dispute(provider, reference, movements + 1, now(), now()) from disputes where id = $1',
      [id],
    )
    return { person: admin, path: `/admin/disputes/${id}/give-back`, body: { amountCents: 3450, note } }
  },
  'campaigns.renew': async () => {
    const id = await aged()
    await admin.call('POST', `/admin/escrow/${id}/renew`, why)
    return { person: developer, path: `/campaigns/${id}/renew`, body: { amountCents: 3450 } }
  },
  'escrow.renewEscrow': async () => ({ person: admin, path: `/admin/escrow/${await aged()}/renew`, body: why }),
  'escrow.extendEscrow': async () => ({ person: admin, path: `/admin/escrow/${await aged()}/extend`, body: why }),
  'escrow.cancelEscrow': async () => ({ person: admin, path: `/admin/escrow/${await aged()}/cancel`, body: why }),
  'ledger.releasePayout': async () => ({ person: admin, path: `/admin/payouts/${await largePayout()}/release` }),
  'ledger.confirmPayout': async () => {
    const id = await largePayout()
    await colleague.call('POST', `/admin/payouts/${id}/release`)
    return { person: admin, path: `/admin/payouts/${id}/confirm` }
  },
  'ledger.refusePayout': async () => ({
    person: admin,
    path: `/admin/payouts/${await largePayout()}/refuse`,
    body: { reason: 'The account was reported as stolen.' },
  }),
  'stuckRefunds.retryRefund': async () => ({ person: admin, path: `${await stuck()}/retry` }),
  'stuckRefunds.payRefund': async () => ({ person: admin, path: `${await stuck()}/pay`, body: byTransfer }),
  'stuckRefunds.confirmRefund': async () => ({ person: admin, path: `${await recorded()}/confirm` }),
  'stuckRefunds.refuseRefund': async () => ({
    person: admin,
    path: `${await recorded()}/refuse`,
    body: { reason: 'No such transfer.' },
  }),
  'stuckRefunds.settleRefund': async () => {
    const path = await stuck()
    await admin.call('POST', `${path}/pay`, byTransfer)
    await paidAfterAll(t, path.split('/').at(-1)!)
    return { person: admin, path: `${path}/settle`, body: { note } }
  },
  'participations.join': async () => ({
    person: await t.signUp('TESTER'),
    path: `/testers/campaigns/${(await liveCampaign(developer, admin, { accessMode: 'EMAIL_LIST' })).id}/join`,
    body: { deviceInfo: device, playEmail: 'once.only@gmail.com', consent: true },
  }),
  'participations.acceptSeat': async () => {
    const { campaign, person: first, id } = await inside({ testersRequired: 1 })
    const person = await t.signUp('TESTER')
    const { body } = await person.call<{ id: string }>('POST', `/testers/campaigns/${campaign.id}/join`, {
      deviceInfo: device,
      waitlist: true,
    })
    await first.call('POST', own(id, 'leave'))
    return { person, path: own(body.id, 'accept-seat') }
  },
  'participations.reportNoAccess': async () => {
    const { person, id } = await optedIn()
    await t.look(`update participations set listed_at = listed_at - interval '4 hours' where id = $1`, [id])
    return { person, path: own(id, 'no-access'), body: { problem: 'NOT_A_TESTER' } }
  },
  'participations.optIn': async () => {
    const { person, id } = await optedIn()
    return { person, path: own(id, 'opt-in') }
  },
  'participations.optOut': async () => {
    const { person, id } = await running()
    return { person, path: own(id, 'opt-out') }
  },
  'participations.acceptNda': async () => {
    const { person, campaignId } = await withNda()
    return { person, path: `/campaigns/${campaignId}/nda/accept`, body: { name: 'Tess Tester', version: 1 } }
  },
  'participations.refuseNda': async () => {
    const { person, campaignId, id } = await withNda()
    await person.call('POST', `/campaigns/${campaignId}/nda/accept`, { name: 'Tess Tester', version: 1 })
    await person.call('POST', own(id, 'check-ins'), {})
    await developer.call('PUT', `/campaigns/${campaignId}/nda`, { text: 'Tell nobody about it at all.' })
    return { person, path: own(id, 'refuse-nda') }
  },
  'participations.checkIn': async () => {
    const { person, id } = await inside()
    return { person, path: own(id, 'check-ins'), body: { note: 'Went well.' } }
  },
  'participations.submitProof': async () => {
    const { person, id } = await inside()
    await t.look('update participations set proof_allowed_at = joined_at where id = $1', [id])
    return { person, path: own(id, 'proof'), body: { proof: `${proof} ${id}` } }
  },
  'participations.answerFeedback': async () => {
    const { person, id, answers } = await formOf()
    return { person, path: own(id, 'feedback'), body: answers }
  },
  'participations.leave': async () => {
    const { person, id } = await inside()
    return { person, path: own(id, 'leave') }
  },
  'participations.verify': async () => ({
    person: developer,
    path: `/campaign-testers/${(await submitted()).id}/verify`,
  }),
  'participations.verifyAll': async () => ({
    person: developer,
    path: '/campaign-testers/verify-all',
    body: { ids: [(await submitted()).id, (await submitted()).id] },
  }),
  'participations.requestChanges': async () => ({
    person: developer,
    path: `/campaign-testers/${(await submitted()).id}/request-changes`,
    body: { note },
  }),
  'participations.reject': async () => ({
    person: developer,
    path: `/campaign-testers/${(await submitted()).id}/reject`,
    body: rejection,
  }),
  'participations.decideRejection': async () => {
    const { id } = await submitted()
    await t.look(
      `insert into rejection_requests (participation_id, code, reason, requested_at) select id, 'OTHER', $2, joined_at
        from participations where id = $1`,
      [id, rejection.reason],
    )
    const body = { decision: 'CONSENT', note }
    return { person: admin, path: `/admin/campaign-testers/${id}/decide-rejection`, body }
  },
  'participations.appeal': async () => {
    const person = await t.signUp('TESTER')
    const { id } = await frozen(t, person, (await liveCampaign(developer, admin)).id)
    return { person, path: own(id, 'appeal'), body: { reason: 'The second picture shows the search of the app.' } }
  },
  'participations.decideAppeal': async () => {
    const { person, path, body } = await kinds['participations.appeal']!()
    await person.call('POST', path, body)
    const id = path.split('/')[3]!
    return { person: admin, path: `/admin/campaign-testers/${id}/decide-appeal`, body: { decision: 'VERIFY', note } }
  },
  'participations.nudge': async () => ({
    person: developer,
    path: `/campaign-testers/${(await inside()).id}/nudge`,
  }),
  'participations.contestOptIn': async () => ({
    person: developer,
    path: `/campaign-testers/${(await running()).id}/contest-opt-in`,
    body: { reason: 'Play Console shows one tester fewer.' },
  }),
  'participations.decideOptIn': async () => {
    const { id } = await running()
    await developer.call('POST', `/campaign-testers/${id}/contest-opt-in`, { reason: 'One tester fewer there.' })
    return { person: admin, path: `/admin/campaign-testers/${id}/decide-opt-in`, body: { decision: 'CLEAR', note } }
  },
  'bugs.report': async () => {
    const { person, campaign } = await inside()
    return { person, path: `/campaigns/${campaign.id}/bugs`, body: found }
  },
  'bugs.comment': async () => {
    const { person, bug } = await bugOf()
    return { person, path: `/bugs/${bug.id}/comments`, body: { text: 'It happens every time.' } }
  },
  'bugs.retest': async () => {
    const { person, bug } = await bugOf()
    await developer.call('PATCH', `/bugs/${bug.id}`, { status: 'FIXED', fixedIn: '1.2' })
    return { person, path: `/bugs/${bug.id}/retest`, body: { result: 'STILL_BROKEN', note: 'As before.' } }
  },
  'changes.publish': async () => ({
    person: developer,
    path: `/campaigns/${(await liveCampaign(developer, admin)).id}/changes`,
    body: { version: '1.2', changes: [{ text: 'It starts faster' }] },
  }),
  'changes.retest': async () => {
    const { person, campaign, id, answers, questionId } = await formOf()
    await person.call('POST', own(id, 'feedback'), answers)
    const version = { version: '1.2', changes: [{ text: 'A dark look', feedback: [{ testId: id, questionId }] }] }
    const { body } = await developer.call<AppVersion>('POST', `/campaigns/${campaign.id}/changes`, version)
    return { person, path: `/changes/${body.changes[0]!.id}/retest`, body: { result: 'WORKS' } }
  },
  'people.message': async () => ({
    person: admin,
    path: `/admin/users/${developer.user.id}/message`,
    body: { subject: 'Hello', message: 'How are you?' },
  }),
  'fraud.generateSamples': async () => ({ person: admin, path: '/admin/fraud-reports/generate-samples' }),
}

const keyed = everyStep.filter(({ endpoint }) => endpoint.idempotent)

test('every endpoint that takes a key is tried here', () => {
  expect(Object.keys(kinds).toSorted()).toEqual(keyed.map(({ name }) => name).toSorted())
})

/** A repeated request must leave nothing behind: no row, no notification, no job. */
const written = async () => {
  const { 'public.request_counts': _counts, 'public.sessions': _sessions, ...rest } = await everyRow(t)
  return rest
}

test.each(keyed.map(({ name, endpoint }) => [name, successOf(endpoint)] as const))(
  '%s: six at once to two servers get one answer, and so does a later one, which changes nothing',
  async (name, status) => {
    const sent = await kinds[name]!()
    // The clock may have moved, so the token is refreshed first.
    await sent.person.call('GET', '/users/me')
    const key = randomUUID()
    const answers = await inParallel(6, index => (index % 2 ? toThisOne : toTheOther)(sent, key))
    expect(answers[0]!.status).toBe(status)
    expect(new Set(answers.map(answer => JSON.stringify(answer))).size).toBe(1)
    const before = await written()
    expect(await toTheOther(sent, key)).toEqual(answers[0])
    expect(await toThisOne(sent, key)).toEqual(answers[0])
    expect(await written()).toEqual(before)
  },
)

/** Where the path is always the same, a different body; elsewhere the same body is sent to another object. */
const otherBodies: Record<string, (body: never) => unknown> = {
  'campaigns.create': () => ({ ...campaignInput, title: 'B' }),
  'ledger.withdraw': () => ({ amountCents: 3000 }),
  'participations.acceptNda': () => ({ name: 'Another Tester', version: 1 }),
  'participations.verifyAll': ({ ids }: { ids: string[] }) => ({ ids: ids.slice(1) }),
  'participations.join': (body: object) => ({ ...body, playEmail: 'another.one@gmail.com' }),
  'people.message': () => ({ subject: 'B', message: 'B' }),
}

test.each(keyed.filter(({ body }) => body !== undefined).map(({ name }) => name))(
  '%s: a key that was used for another request is refused',
  async name => {
    const first = await kinds[name]!()
    const key = randomUUID()
    expect((await toThisOne(first, key)).status).toBeLessThan(300)
    const change = otherBodies[name]
    const reusing = change
      ? { ...first, body: change(first.body as never) }
      : { ...(await kinds[name]!()), person: first.person }
    expect(await toThisOne(reusing, key)).toMatchObject({ status: 422, body: { code: 'IDEMPOTENCY_KEY_REUSED' } })
  },
)

describe('without a key', () => {
  const count = async (table: string) => (await t.look<{ n: number }>(`select count(*)::int as n from ${table}`))[0]!.n
  test.each([
    ['campaigns.create', 'campaigns', 1],
    ['fraud.generateSamples', 'fraud_reports', 5],
  ] as const)('%s takes effect each time', async (name, table, made) => {
    const { person, path, body } = await kinds[name]!()
    const before = await count(table)
    for (let time = 0; time < 2; time++) await person.call<Campaign>('POST', path, body)
    expect(await count(table)).toBe(before + 2 * made)
  })
})

test('a tester who leaves a bench gets the same answer again, although the place is gone', async () => {
  const { campaign } = await inside({ testersRequired: 1 })
  const person = await t.signUp('TESTER')
  const { body } = await person.call<{ id: string }>('POST', `/testers/campaigns/${campaign.id}/join`, {
    deviceInfo: device,
    waitlist: true,
  })
  const sent = { person, path: own(body.id, 'leave') }
  const key = randomUUID()
  const answers = await inParallel(6, index => (index % 2 ? toThisOne : toTheOther)(sent, key))
  expect(answers[0]).toMatchObject({ status: 200, body: { status: 'DROPPED', dropReason: 'LEFT' } })
  expect(new Set(answers.map(answer => JSON.stringify(answer))).size).toBe(1)
  expect(await toThisOne(sent, key)).toEqual(answers[0])
})

test('an answer is kept for 48 hours: after 47 it is given again, after 48 the same key makes a new request', async () => {
  const sent = await kinds['campaigns.create']!()
  const key = randomUUID()
  const first = await toThisOne(sent, key)
  await t.advance(47)
  expect(await toThisOne(sent, key)).toEqual(first)
  // The key may still be stored: once it is too old it does not count, whether or not it has been deleted.
  await t.look(`update idempotency_keys set created_at = created_at - interval '1 hour' where key = $1`, [key])
  const later = await inParallel(6, () => toThisOne(sent, key))
  expect(later.map(({ status }) => status)).toEqual(Array(6).fill(201))
  expect(new Set(later.map(answer => JSON.stringify(answer))).size).toBe(1)
  expect((later[0]!.body as Campaign).id).not.toBe((first.body as Campaign).id)
})
