/** One tester's test: joins, checks in every day, submits a proof, is reviewed, and withdraws the money. */
import { randomUUID } from 'node:crypto'
import type { Campaign } from '../../src/campaigns/contract.ts'
import { hasTesterList } from '../../src/campaigns/rules.ts'
import { withdraw } from '../../src/ledger/server/payouts.ts'
import { balance } from '../../src/ledger/server/statements.ts'
import { minimumWithdrawalCents } from '../../src/settings/terms.ts'
import type { CampaignTester, Joining } from '../../src/participations/contract.ts'
import { acceptOffer, join } from '../../src/participations/server/joining.ts'
import { checkIn, leave, submitProof } from '../../src/participations/server/ownTest.ts'
import { reject, requestChanges, verify } from '../../src/participations/server/review.ts'
import { dayMs, hourMs, minuteMs, nextLocalTime } from './timeline.ts'
import { betterProofOf, changeNotes, checkInOf, proofOf, rejections, thinProofs } from './words.ts'
import { planBugs } from './bugs.ts'
import { acceptedNda, answersOf, planAnswer } from './feedback.ts'
import { inWakingHours, type Member, payoutDeclined, payTo, type Tester, unlessRefused, type Demo } from './context.ts'

export type Test = {
  tester: Tester
  owner: Member
  participation: CampaignTester
  /** From then on, the tester does nothing. */
  silentFromMs: number
  missedLast: boolean
}

const joiningOf = (tester: Tester, { accessMode }: Campaign): Joining => ({
  deviceInfo: tester.device,
  ...(hasTesterList(accessMode) && { playEmail: tester.email, consent: true }),
})

/** Others were faster, or testers no longer see the campaign because it is paused or over. */
const notTaken = ['CAMPAIGN_FULL', 'WRONG_STATE', 'ALREADY_JOINED', 'LIMIT_REACHED', 'NOT_FOUND'] as const

/** Takes a seat; null if there is none or the device does not fit. */
export const takeSeat = async (demo: Demo, tester: Tester, owner: Member, campaign: Campaign): Promise<Test | null> => {
  const taken = await unlessRefused(notTaken, () => join(tester.acts(), campaign.id, joiningOf(tester, campaign)))
  return taken && seated(demo, tester, owner, await acceptedNda(tester, taken))
}

/** Enters the bench, and checks twice a day whether a seat is held. */
export const waitForSeat = async (
  demo: Demo,
  tester: Tester,
  campaign: Campaign,
  onSeat: (taken: CampaignTester) => void,
): Promise<void> => {
  const entered = await unlessRefused(notTaken, () =>
    join(tester.acts(), campaign.id, { ...joiningOf(tester, campaign), waitlist: true }),
  )
  if (!entered) return
  if (entered.status === 'WAITLISTED') lookForSeat(demo, tester, entered.id, onSeat)
  else onSeat(entered)
}

const lookForSeat = (demo: Demo, tester: Tester, id: string, onSeat: (taken: CampaignTester) => void) => {
  demo.time.at(inWakingHours(demo, tester, 11 * hourMs), async () => {
    const accepted = await unlessRefused(['WRONG_STATE', 'LIMIT_REACHED'], () => acceptOffer(tester.acts(), id))
    if (accepted) onSeat(accepted)
    else lookForSeat(demo, tester, id, onSeat)
  })
}

/** The days begin now, or with the opt-in. */
export const seated = (demo: Demo, tester: Tester, owner: Member, taken: CampaignTester): Test => {
  const silentFromMs = tester.habit === 'FLEETING' ? demo.time.nowMs() + demo.chance.between(2, 9) * dayMs : Infinity
  const test: Test = { tester, owner, participation: taken, silentFromMs, missedLast: false }
  if (tester.habit === 'FLEETING' && demo.chance.happens(35)) planLeave(demo, test)
  if (taken.funnel === null) planDays(demo, test)
  planBugs(demo, test)
  return test
}

const planLeave = (demo: Demo, test: Test) => {
  const { tester, participation, silentFromMs } = test
  demo.time.at(silentFromMs, async () => {
    await unlessRefused(['WRONG_STATE'], () => leave(tester.acts(), participation.id))
  })
}

/** One check-in a day at about the tester's usual time, then the proof. */
export const planDays = (demo: Demo, test: Test) => {
  const { time, chance } = demo
  const { tester, participation } = test
  const { durationDays, dailyCheckIn } = participation.campaign
  const first = nextLocalTime(time.nowMs() + hourMs, tester.timeZone, tester.minuteOfDay)
  for (let day = 0; day < durationDays; day++) {
    time.at(first + day * dayMs + chance.between(-25 * minuteMs, 110 * minuteMs), () =>
      dayInTest(demo, test, dailyCheckIn),
    )
  }
  const proofFrom = nextLocalTime(
    Date.parse(participation.proofAllowedAt ?? participation.joinedAt),
    tester.timeZone,
    tester.minuteOfDay,
  )
  time.at(proofFrom + chance.between(5 * minuteMs, 240 * minuteMs), () => submit(demo, test))
}

const dayInTest = async (demo: Demo, test: Test, daily: boolean) => {
  const { time, chance } = demo
  const { tester, participation } = test
  if (time.nowMs() >= test.silentFromMs) return
  const missChance = daily ? (tester.habit === 'STEADY' ? 3 : 13) : 55
  // Leaves today's check-in to whoever tries out the demo.
  if (tester.place === 0 && time.nowMs() > time.endMs - 18 * hourMs) return
  // Skipping two days in a row would cost the seat.
  test.missedLast = tester.place !== 0 && chance.happens(missChance) && !(daily && test.missedLast)
  if (test.missedLast) return
  await unlessRefused(['WRONG_STATE', 'ALREADY_CHECKED_IN'], () =>
    checkIn(tester.acts(), participation.id, checkInOf(chance, participation.campaign.features)),
  )
}

const submit = async (demo: Demo, test: Test) => {
  const { time, chance } = demo
  const { tester, participation } = test
  if (time.nowMs() >= test.silentFromMs) return
  const { manufacturer = '', model, osVersion = '' } = tester.device
  const device = `${manufacturer} ${model} (${osVersion})`
  const thin = tester.habit !== 'STEADY' && chance.happens(45)
  const proof = thin ? { text: `${chance.pick(thinProofs)} ${model}.`, links: [] } : proofOf(chance, device)
  const feedback = await answersOf(tester, participation.id)
  const submitted = await unlessRefused(['WRONG_STATE'], () =>
    submitProof(tester.acts(), participation.id, { proof: { ...proof, attachmentIds: [] }, feedback }),
  )
  if (submitted && feedback) planAnswer(demo, tester, test.owner, participation)
  if (submitted) planReview(demo, test, { device, thin, again: false })
}

type Submitted = { device: string; thin: boolean; again: boolean }

const planReview = (demo: Demo, test: Test, submitted: Submitted) => {
  const { time, chance } = demo
  if (chance.happens(11) && !submitted.thin) {
    // Nobody reviews the proof, so it is verified automatically after 72 hours.
    time.after(73 * hourMs, () => done(demo, test))
    return
  }
  time.at(inWakingHours(demo, test.owner, chance.between(3, 44) * hourMs), () => review(demo, test, submitted))
}

const review = async (demo: Demo, test: Test, { device, thin, again }: Submitted) => {
  const { chance } = demo
  const { owner, participation } = test
  const { id } = participation
  const [reviewer, key] = [owner.acts(), randomUUID()]
  if (again || (!thin && chance.happens(94))) {
    await unlessRefused(['WRONG_STATE'], () => verify(reviewer, id, {}, key))
    await done(demo, test)
    return
  }
  // The first poor proof never passes, so that the demo always has a rejection.
  const strict = thin && !demo.hasRejected
  if (strict || (thin && chance.happens(35))) {
    demo.hasRejected = true
    await unlessRefused(['WRONG_STATE'], () => reject(reviewer, id, chance.pick(rejections), key))
    return
  }
  const asked = await unlessRefused(['WRONG_STATE'], () =>
    requestChanges(reviewer, id, { note: chance.pick(changeNotes) }),
  )
  if (asked)
    demo.time.at(inWakingHours(demo, test.tester, chance.between(5, 30) * hourMs), () => improve(demo, test, device))
}

const improve = async (demo: Demo, test: Test, device: string) => {
  const { tester, participation } = test
  if (demo.time.nowMs() >= test.silentFromMs) return
  const better = betterProofOf(demo.chance, device)
  const submitted = await unlessRefused(['WRONG_STATE'], () =>
    submitProof(tester.acts(), participation.id, { proof: { ...better, attachmentIds: [] } }),
  )
  if (submitted) planReview(demo, test, { device, thin: false, again: true })
}

/** Verified and paid: some withdraw within the week, others let their balance grow. */
const done = async (demo: Demo, { tester }: Test) => {
  if (demo.chance.happens(60) || payoutDeclined.has(tester.name)) {
    demo.time.at(inWakingHours(demo, tester, demo.chance.between(6, 130) * hourMs), () => withdrawBalance(demo, tester))
  }
}

/** Stays in the balance of the tester whose login is printed, so that there is something to withdraw. */
const keptCents = 2500

const withdrawBalance = async (demo: Demo, tester: Tester) => {
  const { balanceCents } = await balance(tester.user)
  const amountCents = balanceCents - (tester.place === 0 ? keptCents : 0)
  if (amountCents < minimumWithdrawalCents) return
  const asked = await unlessRefused(['PAYOUT_METHOD_PAUSED'], () => withdraw(tester.acts(), amountCents, randomUUID()))
  if (!asked?.destination.startsWith('decline+')) return
  // The withdrawal fails, and the money comes back. A new payment method pauses withdrawals for 24 hours.
  demo.time.after(2 * dayMs, () => payTo(demo, tester.acts(), tester.email).then(() => undefined))
  demo.time.after(3 * dayMs + hourMs, () => withdrawBalance(demo, tester))
}
