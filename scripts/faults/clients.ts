/** The clients: developers, admins and testers play through one-day campaigns, and move money at each step. */
import { setTimeout as pause } from 'node:timers/promises'
import type { Calls } from './calls.ts'
import type { Random } from './random.ts'
import type { Someone } from './people.ts'

type Test = { id: string; campaignId: string; developer: Someone; tester: Someone }
type Market = { toApprove: Pending[]; open: Open[]; waiting: Test[]; proven: Test[]; earned: Someone[] }
type Pending = { id: string; developer: Someone }
type Open = Pending & { seats: number }

export type Crowd = { developers: Someone[]; testers: Someone[]; admins: Someone[] }

const terms = {
  title: 'Try our notes app',
  description: 'Write a note every day and tell us what is in the way.',
  platform: 'android',
  distributionLink: 'https://play.google.com/apps/testing/com.example.notes',
  payPerTesterCents: 1000,
  durationDays: 1,
  dailyCheckIn: false,
}
const device = { platform: 'android', osVersion: '14', model: 'Pixel 8', manufacturer: 'Google' }
const note = 'I wrote a note on each of the days and found that the search forgets what was typed'
const idleMs = 50

/** Three clients act as admins, a third of the others as developers, the rest as testers. Resolves once all is answered. */
export const play = async (
  calls: Calls,
  crowd: Crowd,
  random: Random,
  clients: number,
  over: AbortSignal,
): Promise<void> => {
  const market: Market = { toApprove: [], open: [], waiting: [], proven: [], earned: [] }
  const { move, look } = calls
  const one = (people: readonly Someone[]) => people[random.below(people.length)]!
  const takeOne = <T>(from: T[]): T | undefined => from.splice(random.below(from.length), 1)[0]

  const developer = async (who: Someone) => {
    const draft = await move('create', who, '/campaigns', { ...terms, testersRequired: 1 + random.below(4) })
    if (!draft) return
    const { id, totalCostCents: amountCents } = draft.answer as { id: string; totalCostCents: number }
    if (random.below(6) === 0) {
      // The cancellation ends the payment, or finds it completed.
      await Promise.all([
        move('fund', who, `/campaigns/${id}/fund`, { amountCents }),
        move('cancel', who, `/campaigns/${id}/cancel`),
      ])
      return
    }
    await move('fund', who, `/campaigns/${id}/fund`, { amountCents })
    market.toApprove.push({ id, developer: who })
  }
  const admin = async (who: Someone) => {
    const next = takeOne(market.toApprove)
    if (!next) return pause(idleMs)
    const campaign = await look<{ status: string; testersRequired: number }>(next.developer, `/campaigns/${next.id}`)
    if (campaign?.status === 'PENDING_APPROVAL') await move('approve', who, `/admin/campaigns/${next.id}/approve`)
    else if (campaign?.status === 'APPROVED') {
      await move('start', next.developer, `/campaigns/${next.id}/start`)
      market.open.push({ ...next, seats: campaign.testersRequired })
      return
    } else if (campaign?.status === 'LIVE') {
      market.open.push({ ...next, seats: campaign.testersRequired })
      return
    } else if (campaign?.status === 'CANCELLED' || (campaign && random.below(20) === 0)) return
    market.toApprove.push(next)
    await pause(idleMs)
  }
  const reviewer = async () => {
    const test = takeOne(market.proven)
    if (test && (await move('verify', test.developer, `/campaign-testers/${test.id}/verify`)))
      market.earned.push(test.tester)
    return test
  }
  const ender = async () => {
    const campaign = takeOne(market.open)
    if (!campaign) return
    if (random.below(3) > 0) await move('close-seat', campaign.developer, `/campaigns/${campaign.id}/close-seat`)
    else await move('cancel', campaign.developer, `/campaigns/${campaign.id}/cancel`)
  }
  const joiner = async (tester: Someone) => {
    const campaign = market.open[random.below(market.open.length)]
    if (!campaign) return false
    const joined = await move('join', tester, `/testers/campaigns/${campaign.id}/join`, { deviceInfo: device })
    if (joined) {
      const test = { id: String(joined.answer['id']), campaignId: campaign.id, developer: campaign.developer, tester }
      market.waiting.push(test)
      await move('check-in', tester, `/testers/campaign-testers/${test.id}/check-ins`, {})
      if (--campaign.seats > 0) return true
    } else if (random.below(8) > 0) return true
    market.open = market.open.filter(({ id }) => id !== campaign.id)
    return true
  }
  const prover = async () => {
    const test = takeOne(market.waiting)
    if (!test) return false
    const proof = { proof: `${note} ${test.id}.` }
    const proven = await move('proof', test.tester, `/testers/campaign-testers/${test.id}/proof`, proof)
    if (proven) market.proven.push(test)
    else if (random.below(30) > 0) market.waiting.push(test)
    return true
  }
  const withdrawer = async () => {
    const tester = takeOne(market.earned) ?? one(crowd.testers)
    const balance = await look<{ balanceCents: number }>(tester, '/testers/balance')
    if (!balance || balance.balanceCents < 1000) return false
    // Sometimes two withdrawals of the whole balance at once: one finds nothing left.
    const body = { amountCents: balance.balanceCents }
    await Promise.all([
      move('withdraw', tester, '/testers/withdraw', body),
      ...(random.below(4) === 0 ? [move('withdraw', tester, '/testers/withdraw', body)] : []),
    ])
    return true
  }

  const client = async (number: number) => {
    while (!over.aborted) {
      if (number < 3) await admin(one(crowd.admins))
      else if (number % 3 === 0) {
        // On a busy machine jobs would be added faster than they are done, and the day would never end.
        if (calls.days.isLate) await pause(idleMs)
        else if (market.toApprove.length + market.open.length < 60) await developer(one(crowd.developers))
        else if (random.below(2) === 0) await ender()
        // Pauses, because otherwise nobody else would get a turn.
        if (!(await reviewer())) await pause(idleMs)
      } else {
        const tester = one(crowd.testers)
        const acts = [() => joiner(tester), prover, withdrawer, reviewer]
        if (!(await acts[random.below(acts.length)]!())) await pause(idleMs)
      }
    }
  }
  await Promise.all(Array.from({ length: clients }, (_, number) => client(number)))
}
