/** A campaign's life in the demo, from the draft to where its story says that it ends. */
import { randomUUID } from 'node:crypto'
import { updateMe } from '../../src/accounts/server/accounts.ts'
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
import { autocommit, sql } from '../../src/kit/server/db.ts'
import { countryCodeOf } from '../../src/kit/countries.ts'
import { whyNotEligible } from '../../src/participations/rules.ts'
import { requestChanges } from '../../src/participations/server/participations.ts'
import { firstRejectionReason, linkOf, rejectionReason } from './campaigns.ts'
import type { Story } from './story.ts'
import { admin as adminProfile } from './people.ts'
import { takeSeat, type Test } from './testing.ts'
import { dayMs, hourMs, nextLocalTime } from './timeline.ts'
import { changeNotes } from './words.ts'
import { inWakingHours, type Member, minutes, type Tester, unlessRefused, type World } from './world.ts'

const wishOf = (story: Story) =>
  NewCampaign.parse({
    title: story.title,
    description: story.description,
    platform: story.platform ?? 'android',
    distributionLink: linkOf(story),
    testersRequired: story.testers,
    payPerTesterCents: story.payCents,
    durationDays: story.days,
    dailyCheckIn: story.dailyCheckIn ?? true,
    filters: { countries: story.countries ?? [], minAndroidVersion: story.minAndroidVersion ?? null },
  })

/** In the owner's office hours, except that the last two days are told to the hour. */
const daysAgo = ({ time, chance }: World, { timeZone }: Member, days: number) => {
  const atMs = time.endMs - days * dayMs - chance.between(0, hourMs)
  return days < 2 ? atMs : nextLocalTime(atMs, timeZone, chance.between(9 * 60, 18 * 60))
}

export const planCampaign = (world: World, story: Story): void => {
  const owner = world.developers[story.owner]!
  const { time } = world
  time.at(daysAgo(world, owner, story.createdDaysAgo), async () => {
    const { id } = await create(owner.acts(), wishOf(story))
    if (story.endedDaysAgo !== undefined) {
      time.at(daysAgo(world, owner, story.endedDaysAgo), async () => {
        if (story.ends === 'PAUSED') await pause(owner.acts(), id)
        else await cancel(owner.acts(), id, randomUUID())
      })
    }
    if (story.app === 'grocersplit' || story.ends === 'DRAFT') return
    time.after(minutes(world.chance.between(8, 55)), () => payFor(world, story, owner, id))
  })
}

const payFor = async (world: World, story: Story, owner: Member, id: string) => {
  const { outstandingCents } = await get(owner.acts(), id)
  const pay = () => fund(owner.acts(), id, outstandingCents, randomUUID())
  if (story.twist === 'DECLINED_PAYMENT') {
    await updateMe(owner.acts(), { paymentMethod: `decline+${owner.email}` })
    await unlessRefused(['PAYMENT_DECLINED'], pay)
    await updateMe(owner.acts(), { paymentMethod: null })
  }
  await pay()
  if (story.ends === 'PENDING_APPROVAL' || story.app === 'tangosteps') return
  world.time.at(inWakingHours(world, adminProfile, 2 * hourMs), () => judge(world, story, owner, id))
}

const judge = async (world: World, story: Story, owner: Member, id: string) => {
  if (story.ends === 'REJECTED') {
    await reject(world.admin.acts(), id, rejectionReason)
    return
  }
  if (story.twist === 'REJECTED_FIRST') {
    await reject(world.admin.acts(), id, firstRejectionReason)
    world.time.after(5 * hourMs, () => correct(world, story, owner, id))
    return
  }
  await approve(world.admin.acts(), id)
  planStart(world, story, owner, id)
}

/** Asks for two testers fewer than before, so some money comes back, and hands it in again. */
const correct = async (world: World, story: Story, owner: Member, id: string) => {
  await update(owner.acts(), id, { testersRequired: story.testers - 2, distributionLink: `${linkOf(story)}/open` })
  await submit(owner.acts(), id)
  world.time.after(6 * hourMs, async () => {
    await approve(world.admin.acts(), id)
    planStart(world, story, owner, id)
  })
}

const planStart = (world: World, story: Story, owner: Member, id: string) => {
  if (story.ends === 'APPROVED') return
  world.time.at(inWakingHours(world, owner, hourMs), async () => {
    const campaign = await start(owner.acts(), id)
    await recruit(world, story, owner, campaign)
    if (story.twist === 'PAUSED_ONCE') {
      world.time.after(2 * dayMs, async () => void (await pause(owner.acts(), id)))
      world.time.after(3 * dayMs, async () => void (await start(owner.acts(), id)))
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

/** Those who would come, in the order in which they do: the tester whose login is printed first. */
const candidates = async (world: World, campaign: Campaign): Promise<Tester[]> => {
  const busy = await autocommit.rows<{ id: string }>(sql`select tester_id as id from participations
    where closed_at is null group by 1 having count(*) >= ${mostTestsAtOnce}`)
  const tooBusy = new Set(busy.map(({ id }) => id))
  return world.chance
    .shuffled(world.testers)
    .filter(tester => fits(tester, campaign) && !tooBusy.has(tester.user.id))
    .toSorted((a, b) => Number(b.place === 0) - Number(a.place === 0))
}

/** People come over the first two days, most of them soon; whoever drops out is replaced while there is time. */
const recruit = async (world: World, story: Story, owner: Member, campaign: Campaign) => {
  const { time, chance } = world
  const wanted = story.comers ?? campaign.testersRequired
  const coming = await candidates(world, campaign)
  const tests: Test[] = []
  const come = (tester: Tester) => async () => {
    const test = await takeSeat(world, tester, owner, campaign)
    if (test) tests.push(test)
  }
  for (const [place, tester] of coming.slice(0, wanted).entries()) {
    time.at(inWakingHours(world, tester, Math.trunc((place / wanted) ** 1.6 * 54 * hourMs)), come(tester))
  }
  const reserve = coming.slice(wanted)
  for (let day = 4; day <= 8 && story.comers === undefined; day++) {
    const next = reserve.shift()
    if (next) time.at(inWakingHours(world, next, day * dayMs + chance.between(0, 9) * hourMs), come(next))
  }
  if (story.twist === 'PROOF_SENT_BACK') planSendingBack(world, owner, tests)
  if (story.twist === 'SOMEBODY_SILENT') {
    time.at(time.endMs - warnedForHours * hourMs, async () => {
      for (const test of tests.filter(fading(world)).slice(0, 2)) test.silentFromMs = time.nowMs()
    })
  }
}

/** One of the proofs that wait for review is sent back, shortly before the end. */
const planSendingBack = (world: World, owner: Member, tests: Test[]) => {
  world.time.at(world.time.endMs - hourMs / 3, async () => {
    for (const { participation, tester } of tests) {
      const ask = () => requestChanges(owner.acts(), participation.id, changeNotes[0]!)
      if (tester.place !== 0 && (await unlessRefused(['WRONG_STATE'], ask))) return
    }
  })
}

const warnedForHours = 50

/** Whose last check-in then lies 50 to 68 hours back at the end: warned, and not dropped yet. */
const fading =
  ({ time }: World) =>
  ({ tester }: Test) => {
    if (tester.place === 0 || tester.habit !== 'STEADY') return false
    const last = nextLocalTime(time.nowMs() - dayMs, tester.timeZone, tester.minuteOfDay)
    return time.endMs - last < 68 * hourMs
  }
