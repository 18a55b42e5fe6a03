/** The review desk: twelve proofs by keyboard and by touch, what can be undone, and that no decision is lost. */
import type { Campaign } from '../src/campaigns/contract.ts'
import type { CampaignTester } from '../src/participations/contract.ts'
import { call, join, liveCampaign, newPerson, passHours, type Person } from './support/api.ts'
import { inEveryLook } from './support/axe.ts'
import { expect, outlivedTokens, type Page, test } from './support/test.ts'

const seats = 12
const days = 2

type Made = { developer: Person; campaign: Campaign; tests: { person: Person; id: string }[]; page: Page }

/** A campaign whose testers have submitted their proofs; the last one missed a day. */
const submitted = async (
  open: (visitor: { as: Person; screen?: 'phone' | 'desk'; provokes: RegExp }) => Promise<Page>,
  title: string,
  { testers = 3, screen = 'desk' as 'phone' | 'desk', provokes = outlivedTokens } = {},
): Promise<Made> => {
  const developer = await newPerson('DEVELOPER', 'Rhea Reviews')
  const people = await Promise.all(
    Array.from({ length: testers }, (_, at) => newPerson('TESTER', `Tess Twelve ${'i'.repeat(at + 1)}`)),
  )
  const campaign = await liveCampaign(developer, { title, testersRequired: testers, durationDays: days })
  const ids: string[] = []
  for (const person of people) ids.push((await join(person, campaign)).id)
  for (let day = 1; day <= days; day++) {
    for (const [at, person] of people.entries()) {
      if (at === testers - 1 && day === 2) continue
      await call(person, 'POST', `/testers/campaign-testers/${ids[at]}/check-ins`, {
        note: `Day ${day}: the search forgets what was typed.`,
      })
    }
    await passHours(24)
  }
  for (const [at, person] of people.entries()) {
    await call(person, 'POST', `/testers/campaign-testers/${ids[at]}/proof`, {
      proof: { text: `Proof of ${at + 1}: I wrote a note on each of the days.`, links: ['https://example.com/film'] },
    })
  }
  const tests = people.map((person, at) => ({ person, id: ids[at]! }))
  return { developer, campaign, tests, page: await open({ as: developer, screen, provokes }) }
}

const statuses = async ({ developer, campaign }: Made): Promise<string[]> =>
  (await call<CampaignTester[]>(developer, 'GET', `/campaigns/${campaign.id}/testers`)).map(({ status }) => status)

const proofOf = (page: Page, number: number) =>
  page.getByRole('heading', { level: 2, name: `Tester ${number}`, exact: false })

test('twelve proofs are reviewed by keyboard with thirteen presses, one of which opens the desk', async ({ open }) => {
  const made = await submitted(open, 'Twelve by keyboard', { testers: seats })
  const { page, campaign } = made
  await page.goto(`/dashboard/campaigns/${campaign.id}`)
  const door = page.getByRole('link', { name: 'Review all' })
  await door.focus()
  let presses = 0
  const press = async (key: string) => {
    presses += 1
    await page.keyboard.press(key)
  }
  await press('Enter')
  for (let number = 1; number <= seats; number++) {
    await expect(page.getByText(`Proof of ${number}:`)).toBeVisible()
    // The proof, the days, the notes and the device are shown beside the decision.
    if (number === 1) {
      await expect(page.getByText('the search forgets what was typed.')).toHaveCount(days)
      await expect(page.getByText('Pixel 8')).toBeVisible()
      expect(await inEveryLook(page, 'the review desk')).toEqual([])
    }
    await press('v')
    if (number < seats) await expect(proofOf(page, number + 1)).toBeFocused()
  }
  expect(presses).toBe(seats + 1)
  await expect(page.getByRole('heading', { level: 2, name: 'No proofs to review' })).toBeFocused()
  await expect(page.getByRole('button', { name: /^Undo/ })).toBeHidden()
  await expect.poll(() => statuses(made)).toEqual(Array(seats).fill('VERIFIED'))
})

const verifyNow = (page: Page) => page.getByRole('button', { name: /^Verify and pay/ })
const undo = (page: Page) => page.getByRole('button', { name: /^Undo/ })
const desk = ({ campaign }: Pick<Made, 'campaign'>) => `/dashboard/campaigns/${campaign.id}/review`
/** Nothing waits to be sent, and nothing is on its way. */
const allSent = (page: Page) => expect(page.getByText(/Verifying |could not be verified/)).toBeHidden()

test('on a phone a tap decides and shows the next proof; an undone decision was never sent', async ({ open }) => {
  const made = await submitted(open, 'Three by touch', { screen: 'phone' })
  const { page } = made
  const sent: string[] = []
  page.on('request', request => {
    if (/\/verify(-all)?$/.test(request.url())) sent.push(request.url())
  })
  await page.goto(desk(made))
  await expect(proofOf(page, 1)).toBeVisible()
  // The decision can be reached from wherever the reader is, and nothing makes the page wider than the phone.
  await expect(verifyNow(page)).toBeInViewport({ ratio: 1 })
  const width = () => page.evaluate(() => document.documentElement.scrollWidth)
  expect(await width()).toBe(390)
  // On a tablet the sidebar leaves little more room.
  await page.setViewportSize({ width: 768, height: 844 })
  await expect.poll(width).toBe(768)
  await page.setViewportSize({ width: 390, height: 844 })
  // The second click of a double click must not decide on a proof that nobody has seen.
  await verifyNow(page).dblclick()
  await expect(proofOf(page, 2)).toBeVisible()
  await undo(page).tap()
  await expect(proofOf(page, 1)).toBeFocused()
  await expect(undo(page)).toBeHidden()
  expect(sent).toEqual([])
  await page.getByRole('button', { name: 'Next proof' }).tap()
  await expect(proofOf(page, 2)).toBeFocused()
  for (const next of [3, 1]) {
    await verifyNow(page).tap()
    await expect(proofOf(page, next)).toBeFocused()
    // The proof has to be read first: an immediate second tap in the same place decides nothing.
    await proofOf(page, next).tap()
  }
  await allSent(page)
  expect(sent).toHaveLength(2)
  expect(await statuses(made)).toEqual(['SUBMITTED', 'VERIFIED', 'VERIFIED'])
})

test('no key decides while somebody is writing, and a request for changes leads to the next proof', async ({
  open,
}) => {
  const made = await submitted(open, 'Written with care')
  const { page } = made
  await page.goto(desk(made))
  await expect(proofOf(page, 1)).toBeVisible()
  await page.keyboard.press('?')
  await expect(page.getByRole('dialog')).toContainText('Verify and pay')
  await page.keyboard.press('v')
  await page.keyboard.press('Escape')
  await page.keyboard.press('c')
  await expect(page.getByRole('dialog', { name: 'Request changes from Tester 1' })).toBeVisible()
  await page.getByLabel('What needs to change?').pressSequentially('jkvcru: very much')
  await page.keyboard.press('Tab')
  await page.keyboard.press('v')
  await page.getByRole('button', { name: 'Request changes', exact: true }).press('Enter')
  await expect(proofOf(page, 2)).toBeVisible()
  await page.keyboard.press('j')
  await expect(proofOf(page, 3)).toBeFocused()
  await page.keyboard.press('k')
  await expect(proofOf(page, 2)).toBeFocused()
  // A mistaken shortcut for another screen decides nothing.
  await page.keyboard.press('g')
  await page.keyboard.press('v')
  await expect(undo(page)).toBeHidden()
  expect(await statuses(made)).toEqual(['CHANGES_REQUESTED', 'SUBMITTED', 'SUBMITTED'])
})

test('a rejection that was begun before the proof was replaced is refused, and the desk then shows the new proof', async ({
  open,
}) => {
  const made = await submitted(open, 'Replaced', { testers: 1, provokes: /status of 4(01|09)|reject: 409/ })
  const { page, developer } = made
  const [{ person, id }] = made.tests as [Made['tests'][number]]
  await page.goto(desk(made))
  await page.getByRole('button', { name: /^Reject/ }).click()
  const dialog = page.getByRole('dialog', { name: 'Reject Tester 1’s proof?' })
  await dialog.getByLabel('Problem').selectOption('NO_EVIDENCE_OF_TESTING')
  const reason = 'The proof names none of the screens of our app.'
  await dialog.getByLabel('Reason').fill(reason)
  await call(developer, 'POST', `/campaign-testers/${id}/request-changes`, { note: 'Show the search.' })
  await call(person, 'POST', `/testers/campaign-testers/${id}/proof`, { proof: 'Here is the search, on each day.' })
  await dialog.getByRole('button', { name: 'Reject proof' }).click()
  await expect(
    dialog.getByText('The tester has submitted another proof since. Read it before you decide.'),
  ).toBeVisible()
  await expect(dialog.getByLabel('Reason')).toHaveValue(reason)
  await dialog.getByText('Close', { exact: true }).click()
  await expect(page.getByText('Here is the search, on each day.')).toBeVisible()
  await verifyNow(page).click()
  await expect.poll(() => statuses(made), { timeout: 20_000 }).toEqual(['VERIFIED'])
})

test('a decision survives a reload, leaving the desk, and a lost network', async ({ open }) => {
  const made = await submitted(open, 'Not lost', { provokes: /status of 401|ERR_FAILED|POST .*verify/ })
  const { page, campaign } = made
  await page.goto(desk(made))
  await verifyNow(page).click()
  await expect(proofOf(page, 2)).toBeFocused()
  await page.reload()
  await expect.poll(() => statuses(made)).toEqual(['VERIFIED', 'SUBMITTED', 'SUBMITTED'])
  await verifyNow(page).click()
  await expect(proofOf(page, 3)).toBeFocused()
  await page.getByRole('link', { name: 'Not lost' }).click()
  await expect.poll(() => statuses(made)).toEqual(['VERIFIED', 'VERIFIED', 'SUBMITTED'])
  const kept = () => page.evaluate(() => Object.keys(localStorage).filter(name => name.startsWith('verifying:')))
  // An unanswered decision would be sent again, and fail, too.
  await expect.poll(kept).toEqual([])
  await page.route('**/verify', route => route.abort())
  await page.goto(desk(made))
  await verifyNow(page).click()
  await expect(page.getByText('Tester 3 could not be verified yet.')).toBeVisible({ timeout: 20_000 })
  await page.unroute('**/verify')
  // Any screen sends what is left.
  await page.goto(`/dashboard/campaigns/${campaign.id}?tab=activity`)
  await expect.poll(() => statuses(made)).toEqual(['VERIFIED', 'VERIFIED', 'VERIFIED'])
  await expect.poll(kept).toEqual([])
})

test('a decision can be undone after another one failed to arrive, and all failed ones are sent again', async ({
  open,
}) => {
  const made = await submitted(open, 'Two lost', { provokes: /ERR_FAILED|POST .*verify/ })
  const { page } = made
  await page.route('**/verify', route => route.abort())
  await page.goto(desk(made))
  await verifyNow(page).click()
  await expect(page.getByText('Tester 1 could not be verified yet.')).toBeVisible({ timeout: 20_000 })
  await verifyNow(page).click()
  await expect(proofOf(page, 3)).toBeFocused()
  await undo(page).click()
  await expect(proofOf(page, 2)).toBeFocused()
  await verifyNow(page).click()
  await expect(page.getByText('2 testers could not be verified yet.')).toBeVisible({ timeout: 20_000 })
  await page.unroute('**/verify')
  await page.getByRole('button', { name: 'Try Again' }).click()
  await expect.poll(() => statuses(made)).toEqual(['VERIFIED', 'VERIFIED', 'SUBMITTED'])
})

test('proofs with all days are verified together, after a confirmation and five seconds to undo it', async ({
  open,
}) => {
  const made = await submitted(open, 'All together', { testers: 4 })
  const { page } = made
  await page.goto(desk(made))
  const together = page.getByRole('button', { name: 'Verify 3 who checked in every day' })
  const dialog = page.getByRole('dialog', { name: 'Verify 3 testers?' })
  const pay = dialog.getByRole('button', { name: 'Verify and pay $37.50' })
  await together.click()
  await expect(dialog).toContainText(/Testers\s*1, 2, 3/)
  await expect(dialog).toContainText(/Left in escrow\s*\$12\.50/)
  expect(await inEveryLook(page, 'verify all')).toEqual([])
  await pay.click()
  await expect(proofOf(page, 4)).toBeVisible()
  await undo(page).click()
  await expect(together).toBeVisible()
  expect(await statuses(made)).toEqual(Array(4).fill('SUBMITTED'))
  await together.click()
  await pay.click()
  await expect(undo(page)).toBeVisible()
  await expect(proofOf(page, 4)).toBeVisible()
  await allSent(page)
  await expect.poll(() => statuses(made)).toEqual(['VERIFIED', 'VERIFIED', 'VERIFIED', 'SUBMITTED'])
})

test('a proof that is due comes first on a phone, with the time left and what is at stake', async ({ open }) => {
  const tester = await newPerson('TESTER', 'Dee Due')
  const campaign = await liveCampaign(await newPerson('DEVELOPER', 'Dev Due'), { title: 'Due first', durationDays: 2 })
  const { id } = await join(tester, campaign)
  for (const _day of [1, 2]) {
    await call(tester, 'POST', `/testers/campaign-testers/${id}/check-ins`, {})
    await passHours(24)
  }
  const page = await open({ as: tester, screen: 'phone', provokes: outlivedTokens })
  await page.goto(`/dashboard/my-tests/${id}`)
  const due = page.getByRole('region', { name: 'Proof due' })
  await expect(due).toContainText('$12.50')
  await expect(due).toContainText(/or you lose your seat and your pay/)
  await expect(due).toContainText(/2 days left|1 day 2\d h left/)
  await expect(due).toBeInViewport()
  const buttons = page.getByRole('main').getByRole('button', { name: /^(Submit proof|Check in for today)$/ })
  await expect(buttons).toHaveText(['Submit proof', 'Check in for today'])
  // Only one button has the primary color.
  const colors = await buttons.evaluateAll(all => all.map(one => getComputedStyle(one).backgroundColor))
  expect(new Set(colors).size).toBe(2)
  await page.getByLabel('Your proof').fill('I used it on both days.')
  await buttons.first().tap()
  await expect(page.getByText('Your proof is in review')).toBeVisible()
  await expect(due).toBeHidden()
})

test('when a proof is decided elsewhere, a press meant for it does not decide on the next one', async ({ open }) => {
  const made = await submitted(open, 'Decided elsewhere')
  const { developer, page, campaign } = made
  await page.goto(`/dashboard/campaigns/${campaign.id}/review`)
  await expect(proofOf(page, 1)).toBeVisible()
  const all = await call<CampaignTester[]>(developer, 'GET', `/campaigns/${campaign.id}/testers`)
  const first = all.find(({ alias }) => alias === 'Tester 1')
  await call(developer, 'POST', `/campaign-testers/${first!.id}/verify`)
  const notice = page.getByRole('note').filter({ hasText: 'decided elsewhere. 2 proofs left' })
  await expect(notice).toBeVisible()
  await page.keyboard.press('v')
  await expect(notice).toBeHidden()
  expect((await statuses(made)).filter(status => status === 'SUBMITTED')).toHaveLength(2)
  await expect(page.getByText('will be verified', { exact: false })).toBeHidden()
  await page.keyboard.press('v')
  await expect(proofOf(page, 3)).toBeVisible()
  await expect
    .poll(async () => (await statuses(made)).filter(status => status === 'VERIFIED').length, { timeout: 15_000 })
    .toBe(2)
})

test('a link to another proof opens it on the desk, even in another campaign, and Back opens the previous one', async ({
  open,
}) => {
  const made = await submitted(open, 'Linked desk', { testers: 2 })
  const { developer, page } = made
  const [one, two] = await call<CampaignTester[]>(developer, 'GET', `/campaigns/${made.campaign.id}/testers`)
  const elsewhere = await liveCampaign(developer, { title: 'Other desk', testersRequired: 1, durationDays: 1 })
  const other = await newPerson('TESTER', 'Theo Elsewhere')
  const { id } = await join(other, elsewhere)
  await call(other, 'POST', `/testers/campaign-testers/${id}/check-ins`, {})
  await passHours(24)
  await call(other, 'POST', `/testers/campaign-testers/${id}/proof`, { proof: 'Proof from elsewhere, after a day.' })

  await page.goto(`${desk(made)}?test=${one!.id}`)
  await expect(proofOf(page, 1)).toBeVisible()
  const proofInBell = async (address: string) => {
    await page.getByRole('button', { name: /^Notifications/ }).click()
    await page.getByRole('dialog', { name: 'Notifications' }).locator(`a[href="${address}"]`).click()
  }
  await proofInBell(`${desk(made)}?test=${two!.id}`)
  await expect(proofOf(page, 2)).toBeVisible()
  await page.goBack()
  await expect(proofOf(page, 1)).toBeVisible()
  await page.goForward()
  await page.keyboard.press('k')
  await expect(proofOf(page, 1)).toBeFocused()
  await proofInBell(`${desk(made)}?test=${two!.id}`)
  await expect(proofOf(page, 2)).toBeVisible()
  await proofInBell(`${desk({ campaign: elsewhere })}?test=${id}`)
  await expect(page.getByText('Proof from elsewhere, after a day.')).toBeVisible()
  await expect(page.getByRole('note').filter({ hasText: 'decided elsewhere' })).toBeHidden()
  await page.keyboard.press('v')
  await expect.poll(() => statuses({ ...made, campaign: elsewhere }), { timeout: 15_000 }).toEqual(['VERIFIED'])
  expect(await statuses(made)).toEqual(['SUBMITTED', 'SUBMITTED'])
})
