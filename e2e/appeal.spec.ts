/** A fair hearing: the rejection, the tester's appeal on a phone, the admin's decision, and the money at each step. */
import { picture } from '../src/testing/pictures.ts'
import { call, join, liveCampaign, newPerson, passHours, theAdmin } from './support/api.ts'
import { inEveryLook, violationsOf } from './support/axe.ts'
import { expect, outlivedTokens, type Page, test } from './support/test.ts'

const why = 'The proof speaks of none of the screens that were to be tested.'
const appeal = 'The picture shows the search with the word that I looked for.'
const note = 'The picture shows what the campaign asks for.'

/** The amount beside a label of the money card. */
const money = (page: Page, label: RegExp) => page.getByText(label).first().locator('xpath=ancestor::div[1]')

test('a rejected proof is appealed with a picture; an admin sees both sides and verifies; the money is held until then', async ({
  open,
}) => {
  const owner = await newPerson('DEVELOPER', 'Rita Rejects')
  const person = await newPerson('TESTER', 'Ada Appeals')
  const campaign = await liveCampaign(owner, { title: 'Fair hearing', testersRequired: 1, durationDays: 1 })
  const { id } = await join(person, campaign)
  await call(person, 'POST', `/testers/campaign-testers/${id}/check-ins`, {
    note: 'The search forgets what was typed.',
  })
  await passHours(24)
  await call(person, 'POST', `/testers/campaign-testers/${id}/proof`, { proof: 'I wrote a note and looked for it.' })

  const developer = await open({ as: owner, provokes: outlivedTokens })
  await developer.goto(`/dashboard/campaigns/${campaign.id}/review`)
  await developer
    .getByRole('button', { name: /Reject/ })
    .first()
    .click()
  const rejecting = developer.getByRole('dialog')
  await expect(rejecting.getByText(/can appeal within 72 hours/)).toBeVisible()
  await rejecting.getByLabel('Problem').selectOption('NO_EVIDENCE_OF_TESTING')
  await rejecting.getByLabel('Reason').fill(why)
  await rejecting.getByRole('button', { name: 'Reject proof' }).click()
  await expect(rejecting).toBeHidden()
  await developer.goto(`/dashboard/campaigns/${campaign.id}`)
  await expect(developer.getByText('Held for 1 rejected proof')).toBeVisible()
  await expect(developer.getByText(/^until .* for an appeal/)).toBeVisible()
  await expect(money(developer, /Held for 1 rejected proof/)).toContainText('$')

  const tester = await open({ as: person, screen: 'phone', provokes: outlivedTokens })
  await tester.goto(`/dashboard/my-tests/${id}`)
  await expect(tester.getByText(why).first()).toBeVisible()
  await tester.getByRole('button', { name: 'Appeal', exact: true }).click()
  await tester.getByLabel('Your appeal').fill(appeal)
  // A draft survives a reload.
  await tester.reload()
  await tester.getByRole('button', { name: 'Appeal', exact: true }).click()
  await expect(tester.getByLabel('Your appeal')).toHaveValue(appeal)
  await tester.getByLabel('Choose pictures or a video').setInputFiles({
    name: 'search.png',
    mimeType: 'image/png',
    buffer: await picture({ width: 300, height: 600 }),
  })
  await expect(tester.getByText('Uploaded')).toBeVisible()
  expect(await inEveryLook(tester, 'an appeal that is written')).toEqual([])
  await tester.getByRole('button', { name: 'Send appeal' }).click()
  await expect(tester.getByText('An admin is reviewing your appeal')).toBeVisible()
  expect(await violationsOf(tester, 'an appeal that waits')).toEqual([])

  await developer.reload()
  await expect(developer.getByText('until an admin decides on the appeal')).toBeVisible()

  const admin = await open({ as: await theAdmin(), provokes: outlivedTokens })
  await admin.goto('/dashboard/campaigns/pending?list=appeals')
  expect(await inEveryLook(admin, 'the queue of appeals')).toEqual([])
  await admin.getByRole('link', { name: 'Review appeal of Tester 1 of Fair hearing' }).click()
  for (const words of [why, appeal, 'I wrote a note and looked for it.', 'The search forgets what was typed.'])
    await expect(admin.getByText(words).first()).toBeVisible()
  await expect(admin.getByRole('button', { name: 'Open Picture 1 of the appeal' })).toBeVisible()
  expect(await inEveryLook(admin, 'both sides of an appeal')).toEqual([])
  await admin.getByRole('button', { name: 'Verify and pay' }).click()
  await admin.getByLabel('Note').fill(note)
  await admin.getByRole('dialog').getByRole('button', { name: 'Verify and pay' }).click()
  await expect(admin.getByText('Granted: the tester was paid')).toBeVisible()

  await tester.reload()
  await expect(tester.getByText('Your appeal was granted', { exact: true })).toBeVisible()
  await expect(tester.getByText(note).first()).toBeVisible()
  await tester.goto('/dashboard/balance')
  await expect(tester.getByText('Verified test').first()).toBeVisible()
  await developer.goto(`/dashboard/campaigns/${campaign.id}?tab=testers`)
  await expect(developer.getByText('Held for 1 rejected proof')).toBeHidden()
  await developer.getByRole('button', { name: 'Tester 1', exact: true }).click()
  await expect(developer.getByRole('dialog').getByText(note)).toBeVisible()
})
