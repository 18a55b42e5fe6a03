/** A payment that the bank took back for good: the developer owes it, pays it outside of the product, and an admin settles it. */
import {
  anotherAdmin,
  call,
  disputedLater,
  draftCampaign,
  join,
  newPerson,
  passHours,
  type Person,
  theAdmin,
} from './support/api.ts'
import { inEveryLook } from './support/axe.ts'
import { expect, outlivedTokens, test } from './support/test.ts'

/** A tester was paid for a campaign whose payment the bank then took back. */
const owing = async (developer: Person, title: string): Promise<void> => {
  const tester = await newPerson('TESTER', 'Tim Paid')
  const campaign = await disputedLater(
    developer,
    { title, testersRequired: 1, durationDays: 1, payPerTesterCents: 1000 },
    'disputelost@journeys.test',
  )
  const { id } = await join(tester, campaign)
  await call(tester, 'POST', `/testers/campaign-testers/${id}/check-ins`, {})
  await passHours(25)
  await call(tester, 'POST', `/testers/campaign-testers/${id}/proof`, { proof: 'I used the app for a day.' })
  await call(await theAdmin(), 'POST', `/campaign-testers/${id}/verify`)
  await passHours(10 * 24)
}

test('a developer who owes for a lost dispute is told how to pay it, and can pay for campaigns once an admin settles it', async ({
  open,
}) => {
  const developer = await newPerson('DEVELOPER', 'Dolores Debtor')
  await owing(developer, 'Paid with a stolen card')
  const draft = await draftCampaign(developer, { title: 'The next app' })

  const owner = await open({ as: developer, provokes: outlivedTokens })
  await owner.goto(`/dashboard/campaigns/${draft.id}`)
  await expect(owner.getByText('You owe $11.50 for an earlier payment')).toBeVisible()
  await expect(owner.getByText('or contact us to pay it another way')).toBeVisible()

  const longName = `Aurelia${'Wolkenstein'.repeat(4)}`
  const admin = await open({ as: await anotherAdmin(longName), provokes: /status of 4(01|22)|: 4(01|22) / })
  await admin.goto('/dashboard/campaigns/pending?list=disputes')
  const debts = admin.getByRole('region', { name: 'Debts for lost disputes' })
  await expect(debts.getByRole('listitem').filter({ hasText: 'Paid with a stolen card' })).toContainText(
    'Owes the platform $11.50',
  )
  expect(await inEveryLook(admin, 'debts')).toEqual([])
  await debts.getByRole('link', { name: 'Open the case of Paid with a stolen card' }).click()
  const debt = admin.locator('section', { has: admin.getByRole('heading', { name: 'Debt', exact: true }) })
  await expect(debt).toContainText('Owed to the platform')
  await debt.getByRole('button', { name: 'Record as paid' }).click()
  const dialog = admin.getByRole('dialog')
  await dialog.getByLabel('Amount paid').fill('11')
  await dialog.getByLabel('Note').fill('Bank transfer of 30 November.')
  expect(await inEveryLook(admin, 'debt-dialog')).toEqual([])
  await dialog.getByRole('button', { name: 'Record as paid' }).click()
  await expect(dialog).toContainText('The amount must be the $11.50')
  await dialog.getByLabel('Amount paid').fill('11.50')
  await dialog.getByRole('button', { name: 'Record as paid' }).click()
  await expect(dialog).toBeHidden()
  await expect(debt).toContainText('Paid by other means')
  await expect(debt).toContainText('Bank transfer of 30 November.')
  await expect(debt.getByRole('button', { name: /Record as paid|Waive/ })).toHaveCount(0)
  expect(await inEveryLook(admin, 'debt-settled')).toEqual([])
  await admin.setViewportSize({ width: 390, height: 844 })
  await expect(debt).toContainText(longName)
  const cutOff = await debt.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)
  expect(cutOff, 'pixels of the long name that the card cuts off').toBe(0)

  // The page that the developer has open learns of it.
  await expect(owner.getByText(/^Pay \$[\d,.]+ to submit for approval$/)).toBeVisible()
})

test('an admin waives a debt, and the developer is told that nothing has to be paid', async ({ open }) => {
  const developer = await newPerson('DEVELOPER', 'Wanda Waived')
  await owing(developer, 'Closed before it paid')
  const admin = await open({ as: await theAdmin(), screen: 'phone', provokes: outlivedTokens })
  await admin.goto('/dashboard/campaigns/pending?list=disputes')
  await admin.getByRole('link', { name: 'Open the case of Closed before it paid' }).click()
  const debt = admin.locator('section', { has: admin.getByRole('heading', { name: 'Debt', exact: true }) })
  await debt.getByRole('button', { name: 'Waive the debt' }).click()
  const dialog = admin.getByRole('dialog')
  await expect(dialog).toContainText('Wanda Waived no longer has to pay it')
  await dialog.getByLabel('Amount waived').fill('11.50')
  await dialog.getByLabel('Note').fill('The company has closed.')
  expect(await inEveryLook(admin, 'debt-waive')).toEqual([])
  await dialog.getByRole('button', { name: 'Waive the debt' }).click()
  await expect(dialog).toBeHidden()
  await expect(debt).toContainText('$11.50 waived')
  await expect(debt.getByRole('button', { name: /Record as paid|Waive/ })).toHaveCount(0)

  const owner = await open({ as: developer, provokes: outlivedTokens })
  await owner.goto('/dashboard/notifications')
  await expect(
    owner.getByText(/^You do not have to pay the \$11\.50 that you owed for “Closed before it paid”/),
  ).toBeVisible()
})
