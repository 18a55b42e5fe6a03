/** A tester's way through one campaign: joins, checks in from day to day, hands in a proof, is reviewed, takes the money out. */
import { randomUUID } from 'node:crypto'
import type { Campaign } from '../../src/campaigns/contract.ts'
import { balance, withdraw } from '../../src/ledger/server/ledger.ts'
import { minimumWithdrawalCents } from '../../src/settings/terms.ts'
import type { CampaignTester } from '../../src/participations/contract.ts'
import {
  checkIn,
  join,
  leave,
  reject,
  requestChanges,
  submitProof,
  verify,
} from '../../src/participations/server/participations.ts'
import { dayMs, hourMs, minuteMs, nextLocalTime } from './timeline.ts'
import { betterProofOf, changeNotes, checkInNote, proofOf, rejections, thinProofs } from './words.ts'
import { inWakingHours, type Member, payoutDeclined, payTo, type Tester, unlessRefused, type World } from './world.ts'

export type Test = {
  tester: Tester
  owner: Member
  participation: CampaignTester
  /** From then on nothing is heard of the tester. */
  silentFromMs: number
  missedLast: boolean
}

/** Takes a seat; null when there is none or the device does not fit after all. */
export const takeSeat = async (
  world: World,
  tester: Tester,
  owner: Member,
  campaign: Campaign,
): Promise<Test | null> => {
  const taken = await unlessRefused(['CAMPAIGN_FULL', 'WRONG_STATE', 'ALREADY_JOINED'], () =>
    join(tester.acts(), campaign.id, tester.device),
  )
  if (!taken) return null
  const silentFromMs = tester.habit === 'FLEETING' ? world.time.nowMs() + world.chance.between(2, 9) * dayMs : Infinity
  const test: Test = { tester, owner, participation: taken, silentFromMs, missedLast: false }
  if (tester.habit === 'FLEETING' && world.chance.happens(35)) planLeaving(world, test)
  planDays(world, test)
  return test
}

const planLeaving = (world: World, test: Test) => {
  const { tester, participation, silentFromMs } = test
  world.time.at(silentFromMs, async () => {
    await unlessRefused(['WRONG_STATE'], () => leave(tester.acts(), participation.id))
  })
}

/** One check-in a day at the tester's own time of day, give or take; then the proof. */
const planDays = (world: World, test: Test) => {
  const { time, chance } = world
  const { tester, participation } = test
  const { durationDays, dailyCheckIn } = participation.campaign
  const first = nextLocalTime(time.nowMs() + hourMs, tester.timeZone, tester.minuteOfDay)
  for (let day = 0; day < durationDays; day++) {
    time.at(first + day * dayMs + chance.between(-25 * minuteMs, 110 * minuteMs), () =>
      dayInTest(world, test, dailyCheckIn),
    )
  }
  const proofFrom = nextLocalTime(Date.parse(participation.proofAllowedAt), tester.timeZone, tester.minuteOfDay)
  time.at(proofFrom + chance.between(5 * minuteMs, 240 * minuteMs), () => handIn(world, test))
}

const dayInTest = async (world: World, test: Test, daily: boolean) => {
  const { time, chance } = world
  const { tester, participation } = test
  if (time.nowMs() >= test.silentFromMs) return
  const missChance = daily ? (tester.habit === 'STEADY' ? 3 : 13) : 55
  // Whoever tries the demo finds today's check-in still to be done.
  if (tester.place === 0 && time.nowMs() > time.endMs - 18 * hourMs) return
  // Two days in a row would cost the seat.
  test.missedLast = tester.place !== 0 && chance.happens(missChance) && !(daily && test.missedLast)
  if (test.missedLast) return
  await unlessRefused(['WRONG_STATE', 'ALREADY_CHECKED_IN'], () =>
    checkIn(tester.acts(), participation.id, checkInNote(chance)),
  )
}

const handIn = async (world: World, test: Test) => {
  const { time, chance } = world
  const { tester, participation } = test
  if (time.nowMs() >= test.silentFromMs) return
  const { manufacturer = '', model, osVersion = '' } = tester.device
  const device = `${manufacturer} ${model} (${osVersion})`
  const thin = tester.habit !== 'STEADY' && chance.happens(45)
  const proof = thin ? { text: `${chance.pick(thinProofs)} ${model}.`, links: [] } : proofOf(chance, device)
  const handedIn = await unlessRefused(['WRONG_STATE'], () => submitProof(tester.acts(), participation.id, proof))
  if (handedIn) planReview(world, test, { device, thin, again: false })
}

type HandedIn = { device: string; thin: boolean; again: boolean }

const planReview = (world: World, test: Test, handedIn: HandedIn) => {
  const { time, chance } = world
  if (chance.happens(11) && !handedIn.thin) {
    // Nobody looks at it, and 72 hours of silence verify it.
    time.after(73 * hourMs, () => done(world, test))
    return
  }
  time.at(inWakingHours(world, test.owner, chance.between(3, 44) * hourMs), () => review(world, test, handedIn))
}

const review = async (world: World, test: Test, { device, thin, again }: HandedIn) => {
  const { chance } = world
  const { owner, participation } = test
  const { id } = participation
  const [reviewer, key] = [owner.acts(), randomUUID()]
  if (again || (!thin && chance.happens(94))) {
    await unlessRefused(['WRONG_STATE'], () => verify(reviewer, id, key))
    await done(world, test)
    return
  }
  // The first thin one never passes, so that every story has a rejection.
  const strict = thin && !world.hasRejected
  if (strict || (thin && chance.happens(35))) {
    world.hasRejected = true
    await unlessRefused(['WRONG_STATE'], () => reject(reviewer, id, chance.pick(rejections), key))
    return
  }
  const asked = await unlessRefused(['WRONG_STATE'], () => requestChanges(reviewer, id, chance.pick(changeNotes)))
  if (asked)
    world.time.at(inWakingHours(world, test.tester, chance.between(5, 30) * hourMs), () => improve(world, test, device))
}

const improve = async (world: World, test: Test, device: string) => {
  const { tester, participation } = test
  if (world.time.nowMs() >= test.silentFromMs) return
  const better = betterProofOf(world.chance, device)
  const handedIn = await unlessRefused(['WRONG_STATE'], () => submitProof(tester.acts(), participation.id, better))
  if (handedIn) planReview(world, test, { device, thin: false, again: true })
}

/** Verified and paid: some take the money out within the week, some let it grow. */
const done = async (world: World, { tester }: Test) => {
  if (world.chance.happens(60) || payoutDeclined.has(tester.name)) {
    world.time.at(inWakingHours(world, tester, world.chance.between(6, 130) * hourMs), () => takeOut(world, tester))
  }
}

/** Kept back by the tester whose login is printed, so that there is something to withdraw. */
const keptCents = 2500

const takeOut = async (world: World, tester: Tester) => {
  const { balanceCents } = await balance(tester.user)
  const amountCents = balanceCents - (tester.place === 0 ? keptCents : 0)
  if (amountCents < minimumWithdrawalCents) return
  const asked = await unlessRefused(['PAYOUT_METHOD_PAUSED'], () => withdraw(tester.acts(), amountCents, randomUUID()))
  if (!asked?.destination.startsWith('decline+')) return
  // It fails, and the money comes back. A new payment method is not used for 24 hours.
  world.time.after(2 * dayMs, () => payTo(tester.acts(), tester.email).then(() => undefined))
  world.time.after(3 * dayMs + hourMs, () => takeOut(world, tester))
}
