/** The books balance whatever people do, in whatever order or at once, and whatever the clock does. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Method } from '../../kit/endpoint.ts'
import { campaignInput, device, liveCampaign, type Person, type Reply, password } from '../../testing/app.ts'
import { allSignedUp, signedUp, testApp } from '../../testing/prologue.ts'
import { brokenChecks } from '../../testing/observed.ts'
import type { Campaign, CampaignAction } from '../../campaigns/contract.ts'
import type { CampaignTester, ParticipationAction } from '../../participations/contract.ts'
import { type AppealOutcome, appealOutcomes } from '../../participations/terms.ts'

const t = testApp()
const admin = signedUp(t, 'ADMIN')
const developers = allSignedUp(t, 'DEVELOPER', 2)
const testers = allSignedUp(t, 'TESTER', 4)

/** An action that somebody may take now. */
type Move = { name: string; by: Person; method: Method; path: string; body?: unknown }

const pays = [101, 333, 999, 1500, 2000]
const reason = 'The proof shows another app than the one that was to be tested.'

/** Picks an action by number, so that a sequence of numbers describes a history. */
const campaignMove = (
  by: Person,
  { id, outstandingCents, renewal }: Campaign,
  action: CampaignAction,
  n: number,
): Move => {
  const post = (path: string, body?: unknown): Move => ({ name: action, by, method: 'POST', path, body })
  const moves: Record<CampaignAction, () => Move> = {
    update: () => ({
      ...post(`/campaigns/${id}`, { testersRequired: 1 + (n % 3), payPerTesterCents: pays[n % 5], title: `Edit ${n}` }),
      method: 'PATCH',
    }),
    fund: () => post(`/campaigns/${id}/fund`, { amountCents: outstandingCents }),
    renew: () => post(`/campaigns/${id}/renew`, { amountCents: renewal?.amountCents }),
    submit: () => post(`/campaigns/${id}/submit`),
    approve: () => post(`/admin/campaigns/${id}/approve`),
    reject: () => post(`/admin/campaigns/${id}/reject`, { reason: 'Not like this.' }),
    approveLink: () => post(`/admin/campaigns/${id}/approve-link`),
    rejectLink: () => post(`/admin/campaigns/${id}/reject-link`, { reason: 'Not this one.' }),
    start: () => post(`/campaigns/${id}/start`),
    pause: () => post(`/campaigns/${id}/pause`),
    closeSeat: () => post(`/campaigns/${id}/close-seat`),
    cancel: () => post(`/campaigns/${id}/cancel`),
    join: () => post(`/testers/campaigns/${id}/join`, { deviceInfo: device }),
    enterBench: () => post(`/testers/campaigns/${id}/join`, { deviceInfo: device, waitlist: true }),
  }
  return moves[action]()
}

const participationBodies: Partial<Record<ParticipationAction, unknown>> = {
  checkIn: {},
  reportNoAccess: { problem: 'NOT_A_TESTER' },
  requestChanges: { note: 'More of it.' },
  contestOptIn: { reason },
  decideOptIn: { decision: 'CLEAR', note: reason },
  reject: { code: 'OTHER', reason },
  appeal: { reason },
}
const participationPaths: Record<ParticipationAction, (id: string, campaignId: string) => string> = {
  acceptNda: (_, campaignId) => `/campaigns/${campaignId}/nda/accept`,
  refuseNda: id => `/testers/campaign-testers/${id}/refuse-nda`,
  checkIn: id => `/testers/campaign-testers/${id}/check-ins`,
  submitProof: id => `/testers/campaign-testers/${id}/proof`,
  leave: id => `/testers/campaign-testers/${id}/leave`,
  verify: id => `/campaign-testers/${id}/verify`,
  requestChanges: id => `/campaign-testers/${id}/request-changes`,
  reject: id => `/campaign-testers/${id}/reject`,
  openLink: id => `/testers/campaign-testers/${id}/open-link`,
  reportNoAccess: id => `/testers/campaign-testers/${id}/no-access`,
  optIn: id => `/testers/campaign-testers/${id}/opt-in`,
  optOut: id => `/testers/campaign-testers/${id}/opt-out`,
  nudge: id => `/campaign-testers/${id}/nudge`,
  contestOptIn: id => `/campaign-testers/${id}/contest-opt-in`,
  decideOptIn: id => `/admin/campaign-testers/${id}/decide-opt-in`,
  appeal: id => `/testers/campaign-testers/${id}/appeal`,
  decideRejection: id => `/admin/campaign-testers/${id}/decide-rejection`,
  decideAppeal: id => `/admin/campaign-testers/${id}/decide-appeal`,
  acceptSeat: id => `/testers/campaign-testers/${id}/accept-seat`,
}
const bodyOf = ({ id, nda }: CampaignTester, action: ParticipationAction, n: number): unknown => {
  // Identical texts from many testers would be fraud, and the platform pays nobody for that.
  if (action === 'submitProof') return { proof: `On each of the days I wrote a note, in ${id}.` }
  if (action === 'acceptNda') return { name: 'Tess Tester', version: nda?.version }
  if (action === 'decideRejection') return { decision: n % 2 === 0 ? 'CONSENT' : 'REFUSE', note: reason }
  if (action === 'decideAppeal') return { decision: n % 2 === 0 ? 'VERIFY' : 'UPHOLD', note: reason }
  return participationBodies[action]
}
const participationMove = (by: Person, joined: CampaignTester, action: ParticipationAction, n: number): Move => ({
  name: action,
  by,
  method: 'POST',
  path: participationPaths[action](joined.id, joined.campaign.id),
  body: bodyOf(joined, action, n),
})

/** Actions that end something are rare, since otherwise no history would get far. */
const rare = new Set(['nda', 'refuseNda', 'cancel', 'closeSeat', 'leave', 'pause', 'method'])

const movesOf = async (by: Person, n: number): Promise<Move[]> => {
  const seen = await by.call<Campaign[]>('GET', '/campaigns?limit=6')
  if (seen.status !== 200) throw new Error(`a ${seen.status}: ${JSON.stringify(seen.body)}`)
  const campaigns = seen.body
  const moves = campaigns.flatMap(campaign => campaign.actions.map(action => campaignMove(by, campaign, action, n)))
  const lists =
    by.user.role === 'TESTER'
      ? ['/testers/my-campaigns?limit=6']
      : campaigns.map(({ id }) => `/campaigns/${id}/testers`)
  for (const path of lists) {
    const { body } = await by.call<CampaignTester[]>('GET', path)
    moves.push(...body.flatMap(row => row.actions.map(action => participationMove(by, row, action, n))))
  }
  if (by.user.role === 'DEVELOPER') {
    const body = {
      ...campaignInput,
      testersRequired: 1 + (n % 3),
      payPerTesterCents: pays[n % 5],
      durationDays: 1 + (n % 2),
    }
    const running = campaigns.filter(({ status }) => status === 'LIVE' || status === 'PAUSED')
    for (const { id } of running)
      moves.push({ name: 'nda', by, method: 'PUT', path: `/campaigns/${id}/nda`, body: { text: `Version ${n}` } })
    moves.push({ name: 'create', by, method: 'POST', path: '/campaigns', body: { ...body, dailyCheckIn: n % 2 === 0 } })
  }
  if (by.user.role === 'ADMIN') {
    const { body } = await by.call<{ data: { id: string }[] }>('GET', '/admin/fraud-reports?status=OPEN&limit=6')
    for (const { id } of body.data)
      moves.push({ name: 'dismiss', by, method: 'POST', path: `/admin/fraud-reports/${id}/dismiss`, body: { reason } })
  }
  if (by.user.role === 'TESTER') {
    const paymentMethod = n % 2 === 0 ? 'decline@example.test' : null
    moves.push({
      name: 'method',
      by,
      method: 'PATCH',
      path: '/users/me',
      body: { paymentMethod, currentPassword: password },
    })
    moves.push({
      name: 'withdraw',
      by,
      method: 'POST',
      path: '/testers/withdraw',
      body: { amountCents: 1000 + (n % 500) },
    })
  }
  return moves
}

/** The kinds of actions that have not been accepted yet. */
const awaited = new Set<string>([
  'create',
  'fund',
  'approve',
  'start',
  'join',
  'checkIn',
  'submitProof',
  'verify',
  'withdraw',
  'cancel',
  'closeSeat',
  'reject',
  'leave',
  'update',
  'submit',
  'pause',
  'requestChanges',
  'appeal',
  'decideAppeal',
  'method',
  ...appealOutcomes,
])

/** Much can go wrong after a rejection, and few histories would get there by chance. */
const ofHearing = ['reject', 'appeal', 'decideAppeal']
const isOfHearing = (kind: string) => ofHearing.includes(kind)

const make = async ({ name, by, method, path, body }: Move): Promise<Reply<unknown>> => {
  const reply = await by.call(method, path, body)
  if (reply.status < 300) awaited.delete(name)
  return reply
}

const people = () => [...developers, admin, ...testers]

/** How often each kind of move was tried. */
const tries = new Map<string, number>()
const triesOf = (kind: string) => tries.get(kind) ?? 0

type Choice = {
  who: number
  pick: number
  /** Picks the kind of action that was tried least, so that none is left to chance. */
  leastTried: boolean
  /** Rare kinds may be chosen. */
  rarely: boolean
  /** Prefers a rejection, an appeal or its decision, if one is possible. */
  hearing: boolean
}

const chosen = async ({ who, pick, leastTried, rarely, hearing }: Choice): Promise<Move | undefined> => {
  const moves = await movesOf(people()[who]!, pick)
  const kinds = [...new Set(moves.map(({ name }) => name))].filter(
    kind => rarely || !rare.has(kind) || triesOf(kind) === 0,
  )
  // Kinds that never succeeded, because others came first, rank before all that did. Only for 20 tries, since some depend on other
  // actions.
  const rank = (name: string) => (awaited.has(name) && triesOf(name) < 20 ? -1 : triesOf(name))
  const heard = hearing ? kinds.filter(isOfHearing) : []
  const among = heard.length > 0 ? heard : kinds
  const kind = leastTried ? among.toSorted((a, b) => rank(a) - rank(b))[0] : among[pick % among.length]
  if (kind === undefined) return undefined
  tries.set(kind, triesOf(kind) + 1)
  const ofKind = moves.filter(({ name }) => name === kind)
  return ofKind[pick % ofKind.length]
}

/** Up to three people look up their possible actions, and then act at the same time. */
const step = fc.array(
  fc.record({
    who: fc.nat(6),
    pick: fc.nat(1000),
    leastTried: fc.boolean(),
    rarely: fc.nat(9).map(n => n === 0),
    hearing: fc.nat(3).map(n => n === 0),
  }),
  { minLength: 1, maxLength: 3 },
)
const history = fc.array(
  fc.oneof({ weight: 4, arbitrary: step }, { weight: 1, arbitrary: fc.constantFrom(1, 24, 24, 25, 25, 49, 73, 169) }),
  { minLength: 40, maxLength: 40, size: 'max' },
)

/** The outcomes of the appeals so far. */
const outcomes = async () =>
  (await t.look<{ outcome: AppealOutcome }>('select distinct outcome from appeals where outcome is not null')).map(
    ({ outcome }) => outcome,
  )

const live = async (steps: (number | Choice[])[]) => {
  for (const now of steps) {
    if (typeof now === 'number') {
      await t.advance(now)
      continue
    }
    const moves = await Promise.all(now.map(chosen))
    const replies = await Promise.all(moves.filter(move => move !== undefined).map(make))
    for (const { status, body } of replies) {
      if (status >= 500) throw new Error(`a ${status}: ${JSON.stringify(body)}`)
    }
  }
}

/** Each history begins with a rejected proof, and most with an appeal as well, since few would get there by chance. */
const rejectedFirst = async (index: number) => {
  const [developer, tester] = [developers[index % 2]!, testers[index % 4]!]
  const { id: campaignId } = await liveCampaign(developer, admin, {
    durationDays: 1,
    payPerTesterCents: pays[index % 3],
  })
  const { status, body } = await tester.call<CampaignTester>('POST', `/testers/campaigns/${campaignId}/join`, {
    deviceInfo: device,
  })
  // A tester with too many open tests cannot join.
  if (status !== 201) return
  await tester.call('POST', `/testers/campaign-testers/${body.id}/check-ins`, {})
  await t.advance(24)
  for (const action of ['submitProof', 'reject', 'appeal'] as const) {
    if (action === 'appeal' && index % 4 === 3) continue
    await make(participationMove(action === 'reject' ? developer : tester, body, action, index))
  }
  // Nobody decides on the appeal, so the platform pays.
  if (index % 4 === 1) await t.advance(169)
}

/**
 * The histories are the same each time, but their races are not. A slow machine stops early instead of running into the timeout: no
 * new history begins after this time, once every kind of action has succeeded.
 */
const mostHistories = 60
const budgetMs = 12_000

test('any history of two developers, an admin and four testers keeps every invariant and every cent', async () => {
  const until = performance.now() + budgetMs
  // Each history builds on the previous ones, so shrinking makes no sense.
  const histories = fc.sample(history, { numRuns: mostHistories, seed: 20261121 })
  for (const [index, steps] of histories.entries()) {
    if (awaited.size === 0 && performance.now() > until) break
    await rejectedFirst(index)
    await live(steps)
    expect(await brokenChecks(), `after history ${index + 1}`).toEqual([])
    for (const outcome of await outcomes()) awaited.delete(outcome)
  }
  // The test proves something only if every kind of action happened.
  expect([...awaited]).toEqual([])
}, 240_000)

test('the books balance', async () => expect(await brokenChecks()).toEqual([]))
