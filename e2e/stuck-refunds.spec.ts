/** A refund that the payment provider refuses for good: an admin pays it by other means, or has it tried again. */
import { anotherAdmin, call, newPerson, pendingCampaign, type Person, theAdmin } from './support/api.ts'
import { inEveryLook, violationsOf } from './support/axe.ts'
import { inDatabase } from './support/product.ts'
import { expect, outlivedTokens, test } from './support/test.ts'

const queue = '/dashboard/campaigns/pending?list=refunds'
const reference = 'SEPA 2026-11-23 0815'

/** Makes the sandbox refuse $28.75. Jobs are paused meanwhile, because they would have it paid at once. */
const stuckRefund = async (developer: Person, title: string): Promise<string> => {
  const { id } = await pendingCampaign(developer, { title })
  const admin = await theAdmin()
  await call(admin, 'POST', '/admin/operations/pause-jobs', { reason: 'A refund is made to be refused.' })
  try {
    await call(developer, 'POST', `/campaigns/${id}/cancel`)
    const ofCampaign = `select p.id from refund_parts p join refunds r on r.id = p.refund_id where r.campaign_id = $1`
    await inDatabase(
      `select refuse_refund_part(id, 'The payment method did not take it.', now()) from (${ofCampaign}) part`,
      [id],
    )
    await inDatabase(
      `insert into provider_calls (id, provider, kind, subject_id, attempt, key, status, reason, sent_at, created_at, settled_at)
        select gen_random_uuid(), provider, 'REFUND', subject_id, n, key || ':' || n, 'REFUSED', reason, now(), now(), now()
        from provider_calls, generate_series(2, 20) n where attempt = 1 and subject_id in (${ofCampaign})`,
      [id],
    )
    await inDatabase(`update refund_parts set stuck_since = now() where id in (${ofCampaign})`, [id])
  } finally {
    await call(admin, 'POST', '/admin/operations/resume-jobs')
  }
  return id
}

test('an admin pays a stuck refund by bank transfer, another confirms it, and the developer sees it on the credit note', async ({
  open,
}) => {
  const developer = await newPerson('DEVELOPER', 'Dora Owed')
  const colleague = await anotherAdmin('Cleo Colleague')
  await stuckRefund(developer, 'Paid by hand')
  await call(await theAdmin(), 'PATCH', '/admin/settings', { payoutApprovalCents: 1000 })
  try {
    const one = await open({ as: await theAdmin(), provokes: /422/ })
    await one.goto('/dashboard')
    await one.getByRole('listitem').filter({ hasText: 'to pay or confirm' }).getByRole('link').first().click()
    const card = one.getByRole('listitem').filter({ hasText: 'Paid by hand' })
    await expect(card).toContainText('The payment method did not take it.')
    await expect(card).toContainText('Attempts20, last just now')
    await expect(card).toContainText('Ask the developer how to pay them')
    expect(await inEveryLook(one, 'stuck-refunds')).toEqual([])
    await card.getByRole('button', { name: 'Paid by other means: $28.75 to Dora Owed for Paid by hand' }).click()
    const dialog = one.getByRole('dialog')
    await dialog.getByLabel('Amount paid').fill('28.74')
    await dialog.getByLabel('Reference').fill('0815')
    await dialog.getByRole('button', { name: 'Record for another admin' }).click()
    await expect(dialog).toContainText('The reference must have at least 5 characters')
    await dialog.getByLabel('Reference').fill(reference)
    await dialog.getByRole('button', { name: 'Record for another admin' }).click()
    await expect(dialog).toContainText('The amount must be the $28.75')
    await dialog.getByLabel('Amount paid').fill('28.75')
    expect(await inEveryLook(one, 'stuck-refund-paid')).toEqual([])
    await dialog.getByRole('button', { name: 'Record for another admin' }).click()
    await expect(dialog).toBeHidden()
    await expect(card).toContainText('You recorded it. It counts as paid once another admin confirms.')

    const two = await open({ as: colleague, screen: 'phone', provokes: outlivedTokens })
    await two.goto(queue)
    await two.getByRole('button', { name: 'Confirm: $28.75 to Dora Owed for Paid by hand' }).click()
    await expect(two.getByRole('dialog')).toContainText(reference)
    expect(await violationsOf(two, 'refund to confirm')).toEqual([])
    await two.getByRole('dialog').getByRole('button', { name: 'Confirm $28.75' }).click()
    await expect(two.getByText('No stuck refunds')).toBeVisible()
    await expect(card).toBeHidden({ timeout: 15_000 })

    const page = await open({ as: developer, provokes: outlivedTokens })
    await page.goto('/dashboard/notifications')
    await page.getByRole('link', { name: /Refund paid: \$28\.75/ }).click()
    await expect(page.getByText(`Paid by other means: ${reference}`)).toBeVisible()
    expect(await inEveryLook(page, 'credit-note-outside')).toEqual([])
  } finally {
    await inDatabase('update settings set payout_approval_cents = null')
  }
})

test('a stuck refund that is tried again arrives', async ({ open }) => {
  const developer = await newPerson('DEVELOPER', 'Nora Newcard')
  await stuckRefund(developer, 'Another card')
  const page = await open({ as: await theAdmin(), screen: 'phone', provokes: outlivedTokens })
  await page.goto(queue)
  const card = page.getByRole('listitem').filter({ hasText: 'Another card' })
  await card.getByRole('button', { name: 'Try again now: $28.75 to Nora Newcard for Another card' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Try again now' }).click()
  await expect(card).toBeHidden({ timeout: 30_000 })
  type Transactions = { data: { type: string; status: string }[] }
  const statusOf = async () => {
    const { data } = await call<Transactions>(developer, 'GET', '/users/me/transactions')
    return data.find(({ type }) => type === 'CREDIT')?.status
  }
  await expect.poll(statusOf).toBe('COMPLETED')
})
