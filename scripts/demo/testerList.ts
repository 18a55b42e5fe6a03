/** How testers enter a closed test: the owner updates the tester list in office hours, and testers opt in. */
import { optIn, openLink } from '../../src/participations/server/optIn.ts'
import { applied, confirm, exportList, get } from '../../src/testerLists/server/testerLists.ts'
import { inWakingHours, type Demo, type Member, minutes, unlessRefused } from './context.ts'
import type { CampaignPlan } from './plan.ts'
import { planDays, type Test } from './testing.ts'
import { dayMs, hourMs, nextLocalTime } from './timeline.ts'

type List = { owner: Member; campaignId: string; plan: CampaignPlan; tests: readonly Test[] }

/** Every day while there can still be changes, starting with the next office hours. */
export const planTesterList = (demo: Demo, list: List): void => {
  const { time, chance } = demo
  const first = nextLocalTime(time.nowMs() + 8 * hourMs, list.owner.timeZone, chance.between(9 * 60, 16 * 60))
  const days = list.plan.listedOnce ? 1 : list.plan.days + 7
  for (let day = 0; day < days; day++) {
    time.at(first + day * dayMs + chance.between(0, 40 * minutes(1)), () => exportChanges(demo, list))
  }
  if (list.plan.applies)
    time.at(first + (list.plan.days + 5) * dayMs, async () => void (await applied(list.owner.acts(), list.campaignId)))
}

const exportChanges = async (demo: Demo, list: List) => {
  const { state } = await get(list.owner.user, list.campaignId)
  if (state !== 'TO_EXPORT' && state !== 'CHANGED') return
  const form = list.plan.accessMode === 'EMAIL_LIST' ? 'play' : 'changes'
  await exportList(list.owner.acts(), list.campaignId, form)
  demo.time.after(minutes(demo.chance.between(4, 15)), () => confirmList(demo, list))
}

const confirmList = async (demo: Demo, { owner, campaignId, tests }: List) => {
  // Testers who join between the export and this confirmation are in the next export.
  const before = new Set((await get(owner.user, campaignId)).additions.map(({ id }) => id))
  await confirm(owner.acts(), campaignId)
  const after = new Set((await get(owner.user, campaignId)).additions.map(({ id }) => id))
  for (const test of tests) {
    const { id } = test.participation
    if (before.has(id) && !after.has(id)) planOptIn(demo, test)
  }
}

/** Within a day of being told that they are listed. */
const planOptIn = (demo: Demo, test: Test) => {
  const { time, chance } = demo
  time.at(inWakingHours(demo, test.tester, chance.between(0, 10) * hourMs), async () => {
    if (time.nowMs() >= test.silentFromMs) return
    const { tester, participation } = test
    const opened = await unlessRefused(['WRONG_STATE'], () => openLink(tester.acts(), participation.id))
    if (opened) time.after(minutes(chance.between(3, 12)), () => confirmOptIn(demo, test))
  })
}

const confirmOptIn = async (demo: Demo, test: Test) => {
  const { tester, participation } = test
  const inside = await unlessRefused(['WRONG_STATE'], () => optIn(tester.acts(), participation.id))
  if (!inside) return
  test.participation = inside
  planDays(demo, test)
}
