/** Plays a campaign's plan, from the draft to its final state. */
import { randomUUID } from 'node:crypto'
import { type Campaign, NewCampaign } from '../../src/campaigns/contract.ts'
import {
  approve,
  cancel,
  create,
  fund,
  get,
  pause,
  reject,
  start,
  submit,
  update,
} from '../../src/campaigns/server/campaigns.ts'
import { hasTesterList } from '../../src/campaigns/rules.ts'
import { clock, daysAfter } from '../../src/kit/clock.ts'
import { autocommit, sql, transact } from '../../src/kit/server/db.ts'
import { disputeChanged } from '../../src/ledger/server/disputes.ts'
import { countryCodeOf } from '../../src/kit/countries.ts'
import { whyNotEligible } from '../../src/participations/eligibility.ts'
import { appeal } from '../../src/participations/server/appeals.ts'
import { reject as rejectProof, requestChanges } from '../../src/participations/server/review.ts'
import { firstRejectionReason, groupLinkOf, linkOf, rejectionReason } from './campaigns.ts'
import { prepare } from './feedback.ts'
import type { CampaignPlan } from './plan.ts'
import { admin as adminProfile } from './people.ts'
import { planTesterList } from './testerList.ts'
import { seated, takeSeat, type Test, waitForSeat } from './testing.ts'
import { dayMs, hourMs, nextLocalTime } from './timeline.ts'
import { appealReason, changeNotes, rejections } from './words.ts'
import { inWakingHours, type Member, minutes, payTo, type Tester, unlessRefused, type Demo } from './context.ts'

const draftOf = (plan: CampaignPlan) =>
  NewCampaign.parse({
    title: plan.title,
    description: plan.description,
    platform: plan.platform ?? 'android',
    distributionLink: linkOf(plan),
    testersRequired: plan.testers,
    payPerTesterCents: plan.payCents,
    durationDays: plan.days,
    dailyCheckIn: plan.dailyCheckIn ?? true,
    accessMode: plan.accessMode,
    groupLink: plan.accessMode === 'GOOGLE_GROUP' ? groupLinkOf(plan) : null,
    features: plan.features,
    filters: { countries: plan.countries ?? [], minAndroidVersion: plan.minAndroidVersion ?? null },
  })

/** A time in the owner's office hours; within the last two days, accurate to the hour instead. */
const daysAgo = ({ time, chance }: Demo, { timeZone }: Member, days: number) => {
  const atMs = time.endMs - days * dayMs - chance.between(0, hourMs)
  return days < 2 ? atMs : nextLocalTime(atMs, timeZone, chance.between(9 * 60, 18 * 60))
}

export const planCampaign = (demo: Demo, plan: CampaignPlan): void => {
  const owner = demo.developers[plan.owner]!
  const { time } = demo
  time.at(daysAgo(demo, owner, plan.createdDaysAgo), async () => {
    const { id } = await create(owner.acts(), draftOf(plan))
    await prepare(plan, owner, id)
    if (plan.endedDaysAgo !== undefined) {
      time.at(daysAgo(demo, owner, plan.endedDaysAgo), async () => {
        if (plan.ends === 'PAUSED') await pause(owner.acts(), id)
        else await cancel(owner.acts(), id, randomUUID())
      })
    }
    if (plan.app === 'grocersplit' || plan.ends === 'DRAFT') return
    time.after(minutes(demo.chance.between(8, 55)), () => payFor(demo, plan, owner, id))
  })
}

const payFor = async (demo: Demo, plan: CampaignPlan, owner: Member, id: string) => {
  const { outstandingCents } = await get(owner.acts(), id)
  const pay = () => fund(owner.acts(), { campaignId: id, amountCents: outstandingCents }, { key: randomUUID() })
  if (plan.event === 'DECLINED_PAYMENT') {
    await payTo(demo, owner.acts(), `decline+${owner.email}`)
    await unlessRefused(['PAYMENT_DECLINED'], pay)
    await payTo(demo, owner.acts(), null)
  }
  await pay()
  if (plan.ends === 'PENDING_APPROVAL' || plan.app === 'tangosteps') return
  demo.time.at(inWakingHours(demo, adminProfile, 2 * hourMs), () => decide(demo, plan, owner, id))
}

const decide = async (demo: Demo, plan: CampaignPlan, owner: Member, id: string) => {
  if (plan.ends === 'REJECTED') {
    await reject(demo.admin.acts(), id, rejectionReason)
    return
  }
  if (plan.event === 'REJECTED_FIRST') {
    await reject(demo.admin.acts(), id, firstRejectionReason)
    demo.time.after(5 * hourMs, () => correct(demo, plan, owner, id))
    return
  }
  await approve(demo.admin.acts(), id)
  planStart(demo, plan, owner, id)
}

/** Lowers the number of testers by two, so that money is refunded, and submits the campaign again. */
const correct = async (demo: Demo, plan: CampaignPlan, owner: Member, id: string) => {
  await update(owner.acts(), id, { testersRequired: plan.testers - 2, distributionLink: `${linkOf(plan)}/open` })
  await submit(owner.acts(), id)
  demo.time.after(6 * hourMs, async () => {
    await approve(demo.admin.acts(), id)
    planStart(demo, plan, owner, id)
  })
}

const planStart = (demo: Demo, plan: CampaignPlan, owner: Member, id: string) => {
  if (plan.ends === 'APPROVED') return
  demo.time.at(inWakingHours(demo, owner, hourMs), async () => {
    const campaign = await start(owner.acts(), id)
    await recruit(demo, plan, owner, campaign)
    if (plan.event === 'PAUSED_ONCE') {
      demo.time.after(2 * dayMs, async () => void (await pause(owner.acts(), id)))
      demo.time.after(3 * dayMs, async () => void (await start(owner.acts(), id)))
    }
  })
}

const mostTestsAtOnce = 4

const fits = (tester: Tester, campaign: Campaign) =>
  whyNotEligible(
    {
      platform: campaign.platform,
      countryCodes: campaign.filters.countries.map(name => countryCodeOf(name) ?? ''),
      minAndroidVersion: campaign.filters.minAndroidVersion,
      minIOSVersion: campaign.filters.minIOSVersion,
    },
    tester,
    tester.device,
  ) === null

/** Testers who can join, in order; the one whose login is printed comes first. */
const candidates = async (demo: Demo, campaign: Campaign): Promise<Tester[]> => {
  const busy = await autocommit.rows<{ id: string }>(sql`select tester_id as id from participations
    where closed_at is null group by 1 having count(*) >= ${mostTestsAtOnce}`)
  const tooBusy = new Set(busy.map(({ id }) => id))
  return demo.chance
    .shuffled(demo.testers)
    .filter(tester => fits(tester, campaign) && !tooBusy.has(tester.user.id))
    .toSorted((a, b) => Number(b.place === 0) - Number(a.place === 0))
}

/** Testers join over the first two days, most of them early; those who drop out are replaced while there is time. */
const recruit = async (demo: Demo, plan: CampaignPlan, owner: Member, campaign: Campaign) => {
  const { time, chance } = demo
  const wanted = plan.joiners ?? campaign.testersRequired
  const coming = await candidates(demo, campaign)
  const tests: Test[] = []
  const come = (tester: Tester) => async () => {
    const test = await takeSeat(demo, tester, owner, campaign)
    if (test) tests.push(test)
  }
  for (const [place, tester] of coming.slice(0, wanted).entries()) {
    time.at(inWakingHours(demo, tester, Math.trunc((place / wanted) ** 1.6 * 54 * hourMs)), come(tester))
  }
  const reserve = coming.slice(wanted)
  for (const tester of reserve.splice(0, plan.bench ?? 0)) {
    time.at(inWakingHours(demo, tester, chance.between(70, 90) * hourMs), () =>
      waitForSeat(demo, tester, campaign, taken => tests.push(seated(demo, tester, owner, taken))),
    )
  }
  for (let day = 4; day <= 8 && plan.joiners === undefined; day++) {
    const next = reserve.shift()
    if (next) time.at(inWakingHours(demo, next, day * dayMs + chance.between(0, 9) * hourMs), come(next))
  }
  if (hasTesterList(campaign.accessMode)) planTesterList(demo, { owner, campaignId: campaign.id, plan, tests })
  if (plan.event === 'LINK_CHANGED') {
    time.at(time.endMs - 9 * hourMs, async () => {
      await update(owner.acts(), campaign.id, { distributionLink: `${linkOf(plan)}.beta` })
    })
  }
  if (plan.event === 'PROOF_SENT_BACK') {
    planRequestForChanges(demo, owner, tests)
    planAppeal(demo, owner, tests)
  }
  if (plan.event === 'PAYMENT_DISPUTED') time.at(time.endMs - 2 * dayMs, () => disputePayment(campaign.id))
  if (plan.event === 'TESTERS_SILENT') {
    time.at(time.endMs - warnedForHours * hourMs, async () => {
      for (const test of tests.filter(fading(demo)).slice(0, 2)) test.silentFromMs = time.nowMs()
    })
  }
}

/** The developer's bank inquires about the payment: an admin has to answer it, and to record the outcome. */
const disputePayment = async (campaignId: string) => {
  const payment = await autocommit.one<{ id: string; amountCents: number }>(
    sql`select id, amount_cents as "amountCents" from payments where campaign_id = ${campaignId} and status = 'COMPLETED'`,
    'Payment',
  )
  await transact(tx =>
    disputeChanged(tx, {
      provider: 'sandbox',
      reference: `sandbox-dispute:${payment.id}`,
      paymentId: payment.id,
      amountCents: payment.amountCents,
      reason: 'The cardholder does not recognize the payment.',
      status: 'OPEN',
      evidenceDueAt: daysAfter(clock.now(), 7),
      at: clock.now(),
    }),
  )
}

/** Shortly before the end, changes are requested for one of the proofs under review. */
const planRequestForChanges = (demo: Demo, owner: Member, tests: Test[]) => {
  demo.time.at(demo.time.endMs - hourMs / 3, async () => {
    for (const { participation, tester } of tests) {
      const ask = () => requestChanges(owner.acts(), participation.id, { note: changeNotes[0]! })
      if (tester.place !== 0 && (await unlessRefused(['WRONG_STATE'], ask))) return
    }
  })
}

/** One of the proofs is rejected, and its tester appeals a few hours later: an admin has to decide. */
const planAppeal = (demo: Demo, owner: Member, tests: Test[]) => {
  demo.time.at(demo.time.endMs - 10 * hourMs, async () => {
    for (const { participation, tester } of tests) {
      if (tester.place === 0) continue
      const refuse = () => rejectProof(owner.acts(), participation.id, rejections[0]!, randomUUID())
      if (!(await unlessRefused(['WRONG_STATE'], refuse))) continue
      demo.time.after(3 * hourMs, async () => {
        await appeal(tester.acts(), participation.id, { reason: appealReason, attachmentIds: [] })
      })
      return
    }
  })
}

const warnedForHours = 50

/** Testers whose last check-in is 50 to 68 hours ago at the end: they are warned, but not dropped yet. */
const fading =
  ({ time }: Demo) =>
  ({ tester }: Test) => {
    if (tester.place === 0 || tester.habit !== 'STEADY') return false
    const last = nextLocalTime(time.nowMs() - dayMs, tester.timeZone, tester.minuteOfDay)
    return time.endMs - last < 68 * hourMs
  }
