/** Every fourth tester finds a bug in each app. Some bugs are answered, some are fixed and retested, some stay open. */
import { randomUUID } from 'node:crypto'
import type { Bug, NewBug } from '../../src/bugs/contract.ts'
import { comment, report } from '../../src/bugs/server/bugs.ts'
import { publish } from '../../src/changes/server/changes.ts'
import { change, retest } from '../../src/bugs/server/deciding.ts'
import type { CampaignTester } from '../../src/participations/contract.ts'
import { type Demo, type Member, type Tester, unlessRefused } from './context.ts'
import { hourMs } from './timeline.ts'

type Finder = { tester: Tester; owner: Member; participation: CampaignTester }

const found: readonly NewBug[] = [
  {
    title: 'Search closes the app on a long word',
    severity: 'CRITICAL',
    steps: '1. Open the search.\n2. Paste a word of more than 100 letters.\n3. Press the search key.',
    expected: 'No result, or a hint.',
    actual: 'The app closes without a word. It happens each time.',
    appVersion: '1.1',
  },
  {
    title: 'The date is cut off with large text',
    severity: 'LOW',
    steps: '1. Set the system’s text to the largest.\n2. Open any entry.',
    expected: 'The whole date.',
    actual: 'The year is missing.',
    appVersion: '1.1',
  },
  {
    title: 'What I typed is lost when I turn the phone',
    severity: 'HIGH',
    steps: '1. Begin a new entry.\n2. Type a few words.\n3. Turn the phone.',
    expected: 'The words stay.',
    actual: 'The field is empty, and there is no way to get them back.',
    appVersion: '1.1',
  },
  {
    title: 'Gray text on gray in dark mode',
    severity: 'MEDIUM',
    steps: '1. Turn on dark mode.\n2. Open the settings of the app.',
    expected: '',
    actual: 'The second line of each setting can hardly be read.',
    appVersion: '1.1',
  },
]

/** Uses no random numbers, so that the rest of the demo stays the same. */
export const planBugs = (demo: Demo, test: Finder): void => {
  const { tester, participation } = test
  if (tester.place % 4 !== 0) return
  const bug = found[(tester.place / 4) % found.length]!
  demo.time.after(30 * hourMs, async () => {
    const reported = await unlessRefused(['WRONG_STATE'], () =>
      report(tester.acts(), participation.campaign.id, bug, randomUUID()),
    )
    if (reported && tester.place % 3 !== 1) demo.time.after(20 * hourMs, () => answer(demo, test, reported))
  })
}

const answer = async (demo: Demo, { owner, tester }: Finder, { id, title, campaign }: Bug) => {
  if (tester.place % 3 === 2) {
    const note = 'That is how the system draws it. We leave it as it is.'
    await unlessRefused(['WRONG_STATE'], () => change(owner.acts(), id, { status: 'WONT_FIX', note }))
    return
  }
  await change(owner.acts(), id, { status: 'CONFIRMED' })
  await comment(owner.acts(), id, { text: 'Thank you, we see it too. The next version has a fix.' }, randomUUID())
  demo.time.after(50 * hourMs, async () => {
    const changes = [{ text: `Fixed: ${title}`, bugIds: [id] }]
    await publish(owner.acts(), campaign.id, { version: '1.2', changes }, randomUUID())
    // The tester whose login is printed is asked for a retest, and has not answered yet.
    if (tester.place === 0) return
    demo.time.after(9 * hourMs, async () => {
      // A tester whose test has ended in the meantime is not asked.
      await unlessRefused(['WRONG_STATE'], () => retest(tester.acts(), id, { result: 'WORKS' }))
    })
  })
}
