/** A developer whose rejections were overturned needs an admin's consent for more; admins decide on these in their queue. */
import { call, join, liveCampaign, newPerson, passHours, type Person, theAdmin } from './support/api.ts'
import { inEveryLook, violationsOf } from './support/axe.ts'
import { expect, outlivedTokens, test } from './support/test.ts'

const why = 'The proof speaks of none of the screens that were to be tested.'
const note = 'The proof names each screen of the app.'
const queue = '/dashboard/campaigns/pending?list=rejections'

/** A proof that its developer rejects; since earlier rejections were overturned, it needs consent. */
const rejected = async (developer: Person, title: string) => {
  const tester = await newPerson('TESTER', `Tess ${title}`)
  const campaign = await liveCampaign(developer, { title, testersRequired: 1, durationDays: 1 })
  const { id } = await join(tester, campaign)
  await call(tester, 'POST', `/testers/campaign-testers/${id}/check-ins`, {})
  await passHours(24)
  await call(tester, 'POST', `/testers/campaign-testers/${id}/proof`, { proof: 'I wrote a note and looked for it.' })
  await call(developer, 'POST', `/campaign-testers/${id}/reject`, { code: 'NO_EVIDENCE_OF_TESTING', reason: why })
  return { tester, campaignId: campaign.id, id }
}

test('an admin consents to one rejection on a phone and refuses another by keyboard, and both sides see the outcome', async ({
  open,
}) => {
  const admin = await theAdmin()
  const { consentAfterOverturned } = await call<{ consentAfterOverturned: number }>(admin, 'GET', '/admin/settings')
  await call(admin, 'PATCH', '/admin/settings', { consentAfterOverturned: 1 })
  try {
    const developer = await newPerson('DEVELOPER', 'Rolf Rejects')
    const first = await rejected(developer, 'Overturned')
    await call(first.tester, 'POST', `/testers/campaign-testers/${first.id}/appeal`, {
      reason: 'The proof names each of the screens, one after the other.',
    })
    await call(admin, 'POST', `/admin/campaign-testers/${first.id}/decide-appeal`, { decision: 'VERIFY', note })
    const consented = await rejected(developer, 'Quiet Notes')
    const refused = await rejected(developer, 'Loud Notes')

    const phone = await open({ as: await theAdmin(), screen: 'phone', provokes: outlivedTokens })
    await phone.goto('/dashboard')
    await phone
      .getByRole('listitem')
      .filter({ hasText: '2 rejections waiting for consent' })
      .getByRole('link')
      .first()
      .click()
    const card = phone.getByRole('listitem').filter({ hasText: 'Quiet Notes' })
    await expect(card).toContainText(why)
    await expect(card).toContainText('Admins overturned the developer’s last rejection.')
    expect(await inEveryLook(phone, 'rejections')).toEqual([])
    await card.getByRole('button', { name: /^Consent: .* of Quiet Notes$/ }).click()
    const dialog = phone.getByRole('dialog')
    await dialog.getByRole('button', { name: 'Consent' }).click()
    await expect(dialog).toContainText('The note is required')
    await dialog.getByLabel('Note').fill('Nothing of it is about the app.')
    expect(await violationsOf(phone, 'consent to a rejection')).toEqual([])
    await dialog.getByRole('button', { name: 'Consent' }).click()
    await expect(dialog).toBeHidden()
    await expect(card).toBeHidden()
    await expect(phone.getByRole('listitem').filter({ hasText: 'Loud Notes' })).toBeVisible()

    const desk = await open({ as: await theAdmin(), provokes: outlivedTokens })
    await desk.goto(queue)
    const other = desk.getByRole('listitem').filter({ hasText: 'Loud Notes' })
    await other.getByRole('button', { name: /^Refuse consent: .* of Loud Notes$/ }).press('Enter')
    await desk.getByRole('dialog').getByLabel('Note').fill(note)
    await desk.getByRole('dialog').getByRole('button', { name: 'Refuse consent' }).press('Enter')
    await expect(desk.getByText('No rejections')).toBeVisible()

    const statusOf = async (of: { tester: Person; id: string }) => {
      const own = await call<{ id: string; status: string }[]>(of.tester, 'GET', '/testers/my-campaigns')
      return own.find(({ id }) => id === of.id)?.status
    }
    expect([await statusOf(consented), await statusOf(refused)]).toEqual(['REJECTED', 'SUBMITTED'])
    const page = await open({ as: developer, provokes: outlivedTokens })
    await page.goto(`/dashboard/campaigns/${refused.campaignId}/review`)
    await expect(page.getByText(note).first()).toBeVisible()
  } finally {
    await call(await theAdmin(), 'PATCH', '/admin/settings', { consentAfterOverturned })
  }
})
