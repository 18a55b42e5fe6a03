/** The NDA before the link: requested, read before joining, accepted with one's name, changed, and refused with pay. */
import { readFile } from 'node:fs/promises'
import { expectAccessible } from './support/axe.ts'
import { call, liveCampaign, newPerson } from './support/api.ts'
import { expect, test } from './support/test.ts'

const link = 'https://play.google.com/apps/testing/com.example.app'

test('no tester sees the link before accepting the NDA, and a changed one can be refused with pay for the finished days', async ({
  open,
}) => {
  const owner = await newPerson('DEVELOPER', 'Nora Secret')
  const person = await newPerson('TESTER', 'Tim Silent')
  const title = 'Hush Hour'
  const { id } = await liveCampaign(owner, { title })
  const developer = await open({ as: owner })
  const tester = await open({ as: person, screen: 'phone' })

  // On the campaign's own screen, with our template.
  await developer.goto(`/dashboard/campaigns/${id}`)
  await developer.getByRole('link', { name: 'Require one (NDA)' }).click()
  const text = developer.getByLabel('Text')
  await expect(text).toHaveValue(/Hush Hour[^]*Nora Secret/)
  await expectAccessible(developer, 'the editor')
  await developer.getByRole('button', { name: 'Require this NDA' }).click()
  await developer.getByRole('dialog').getByRole('button', { name: 'Require this NDA' }).click()
  await expect(developer.getByRole('heading', { name: 'The NDA, version 1' })).toBeVisible()

  await call(owner, 'POST', `/campaigns/${id}/changes`, { version: '1.1', changes: [{ text: 'Quieter' }] })

  // The tester reads it before joining.
  await tester.goto(`/dashboard/campaigns/${id}`)
  await expect(tester.getByText('once you have joined and accepted the NDA')).toBeVisible()
  await tester.getByRole('main').getByRole('button', { name: 'Join Campaign' }).first().tap()
  const dialog = tester.getByRole('dialog')
  await expect(dialog.getByLabel('Model')).toBeVisible()
  await dialog.getByText('Read the NDA').tap()
  await expect(dialog.getByRole('region', { name: 'The NDA' })).toContainText('What is confidential')
  await expectAccessible(tester, 'the join dialog')
  await dialog.getByLabel('OS version').fill('15')
  await dialog.getByLabel('Model').fill('Pixel 9')
  await dialog.getByRole('button', { name: 'Join Campaign' }).tap()
  await expect(tester).toHaveURL(/\/dashboard\/my-tests\/[0-9a-f-]{36}$/)
  const testId = tester.url().split('/').at(-1)!

  // There is no link and no check-in, and the list of tests leads here.
  await expect(tester.getByRole('heading', { name: 'Accept the NDA' })).toBeVisible()
  await expect(tester.getByRole('link', { name: 'Get the app' })).toBeHidden()
  await expect(tester.getByRole('button', { name: 'Check in' })).toBeHidden()
  await expect(tester.getByLabel('Your full name')).toHaveAccessibleDescription(/export that is recorded/)
  await expect(tester.getByText('You can report bugs once you have accepted the NDA.')).toBeVisible()
  await expect(tester.getByText('What changed')).toBeHidden()
  await expectAccessible(tester, 'the test')
  await tester.goto(`/dashboard/my-tests/${testId}/report-bug`)
  await expect(tester.getByText('Accept the NDA of this test first. You can then report bugs.')).toBeVisible()
  await tester.goto('/dashboard/my-tests')
  await tester.getByRole('link', { name: 'Read and accept it' }).tap()
  await tester.getByRole('button', { name: 'Accept the NDA' }).tap()
  await expect(tester.getByText('Your full name is required')).toBeVisible()
  await tester.getByLabel('Your full name').fill('Timothy Silent')
  await tester.getByRole('button', { name: 'Accept the NDA' }).tap()
  await expect(tester.getByRole('link', { name: 'Get the app' })).toHaveAttribute('href', link)
  await expect(tester.getByRole('heading', { name: 'Accept the NDA' })).toBeHidden()
  await expect(tester.getByRole('link', { name: 'Report a bug' })).toBeVisible()
  await expect(tester.getByRole('heading', { name: 'What changed' })).toBeVisible()

  // The record: the tester sees all of it, the owner sees the alias, and the export has the name.
  await tester.goto(`/dashboard/campaigns/${id}/nda`)
  await expect(tester.getByText('Timothy Silent')).toBeVisible()
  await developer.reload()
  await expect(developer.getByRole('rowheader', { name: 'Tester 1' })).toBeVisible()
  await expect(developer.getByText('Timothy')).toBeHidden()
  const saved = developer.waitForEvent('download')
  await developer.getByRole('button', { name: 'Export names' }).click()
  expect(await readFile(await (await saved).path(), 'utf8')).toContain('Tester 1,Timothy Silent,1,')

  // A changed text has to be accepted again, and takes nothing away.
  await call(person, 'POST', `/testers/campaign-testers/${testId}/check-ins`, {})
  await text.fill('Tell nobody, ever.')
  await developer.getByRole('button', { name: 'Save as new version' }).click()
  await developer.getByRole('dialog').getByRole('button', { name: 'Save new version' }).click()
  await expect(developer.getByRole('heading', { name: 'The NDA, version 2' })).toBeVisible()
  await expectAccessible(developer, 'the editor with versions')
  await tester.goto('/dashboard/notifications')
  await tester.getByRole('link', { name: 'The NDA has changed' }).tap()
  await expect(tester.getByRole('heading', { name: 'The NDA has changed' })).toBeVisible()
  await expect(tester.getByRole('link', { name: 'Get the app' })).toHaveAttribute('href', link)
  await tester.getByRole('button', { name: 'Refuse and leave with $6.25' }).tap()
  await tester.getByRole('dialog').getByRole('button', { name: 'Refuse and leave' }).tap()
  await expect(tester.getByText(/You did not accept the changed NDA.*\$6\.25 was added/)).toBeVisible()
  await expect(tester.getByRole('link', { name: 'Get the app' })).toBeHidden()
})
