/** An admin deals with fraud: what a scan finds, what the admin decides, and what a banned user sees. */
import type { FraudReport } from '../src/fraud/contract.ts'
import { call, join, liveCampaign, newPerson, passHours, type Person, theAdmin } from './support/api.ts'
import { trySignIn } from './support/people.ts'
import { expect, outlivedTokens, type Page, test } from './support/test.ts'

/** Two accounts on one device: a scan reports one of them, and both carry the family name. */
const pairOnOneDevice = async (family: string): Promise<[Person, Person]> => {
  const deviceFingerprint = `one-device-of-${family}`
  const first = await newPerson('TESTER', `Abel ${family}`, { deviceFingerprint })
  return [first, await newPerson('TESTER', `Beth ${family}`, { deviceFingerprint })]
}

const scan = async (admin: Page) => {
  await admin.goto('/dashboard/fraud')
  await admin.getByRole('button', { name: 'Trigger Scan' }).click()
  await expect(admin.getByText(/^Scan finished: /)).toBeVisible()
}

const cards = (admin: Page) => admin.getByRole('main').getByRole('article')

const search = async (admin: Page, words: string) => {
  await admin.getByRole('searchbox', { name: 'Search fraud reports' }).fill(words)
  await expect.poll(() => new URL(admin.url()).searchParams.get('search')).toBe(words)
}

/** Puts the family's only report under investigation. */
const investigate = async (admin: Page, family: string) => {
  await search(admin, family)
  await expect(cards(admin)).toHaveCount(1)
  await cards(admin)
    .getByRole('button', { name: /^Investigate/ })
    .click()
  await expect(admin).toHaveURL(/report=/)
  const dialog = admin.getByRole('dialog', { name: 'One device on several accounts' })
  await expect(dialog.getByText('Evidence')).toBeVisible()
  await expect(dialog).toContainText(`Abel ${family}`)
  await expect(dialog).toContainText(`Beth ${family}`)
  return dialog
}

test('samples are marked, and search and severity filter the list and are kept in the URL', async ({ open }) => {
  await newPerson('TESTER', 'Sam Sampled')
  const admin = await open({ as: await theAdmin() })
  await admin.goto('/dashboard/fraud')
  await admin.getByRole('button', { name: 'Generate Samples' }).click()
  await expect(admin.getByText(/^\d+ sample reports generated$/)).toBeVisible()
  await search(admin, 'Sam Sampled')
  await expect(cards(admin).filter({ hasNotText: 'Sam Sampled' })).toHaveCount(0)
  await expect(cards(admin).first()).toBeVisible()
  for (const card of await cards(admin).all()) {
    await expect(card.getByText('Sample', { exact: true })).toBeVisible()
    await expect(card.getByText('Sam Sampled', { exact: true })).toBeVisible()
  }
  await cards(admin).first().getByRole('button', { name: 'Ban User: Sam Sampled' }).click()
  const banning = admin.getByRole('dialog', { name: 'Ban Sam Sampled' })
  await expect(banning.getByText('This report is a sample, but the account is real')).toBeVisible()
  await banning.getByRole('button', { name: 'Cancel' }).click()
  await expect(banning).toBeHidden()
  await search(admin, 'nobody is called so')
  await expect(admin.getByText('Try adjusting your search or filter criteria')).toBeVisible()
  await admin.getByRole('button', { name: 'Clear filters' }).click()
  for (const [button, severity] of [
    ['Critical', 'CRITICAL'],
    ['High', 'HIGH'],
    ['Medium', 'MEDIUM'],
  ] as const) {
    const answered = admin.waitForResponse(reply => reply.url().includes(`severity=${severity}`))
    await admin.getByRole('group', { name: 'Severity' }).getByRole('button', { name: button }).click()
    const { data } = (await (await answered).json()) as { data: FraudReport[] }
    expect(new Set(data.map(report => report.eventData.severity)).size, button).toBeLessThanOrEqual(1)
    await expect(admin).toHaveURL(new RegExp(`severity=${severity}`))
    await expect(cards(admin)).toHaveCount(data.length)
  }
  await admin.reload()
  await expect(admin.getByRole('button', { name: 'Medium' })).toHaveAttribute('aria-pressed', 'true')
})

test('one report is investigated and resolved, another dismissed, and each decision keeps its reason', async ({
  open,
}) => {
  await pairOnOneDevice('Resolvable')
  await pairOnOneDevice('Dismissable')
  const admin = await open({ as: await theAdmin() })
  await scan(admin)
  const resolving = await investigate(admin, 'Resolvable')
  await resolving.getByRole('button', { name: 'Resolve', exact: true }).click()
  await resolving.getByRole('button', { name: 'Resolve report' }).click()
  await expect(resolving.getByText('Resolution is required')).toBeVisible()
  await resolving.getByLabel('Resolution').fill('A couple who share a tablet.')
  await resolving.getByRole('button', { name: 'Resolve report' }).click()
  await expect(resolving).toBeHidden()
  await expect(cards(admin).getByText('Resolved', { exact: true })).toBeVisible()

  const dismissing = await investigate(admin, 'Dismissable')
  await dismissing.getByRole('button', { name: 'Dismiss', exact: true }).click()
  await dismissing.getByLabel('Reason').fill('A library computer.')
  await dismissing.getByRole('button', { name: 'Dismiss report' }).click()
  await expect(dismissing).toBeHidden()
  await expect(cards(admin).getByText('Dismissed', { exact: true })).toBeVisible()

  const again = await investigate(admin, 'Resolvable')
  await expect(again).toContainText('A couple who share a tablet.')
  await expect(again.getByRole('button', { name: 'Resolve', exact: true })).toBeHidden()
})

test('the decision stays visible in a long report, and a report that is gone says so', async ({ open }) => {
  await pairOnOneDevice('Longish')
  const admin = await open({ as: await theAdmin(), provokes: /404/ })
  await scan(admin)
  await admin.setViewportSize({ width: 1280, height: 480 })
  const dialog = await investigate(admin, 'Longish')
  for (const name of ['Resolve', 'Dismiss'])
    await expect(dialog.getByRole('button', { name, exact: true })).toBeInViewport({ ratio: 1 })

  for (const id of ['abc', crypto.randomUUID()]) {
    await admin.goto(`/dashboard/fraud?report=${id}`)
    const gone = admin.getByRole('dialog', { name: 'Report not found' })
    await expect(gone).toContainText('It may have been cleared')
    await gone.getByRole('button', { name: 'Close' }).first().click()
    await expect(gone).toBeHidden()
    await expect(admin).toHaveURL(/\/dashboard\/fraud$/)
  }
})

test('figures that fail to load say so, and Try Again loads them', async ({ open }) => {
  const admin = await open({ as: await theAdmin(), provokes: /status of 4|418/ })
  for (const [figures, screen] of [
    ['**/admin/fraud-reports/stats', 'fraud'],
    ['**/admin/users/counts', 'users'],
  ] as const) {
    await admin.route(figures, route => route.fulfill({ status: 418, json: { message: 'Not today' } }))
    await admin.goto(`/dashboard/${screen}`)
    const said = admin.getByText('Failed to load the figures.')
    await expect(said).toBeVisible()
    await admin.unroute(figures)
    await admin.getByRole('button', { name: 'Try Again' }).click()
    await expect(said).toBeHidden()
    await expect(admin.getByRole('main').getByText('–', { exact: true })).toHaveCount(0)
  }
})

test('a banned user loses the open tab, the seats and access, and reads the reason', async ({ open }) => {
  const pair = await pairOnOneDevice('Bannable')
  const developer = await newPerson('DEVELOPER', 'Dana Banless')
  const campaign = await liveCampaign(developer, { title: 'A test with a banned tester' })
  const admin = await open({ as: await theAdmin(), provokes: outlivedTokens })
  await scan(admin)
  await search(admin, 'Bannable')
  await expect(cards(admin)).toHaveCount(1)
  const card = await cards(admin).innerText()
  const banned = pair.find(({ name }) => card.includes(name))!
  await join(banned, campaign)
  const theirs = await open({ as: banned, provokes: /status of 40[13]|: 40[13] |Refresh was refused/ })
  await theirs.goto('/dashboard/my-tests')
  await expect(theirs.getByText(campaign.title).first()).toBeVisible()

  await cards(admin)
    .getByRole('button', { name: `Ban User: ${banned.name}` })
    .click()
  const dialog = admin.getByRole('dialog', { name: `Ban ${banned.name}` })
  for (const told of [banned.email, 'withdrawals are on hold', 'is signed out everywhere and cannot sign in'])
    await expect(dialog, told).toContainText(told, { ignoreCase: true })
  await expect(dialog.getByText('This report is a sample')).toBeHidden()
  await dialog.getByRole('button', { name: 'Ban User' }).click()
  await expect(dialog.getByText('Reason is required')).toBeVisible()
  await dialog.getByLabel('Reason').fill('Two accounts on one device.')
  await dialog.getByRole('button', { name: 'Ban User' }).click()
  await expect(dialog).toBeHidden()
  await expect(admin.getByText(`${banned.name} was banned`)).toBeVisible()
  await expect(cards(admin).getByText('Suspended')).toBeVisible()
  await expect(cards(admin).getByRole('button', { name: /^Ban User/ })).toBeHidden()

  // The page notices without a reload: its event stream has ended, and it cannot open a new one.
  await expect(theirs).toHaveURL(/\/login$/, { timeout: 30_000 })
  await trySignIn(theirs, banned.email)
  await expect(theirs.getByText('Your account is suspended: Two accounts on one device.')).toBeVisible()
  await expect(theirs).toHaveURL(/\/login$/)
  const { _count } = await call<typeof campaign>(developer, 'GET', `/campaigns/${campaign.id}`)
  expect(_count.campaignTesters).toBe(0)
})

test('without new facts a second scan reports nothing', async ({ open }) => {
  await pairOnOneDevice('Onceonly')
  const admin = await open({ as: await theAdmin(), provokes: outlivedTokens })
  await scan(admin)
  await passHours(25)
  await scan(admin)
  await search(admin, 'Onceonly')
  await expect(cards(admin)).toHaveCount(1)
})
