/** A random history of the product: people act through the API, in any order. The same seed gives the same history. */
import { clock } from '../kit/clock.ts'
import { campaignInput, device, liveCampaign, type Person, proof, type TestApp } from './app.ts'

/** Random numbers from 0 up to 1, the same for the same seed. */
const randomOf = (seed: number) => {
  let state = seed
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 4_294_967_296
    return state / 4_294_967_296
  }
}

export type History = {
  developers: Person[]
  /** Takes a random step, or the named one, and returns its name. A refused step changes nothing. */
  step: (name?: string) => Promise<string>
}

type Row = { id: string; owner: string; status: string }

export const historyOf = async (t: TestApp, seed: number): Promise<History> => {
  const random = randomOf(seed)
  const below = (count: number) => Math.floor(random() * count)
  const oneOf = <T>(all: readonly T[]): T | undefined => all[below(all.length)]
  const admin = await t.signUp('ADMIN')
  const developers = [await t.signUp('DEVELOPER'), await t.signUp('DEVELOPER')]
  const testers = [await t.signUp('TESTER'), await t.signUp('TESTER'), await t.signUp('TESTER')]
  const byId = (people: Person[], id: string | undefined) => people.find(({ user }) => user.id === id)
  const campaign = async (...statuses: string[]) =>
    oneOf(
      await t.look<Row>(
        `select id, developer_id as owner, status from campaigns where status = any($1) order by created_at, id`,
        [statuses],
      ),
    )
  const test = async (...statuses: string[]) =>
    oneOf(
      await t.look<Row>(
        `select id, tester_id as owner, status from participations where status = any($1) order by joined_at, id`,
        [statuses],
      ),
    )

  const ofCampaign = (statuses: string[], act: (id: string, owner: Person) => Promise<unknown>) => async () => {
    const found = await campaign(...statuses)
    const owner = byId(developers, found?.owner)
    if (found && owner) await act(found.id, owner)
  }
  const ofTest = (statuses: string[], act: (path: string, tester: Person) => Promise<unknown>) => async () => {
    const found = await test(...statuses)
    const tester = byId(testers, found?.owner)
    if (found && tester) await act(found.id, tester)
  }
  const terms = () => ({
    ...campaignInput,
    testersRequired: 1 + below(3),
    payPerTesterCents: 100 + below(5000),
    durationDays: 1 + below(2),
    dailyCheckIn: random() < 0.7,
  })
  const draft = () => oneOf(developers)!.call('POST', '/campaigns', terms())
  const fund = ofCampaign(['DRAFT'], async (id, owner) => {
    const { body } = await owner.call<{ totalCostCents: number; fundedCents: number; feeCents: number }>(
      'GET',
      `/campaigns/${id}`,
    )
    await owner.call('POST', `/campaigns/${id}/fund`, {
      amountCents: body.totalCostCents - body.fundedCents - body.feeCents,
    })
  })
  const edit = ofCampaign(['DRAFT', 'REJECTED'], (id, owner) =>
    owner.call('PATCH', `/campaigns/${id}`, { payPerTesterCents: 100 + below(5000), durationDays: 1 + below(2) }),
  )
  const proven = ofTest(['ACTIVE', 'CHANGES_REQUESTED'], (id, tester) =>
    tester.call('POST', `/testers/campaign-testers/${id}/proof`, { proof }),
  )
  const reason = 'It does not follow the instructions of the campaign.'
  const review = (verb: string, body?: object) => async () => {
    const found = await test('SUBMITTED')
    if (found) await admin.call('POST', `/campaign-testers/${found.id}/${verb}`, body)
  }
  const join = async () => {
    const found = await campaign('LIVE')
    if (found) await oneOf(testers)!.call('POST', `/testers/campaigns/${found.id}/join`, { deviceInfo: device })
  }
  const checkIn = ofTest(['ACTIVE', 'CHANGES_REQUESTED', 'SUBMITTED'], (id, tester) =>
    tester.call('POST', `/testers/campaign-testers/${id}/check-ins`, {}),
  )
  const start = ofCampaign(['APPROVED', 'PAUSED'], (id, owner) => owner.call('POST', `/campaigns/${id}/start`))
  /** A suspended tester takes no further steps, since no refresh succeeds for them. */
  const suspend = async () => {
    const [suspended] = testers.splice(below(testers.length), 1)
    await admin.call('POST', `/admin/users/${suspended!.user.id}/ban`, { reason })
    if (testers.length === 0) testers.push(await t.signUp('TESTER'))
  }
  /** Acts as a server whose clock is wrong. */
  const skewed = (act: () => Promise<unknown>) => async () => {
    const right = clock.offsetMs()
    clock.setOffsetMs(right + (random() - 0.5) * 4 * 60_000)
    await act().finally(() => clock.setOffsetMs(right))
  }
  const steps: Record<string, [weight: number, act: () => Promise<unknown>]> = {
    'a developer registers': [1, async () => developers.push(await t.signUp('DEVELOPER'))],
    'a tester registers': [3, async () => testers.push(await t.signUp('TESTER'))],
    'a draft': [6, draft],
    'a campaign that runs': [6, () => liveCampaign(oneOf(developers)!, admin, terms())],
    'a payment': [8, fund],
    'a payment by a wrong clock': [2, skewed(fund)],
    'an edit': [2, edit],
    'an approval': [8, ofCampaign(['PENDING_APPROVAL'], id => admin.call('POST', `/admin/campaigns/${id}/approve`))],
    'a rejected campaign': [
      1,
      ofCampaign(['PENDING_APPROVAL'], id => admin.call('POST', `/admin/campaigns/${id}/reject`, { reason })),
    ],
    'a start': [8, start],
    'a pause': [1, ofCampaign(['LIVE'], (id, owner) => owner.call('POST', `/campaigns/${id}/pause`))],
    'a cancelled campaign': [
      1,
      ofCampaign(['LIVE', 'APPROVED', 'PENDING_APPROVAL'], (id, owner) =>
        owner.call('POST', `/campaigns/${id}/cancel`),
      ),
    ],
    'a closed seat': [1, ofCampaign(['LIVE'], (id, owner) => owner.call('POST', `/campaigns/${id}/close-seat`))],
    'a new link': [
      2,
      ofCampaign(['LIVE'], (id, owner) =>
        owner.call('PATCH', `/campaigns/${id}`, {
          distributionLink: `https://play.google.com/apps/testing/${below(99)}`,
        }),
      ),
    ],
    'an approved link': [1, ofCampaign(['LIVE'], id => admin.call('POST', `/admin/campaigns/${id}/approve-link`))],
    'a join': [14, join],
    'a join by a wrong clock': [3, skewed(join)],
    'a check-in': [14, checkIn],
    'a proof': [20, proven],
    'a proof by a wrong clock': [2, skewed(proven)],
    'a verified test': [6, review('verify')],
    'a verified test by a wrong clock': [2, skewed(review('verify'))],
    'requested changes': [2, review('request-changes', { note: reason })],
    'a rejected test': [2, review('reject', { code: 'OTHER', reason })],
    'a tester leaves': [
      1,
      ofTest(['ACTIVE'], (id, tester) => tester.call('POST', `/testers/campaign-testers/${id}/leave`)),
    ],
    'a suspension': [1, suspend],
    'hours pass': [10, () => t.advance(1 + below(24))],
    'weeks pass': [2, () => t.advance(24 * (5 + below(20)))],
  }
  const names = Object.entries(steps).flatMap(([name, [weight]]) => Array.from({ length: weight }, () => name))
  return {
    developers,
    step: async (name = oneOf(names)!) => {
      await steps[name]![1]()
      return name
    },
  }
}
