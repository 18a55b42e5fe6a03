import { randomUUID } from 'node:crypto'
import type pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { clock } from '../../kit/clock.ts'
import type { ErrorBody } from '../../kit/errors.ts'
import type { Method } from '../../kit/endpoint.ts'
import { device, draftOf, fundedBy, liveCampaign, type Person } from '../../testing/app.ts'
import { signedUp, testApp } from '../../testing/prologue.ts'
import { brokenChecks, connectBeside } from '../../testing/observed.ts'
import type { Campaign, CampaignAction, CampaignStatus } from '../contract.ts'
import { campaignActions } from '../terms.ts'
import { allowedActions, lifecycle, type Viewer } from '../rules.ts'

type State = CampaignStatus | 'DRAFT, paid'

const t = testApp()
const owner = signedUp(t, 'DEVELOPER')
const otherDeveloper = signedUp(t, 'DEVELOPER')
const admin = signedUp(t, 'ADMIN')
const tester = signedUp(t, 'TESTER')
let beside: pg.Client
/** The tester of a try is somebody new when the try succeeds, so that nobody joins twice. */
/** One of each state, on which everything that must be refused is tried. */
const sample = {} as Record<State, Campaign>

/** How to make one of each state; a draft may owe, or have been paid before. */
const builders: Record<State, () => Promise<Campaign>> = {
  DRAFT: () => draftOf(owner),
  'DRAFT, paid': async () => {
    const { id } = await builders.REJECTED()
    return (await owner.call<Campaign>('PATCH', `/campaigns/${id}`, { title: 'Edited' })).body
  },
  PENDING_APPROVAL: () => fundedBy(owner),
  APPROVED: async () => act(admin, 'POST', `/admin/campaigns/${(await builders.PENDING_APPROVAL()).id}/approve`),
  REJECTED: async () =>
    act(admin, 'POST', `/admin/campaigns/${(await builders.PENDING_APPROVAL()).id}/reject`, {
      reason: 'The link is dead.',
    }),
  LIVE: () => liveCampaign(owner, admin),
  PAUSED: async () => act(owner, 'POST', `/campaigns/${(await builders.LIVE()).id}/pause`),
  COMPLETED: async () => {
    const { id } = await liveCampaign(owner, admin, { durationDays: 1 })
    await t.advance(24)
    return act(owner, 'GET', `/campaigns/${id}`)
  },
  CANCELLED: async () => act(owner, 'POST', `/campaigns/${(await builders.LIVE()).id}/cancel`),
}
const states = Object.keys(builders) as State[]

const act = async (person: Person, method: Method, path: string, body?: unknown): Promise<Campaign> => {
  const reply = await person.call<Campaign>(method, path, body)
  if (reply.status !== 200) throw new Error(`${path}: ${JSON.stringify(reply.body)}`)
  return reply.body
}

const call: Record<CampaignAction, (campaign: Campaign) => [Method, string, unknown?]> = {
  update: ({ id }) => ['PATCH', `/campaigns/${id}`, { title: 'Another title' }],
  fund: ({ id, outstandingCents }) => ['POST', `/campaigns/${id}/fund`, { amountCents: outstandingCents || 3450 }],
  renew: ({ id }) => ['POST', `/campaigns/${id}/renew`, { amountCents: 3450 }],
  submit: ({ id }) => ['POST', `/campaigns/${id}/submit`],
  approve: ({ id }) => ['POST', `/admin/campaigns/${id}/approve`],
  reject: ({ id }) => ['POST', `/admin/campaigns/${id}/reject`, { reason: 'The link leads nowhere.' }],
  approveLink: ({ id }) => ['POST', `/admin/campaigns/${id}/approve-link`],
  rejectLink: ({ id }) => ['POST', `/admin/campaigns/${id}/reject-link`, { reason: 'It leads nowhere.' }],
  start: ({ id }) => ['POST', `/campaigns/${id}/start`],
  pause: ({ id }) => ['POST', `/campaigns/${id}/pause`],
  closeSeat: ({ id }) => ['POST', `/campaigns/${id}/close-seat`],
  cancel: ({ id }) => ['POST', `/campaigns/${id}/cancel`],
  join: ({ id }) => ['POST', `/testers/campaigns/${id}/join`, { deviceInfo: device }],
  enterBench: ({ id }) => ['POST', `/testers/campaigns/${id}/join`, { deviceInfo: device, waitlist: true }],
}

const statusOf = (state: State): CampaignStatus => state.split(',')[0] as CampaignStatus
const situationOf = (state: State) => ({
  status: statusOf(state),
  outstandingCents: state === 'DRAFT' ? 3450 : 0,
  seatsTaken: 0,
  closedSeats: 0,
  offeredSeats: 0,
  promisedSeats: 0,
  benchTesters: 0,
  testersRequired: 3,
  joinedBefore: false,
  takesNobody: false,
  renewalCents: null,
  paymentIsOnItsWay: false,
  linkWaits: false,
})

beforeAll(async () => {
  beside = await connectBeside(t)
  // First, since it takes a day.
  sample.COMPLETED = await builders.COMPLETED()
  for (const state of states) sample[state] ??= await builders[state]()
})
afterAll(() => beside.end())

const viewers: Viewer[] = ['OWNER', 'ADMIN', 'TESTER', 'STRANGER']
const personOf = (viewer: Viewer) => ({ OWNER: owner, ADMIN: admin, TESTER: tester, STRANGER: otherDeveloper })[viewer]

const statusExpected = (action: CampaignAction, viewer: Viewer, state: State): number => {
  const by: readonly Viewer[] = lifecycle[action].by
  const asOwner = viewer === 'STRANGER' ? 'OWNER' : viewer
  if (!by.includes(asOwner)) return 403
  if (viewer === 'STRANGER') return 404
  // A tester sees what is LIVE, and what they are in.
  if (viewer === 'TESTER' && statusOf(state) !== 'LIVE') return 404
  if (allowedActions(viewer, situationOf(state)).includes(action)) return action === 'join' ? 201 : 200
  return action === 'fund' && lifecycle.fund.from.includes(statusOf(state)) ? 422 : 409
}

describe.each(states)('a campaign that is %s', state => {
  test.each(viewers)('obeys its %s by the lifecycle table and nothing else', async viewer => {
    // The call that enters a bench is that of joining, and takes a seat while one is free (bench.test.ts).
    for (const action of campaignActions.filter(name => name !== 'enterBench')) {
      const expected = statusExpected(action, viewer, state)
      const campaign = expected < 300 && state !== 'COMPLETED' ? await builders[state]() : sample[state]
      const person = action === 'join' && expected < 300 ? await t.signUp('TESTER') : personOf(viewer)
      const { status, body } = await person.call<Campaign>(...call[action](campaign))
      expect({ action, status, body }).toMatchObject({ action, status: expected })
      if (expected === 200) {
        const to = action === 'update' && state === 'REJECTED' ? 'DRAFT' : (lifecycle[action].to ?? statusOf(state))
        expect({ action, status: body.status }).toEqual({ action, status: to })
      }
    }
  })

  test('tells each of who may see it what is outstanding and the actions they may take now', async () => {
    for (const viewer of viewers) {
      const seen = await personOf(viewer).call<Campaign>('GET', `/campaigns/${sample[state].id}`)
      const visible = viewer === 'OWNER' || viewer === 'ADMIN' || (viewer === 'TESTER' && state === 'LIVE')
      expect(seen.status).toBe(visible ? 200 : 404)
      if (!visible) continue
      const { outstandingCents } = situationOf(state)
      expect(seen.body).toMatchObject({ outstandingCents, actions: allowedActions(viewer, situationOf(state)) })
    }
  })

  test('is refused by the SQL functions exactly where the rules refuse', async () => {
    const { id } = sample[state]
    const now = clock.now()
    const may = (action: CampaignAction) => allowedActions('OWNER', situationOf(state)).includes(action)
    const refused = (action: CampaignAction) =>
      lifecycle[action].from.includes(statusOf(state)) ? 'WRONG_AMOUNT' : 'WRONG_STATE'
    const cancelled = await outcome('cancel_campaign($1, $2, $3)', [id, randomUUID(), now])
    expect(cancelled).toBe(may('cancel') ? 'OK' : 'WRONG_STATE')
    const funded = await outcome(`begin_charge($1, 'key', $2, $3, 3450, 'sandbox', 'a@b.c', $4)`, [
      randomUUID(),
      id,
      owner.user.id,
      now,
    ])
    expect(funded).toBe(may('fund') ? 'OK' : refused('fund'))
    const changed = await outcome(
      `change_campaign_terms($1, 'android', 1, 100, 1, 15, true, '{}', '{}', null, null, 'a', 'b', 'c', 'OPEN_LINK', null, '{}', $2, $3)`,
      [id, randomUUID(), now],
    )
    expect(changed).toBe(
      lifecycle.update.from.includes(statusOf(state)) && !['LIVE', 'PAUSED'].includes(state) ? 'OK' : 'WRONG_STATE',
    )
    const closed = await outcome('close_free_seat($1, $2, $3)', [id, randomUUID(), now])
    expect(closed).toBe(may('closeSeat') ? 'OK' : 'WRONG_STATE')
    // Only the clock completes: here nobody is inside, and the end has not come.
    expect(await outcome('complete_campaigns(array[$1::uuid], array[$2::uuid], $3)', [id, randomUUID(), now])).toEqual(
      [],
    )
  })
})

/** What a function answers, without leaving a trace. */
const outcome = async (statement: string, values: unknown[]): Promise<string> => {
  await beside.query('begin')
  try {
    return (await beside.query<{ outcome: string }>(`select ${statement} as outcome`, values)).rows[0]!.outcome
  } finally {
    await beside.query('rollback')
  }
}

test('every admin action is in the audit log, once, and nobody can change or remove it there', async () => {
  const rows = await t.look<{ action: string; times: number }>(
    `select action, count(*)::int as times from audit_log where subject_id = any($1) group by 1`,
    [[sample.APPROVED.id, sample.REJECTED.id]],
  )
  expect(rows.toSorted((a, b) => a.action.localeCompare(b.action))).toEqual([
    { action: 'campaign.approve', times: 1 },
    { action: 'campaign.reject', times: 1 },
  ])
  for (const statement of ['update audit_log set at = at', 'delete from audit_log', 'truncate audit_log']) {
    await expect(t.look(statement)).rejects.toThrow('append-only')
  }
})

test('the books balance', async () => expect(await brokenChecks()).toEqual([]))

test('an admin’s decision is about the submission that was looked at, and refused after a later one', async () => {
  const { id, submittedAt } = await fundedBy(owner)
  const rejected = { reason: 'The link is dead.', submittedAt }
  expect((await admin.call('POST', `/admin/campaigns/${id}/reject`, rejected)).status).toBe(200)
  await t.advance(1)
  await act(owner, 'PATCH', `/campaigns/${id}`, { title: 'Another app' })
  const again = await act(owner, 'POST', `/campaigns/${id}/submit`)
  for (const [decision, body] of [
    ['approve', { submittedAt }],
    ['reject', rejected],
  ] as const) {
    const { status, body: refusal } = await admin.call<ErrorBody>('POST', `/admin/campaigns/${id}/${decision}`, body)
    expect([status, refusal.code, refusal.message]).toEqual([
      409,
      'WRONG_STATE',
      'The developer has changed this campaign since you opened it. Look at the new version first.',
    ])
  }
  const approved = await admin.call<Campaign>('POST', `/admin/campaigns/${id}/approve`, {
    submittedAt: again.submittedAt,
  })
  expect(approved.body.status).toBe('APPROVED')
})

test('nor does it stand for an NDA or a feedback form that was changed or removed since; the campaign keeps its place in the queue, and since when it waits', async () => {
  const { id, submittedAt: waitsSince } = await fundedBy(owner)
  const behind = await fundedBy(owner)
  const question = { kind: 'LONG_TEXT', text: 'What was missing?', required: true }
  const changes: [Method, string, object?][] = [
    ['PUT', 'nda', { text: 'Tell nobody.' }],
    ['DELETE', 'nda'],
    ['PUT', 'feedback-form', { questions: [question] }],
    ['PUT', 'feedback-form', { questions: [] }],
  ]
  const seen = async () => (await admin.call<Campaign>('GET', `/campaigns/${id}`)).body.submittedAt
  for (const change of changes) {
    const submittedAt = await seen()
    await act(owner, change[0], `/campaigns/${id}/${change[1]}`, change[2])
    for (const [decision, more] of [
      ['approve', {}],
      ['reject', { reason: 'The link is dead.' }],
    ] as const) {
      const path = `/admin/campaigns/${id}/${decision}`
      const { status, body } = await admin.call<ErrorBody>('POST', path, { submittedAt, ...more })
      expect([change, status, body.message]).toEqual([
        change,
        409,
        'The developer has changed this campaign since you opened it. Look at the new version first.',
      ])
    }
  }
  const { body: queue } = await admin.call<Campaign[]>('GET', '/admin/campaigns/pending?limit=100')
  const waiting = queue.map(campaign => campaign.id).filter(one => one === id || one === behind.id)
  expect(waiting).toEqual([id, behind.id])
  expect(queue.find(campaign => campaign.id === id)?.waitsSince).toBe(waitsSince)
  const approve = async () =>
    (await admin.call('POST', `/admin/campaigns/${id}/approve`, { submittedAt: await seen() })).status
  expect(await approve()).toBe(200)
  const approved = await seen()
  await act(owner, 'PUT', `/campaigns/${id}/nda`, { text: 'Tell nobody.' })
  expect(await act(owner, 'GET', `/campaigns/${id}`)).toMatchObject({ status: 'APPROVED', waitsSince: null })
  expect(await seen()).toBe(approved)
})
