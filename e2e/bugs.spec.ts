/** A bug's way from the tester's phone to the report: a duplicate, a fix in version 1.2, a retest. */
import type { Bug } from '../src/bugs/contract.ts'
import { call, join, liveCampaign, newPerson } from './support/api.ts'
import { inEveryLook } from './support/axe.ts'
import { expect, test } from './support/test.ts'

const first = 'Search closes the app'

test('a bug is reported twice, fixed in 1.2, retested, and shown in the report', async ({ open }) => {
  const developer = await newPerson('DEVELOPER', 'Bea Builds')
  const [ann, bob] = [await newPerson('TESTER', 'Ann Finds'), await newPerson('TESTER', 'Bob Finds')]
  const campaign = await liveCampaign(developer, { title: 'Bugs of a journey' })
  const annsTest = await join(ann, campaign)
  const bobsTest = await join(bob, campaign)

  // On the phone, with a draft that survives a reload.
  const anns = await open({ as: ann, screen: 'phone' })
  await anns.goto(`/dashboard/my-tests/${annsTest.id}`)
  await anns.getByRole('link', { name: 'Report a bug' }).click()
  await anns.getByLabel('Title').fill(first)
  await anns.getByRole('radio', { name: /^High/ }).check({ force: true })
  await anns.getByLabel('Steps').fill('1. Open the search.\n2. Type a long word.')
  await anns.reload()
  await expect(anns.getByLabel('Title')).toHaveValue(first)
  await expect(anns.getByRole('radio', { name: /^High/ })).toBeChecked()
  await anns.getByLabel('What happened').fill('The app closes.')
  await anns.getByRole('button', { name: 'Report the bug' }).click()
  await expect(anns.getByRole('heading', { level: 1, name: `#1 ${first}` })).toBeVisible()

  // A second tester who finds it is shown the title of the first report, and no more than that.
  const bobs = await open({ as: bob, screen: 'phone' })
  await bobs.goto(`/dashboard/my-tests/${bobsTest.id}/report-bug`)
  await bobs.getByLabel('Title').fill('Search closes app at once')
  await expect(bobs.getByText('Is it one of these?')).toBeVisible()
  await expect(bobs.getByRole('listitem').filter({ hasText: first })).toContainText('Open')
  expect(await inEveryLook(bobs, 'reporting a bug')).toEqual([])
  await bobs.getByRole('radio', { name: /^Critical/ }).check({ force: true })
  await bobs.getByLabel('Steps').fill('Search for a long word.')
  await bobs.getByLabel('What happened').fill('It is gone.')
  await bobs.getByRole('button', { name: 'Report the bug' }).click()
  await expect(bobs.getByRole('heading', { level: 1, name: '#2 Search closes app at once' })).toBeVisible()

  // The developer marks the second as a duplicate, and the first as fixed.
  const desk = await open({ as: developer })
  await desk.goto(`/dashboard/campaigns/${campaign.id}?tab=bugs`)
  await expect(desk.getByRole('listitem').filter({ hasText: '#2' })).toContainText('Tester 2')
  expect(await inEveryLook(desk, 'the bugs of a campaign')).toEqual([])
  await desk.getByRole('link', { name: /#2/ }).click()
  await desk.getByRole('button', { name: 'Mark as duplicate' }).click()
  const duplicate = desk.getByRole('dialog', { name: '#2 is a duplicate' })
  await duplicate.getByRole('radio', { name: /#1/ }).check({ force: true })
  await duplicate.getByRole('button', { name: 'Mark as duplicate' }).click()
  await expect(duplicate).toBeHidden()
  await desk.getByRole('link', { name: `#1 ${first}` }).click()
  await expect(desk.getByRole('heading', { name: 'Also reported as' })).toBeVisible()
  expect(await inEveryLook(desk, 'a bug')).toEqual([])
  await desk.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await desk.getByRole('button', { name: 'Export to tracker' }).click()
  await desk.getByRole('menuitem', { name: 'Copy as Markdown' }).click()
  await expect(desk.getByText('Copied')).toBeVisible()
  expect(await desk.evaluate(() => navigator.clipboard.readText())).toContain(first)
  await desk.context().clearPermissions()
  await desk.goto(`/dashboard/campaigns/${campaign.id}?tab=changes`)
  await desk.getByRole('button', { name: 'New version' }).click()
  await desk.getByLabel('Version').fill('1.2')
  await desk.getByLabel('What it changes').fill('Long words no longer close the search')
  await desk.getByRole('checkbox', { name: /^#1 / }).check()
  expect(await inEveryLook(desk, 'a new version')).toEqual([])
  await desk.getByRole('button', { name: 'Publish the changes' }).click()
  await expect(desk.getByRole('heading', { level: 2, name: 'Version 1.2' })).toBeVisible()
  await expect(desk.getByText('Tester 1: not tested yet')).toBeVisible()
  expect(await inEveryLook(desk, 'the changes')).toEqual([])

  // Both are asked to retest. It works for one; for the other it does not, which reopens the bug.
  await anns.reload()
  await anns.getByRole('button', { name: 'Works now' }).click()
  await expect(anns.getByText('tested version 1.2: works now')).toBeVisible()
  await bobs.goto('/dashboard/notifications')
  await bobs.getByRole('link', { name: /^Does it work now\? Bug #2/ }).click()
  await bobs.getByLabel('What you found').fill('On my tablet it still closes.')
  await bobs.getByRole('button', { name: 'Still broken' }).click()
  await expect(bobs.getByText('tested version 1.2: still broken')).toBeVisible()
  const bugs = await call<Bug[]>(developer, 'GET', `/campaigns/${campaign.id}/bugs`)
  expect(bugs.map(({ number, status }) => [number, status])).toEqual([
    [2, 'DUPLICATE'],
    [1, 'CONFIRMED'],
  ])

  // The campaign shows the whole history, and the report uses it.
  await desk.reload()
  await expect(desk.getByText('Tester 1: works now')).toBeVisible()
  await expect(desk.getByText('Tester 2: still broken')).toBeVisible()
  await desk.goto(`/dashboard/campaigns/${campaign.id}/report`)
  const draft = desk.getByText('In version').filter({ hasText: 'we changed: Long words no longer close the search' })
  await draft.getByRole('link', { name: '1.2' }).click()
  await expect(desk.getByRole('region', { name: 'Changes to the app' })).toContainText('Addresses #1')
  await expect(desk.getByRole('region', { name: 'Bugs that testers reported' })).toContainText('duplicate of #1')
})

test('a comment written for one bug does not appear at another one that Back leads to', async ({ open }) => {
  const developer = await newPerson('DEVELOPER', 'Bea Two Bugs')
  const tester = await newPerson('TESTER', 'Ann Two Bugs')
  const campaign = await liveCampaign(developer, { title: 'Two bugs' })
  await join(tester, campaign)
  const report = (title: string) =>
    call<Bug>(tester, 'POST', `/campaigns/${campaign.id}/bugs`, {
      title,
      severity: 'HIGH',
      steps: 'Search for a long word.',
      actual: 'The app closes.',
    })
  const { id } = await report('Search closes the app')
  await report('Dates are a day late')
  const desk = await open({ as: developer })
  const isShown = (number: number) => expect(desk.getByRole('heading', { level: 1 })).toContainText(`#${number} `)
  await desk.goto(`/dashboard/bugs/${id}`)
  await isShown(1)
  await desk.getByRole('button', { name: /^Notifications/ }).click()
  await desk
    .getByRole('dialog', { name: 'Notifications' })
    .getByRole('link', { name: /Bug #2/ })
    .click()
  await isShown(2)
  await desk.getByLabel('Comment').fill('Only about the dates')
  await desk.goBack()
  await isShown(1)
  await expect(desk.getByLabel('Comment')).toHaveValue('')
  await desk.goForward()
  await isShown(2)
  await expect(desk.getByLabel('Comment')).toHaveValue('Only about the dates')
})
