/** The way into a closed test on a phone: waiting, the link with the account, the opt-in, a contest, and the opt-out. */
import { picture } from '../src/testing/pictures.ts'
import { call, join, liveCampaign, newPerson, passHours, theAdmin } from './support/api.ts'
import { inEveryLook, violationsOf } from './support/axe.ts'
import { expect, outlivedTokens, test } from './support/test.ts'

const screenshot = async (color: string) => ({
  name: 'opted-in.png',
  mimeType: 'image/png',
  buffer: await picture({ color, width: 300, height: 600 }),
})

test('a tester waits, opens the link with the account, opts in and out; the developer reminds and contests; an admin decides', async ({
  open,
}) => {
  const owner = await newPerson('DEVELOPER', 'Wanda Way')
  const person = await newPerson('TESTER', 'Ines In')
  const campaign = await liveCampaign(owner, { title: 'Way in', accessMode: 'EMAIL_LIST' })
  const { id } = await join(person, campaign)
  const tester = await open({ as: person, screen: 'phone' })
  const developer = await open({ as: owner })

  await tester.goto(`/dashboard/my-tests/${id}`)
  await expect(tester.getByText('Waiting for the developer to add you to the tester list')).toBeVisible()
  await expect(tester.getByRole('button', { name: 'Check in for today' })).toBeHidden()
  await developer.goto(`/dashboard/campaigns/${campaign.id}?tab=testers`)
  await expect(developer.getByText('is waiting for you: not on the tester list yet')).toBeVisible()

  await call(owner, 'POST', `/campaigns/${campaign.id}/tester-list/export`)
  await call(owner, 'POST', `/campaigns/${campaign.id}/tester-list/confirm`)
  await developer.reload()
  await developer.getByRole('button', { name: 'Remind Tester 1 of the next step' }).click()
  await expect(developer.getByText('Reminded today')).toBeVisible()

  await tester.reload()
  await tester.getByRole('button', { name: 'Show the link and your account' }).click()
  await expect(tester.getByText(/@gmail\.com$/)).toBeVisible()
  await tester.getByText('Google Play says the app is not available?').click()
  await expect(tester.getByText('The country.')).toBeVisible()
  expect(await violationsOf(tester, 'the link and the account')).toEqual([])
  await tester.getByLabel('Choose a picture').setInputFiles(await screenshot('#30a050'))
  await expect(tester.getByText('Uploaded')).toBeVisible()
  await tester.getByRole('button', { name: 'I have opted in' }).click()
  await expect(tester.getByText(/Opted in since .*: 0 full days/)).toBeVisible()
  await expect(tester.getByRole('button', { name: 'Check in for today' })).toBeVisible()

  await developer.reload()
  await developer.getByRole('button', { name: 'Tester 1', exact: true }).click()
  await developer.getByRole('button', { name: 'Contest opt-in of Tester 1' }).click()
  await expect(developer.getByRole('button', { name: 'Open Picture 1 of the opt-in' })).toBeVisible()
  await developer.getByLabel('Reason').fill('Play Console shows one tester fewer.')
  await developer.getByRole('button', { name: 'Contest opt-in', exact: true }).click()
  await expect(developer.getByText('Opt-in contested').first()).toBeVisible()
  await tester.reload()
  await expect(tester.getByText('The developer doubts that you are opted in')).toBeVisible()

  const admin = await open({ as: await theAdmin() })
  await admin.goto('/dashboard/campaigns/pending?list=opt-ins')
  await expect(admin.getByText('Play Console shows one tester fewer.').first()).toBeVisible()
  await admin.getByRole('button', { name: 'Count opt-in: Tester 1 of Way in' }).click()
  await admin.getByRole('dialog').getByRole('button', { name: 'Open Picture 1 of the opt-in' }).click()
  await expect(admin.getByRole('img', { name: 'Picture 1 of the opt-in' })).toBeVisible()
  await admin.keyboard.press('Escape')
  await admin.getByLabel('Note').fill('The check-ins show it.')
  await admin.getByRole('dialog').getByRole('button', { name: 'Count opt-in' }).click()
  await expect(admin.getByRole('button', { name: 'Count opt-in: Tester 1 of Way in' })).toBeHidden()

  await tester.reload()
  await tester.getByRole('button', { name: 'Report an opt-out' }).click()
  const dialog = tester.getByRole('dialog')
  await expect(dialog.getByText(/they start over at day 1/)).toBeVisible()
  await dialog.getByRole('button', { name: 'Report opt-out' }).click()
  await expect(tester.getByText('You are not opted in')).toBeVisible()
  await tester.goto('/dashboard/my-tests')
  await tester.setViewportSize({ width: 1280, height: 800 })
  await expect(tester.getByText('You are not opted in')).toBeVisible()
})

test('a tester settles a contested opt-in with a screenshot, and the developer sees it', async ({ open }) => {
  const owner = await newPerson('DEVELOPER', 'Dan Doubt')
  const person = await newPerson('TESTER', 'Sue Screenshot')
  const campaign = await liveCampaign(owner, { title: 'Doubted', accessMode: 'EMAIL_LIST' })
  const { id } = await join(person, campaign)
  await call(person, 'POST', `/testers/campaign-testers/${id}/opt-in`)
  await call(owner, 'POST', `/campaign-testers/${id}/contest-opt-in`, {
    reason: 'Play Console shows one tester fewer.',
  })

  const tester = await open({ as: person, screen: 'phone' })
  await tester.goto(`/dashboard/my-tests/${id}`)
  await expect(tester.getByText('The developer doubts that you are opted in')).toBeVisible()
  await tester.getByLabel('Choose a picture').setInputFiles(await screenshot('#30a050'))
  await expect(tester.getByText('Uploaded')).toBeVisible()
  expect(await inEveryLook(tester, 'a contested opt-in with a screenshot')).toEqual([])
  await tester.getByRole('button', { name: 'I am still opted in' }).click()
  await expect(tester.getByText('The developer doubts that you are opted in')).toBeHidden()
  await expect(tester.getByRole('button', { name: 'Open Picture 1 of the opt-in' })).toBeVisible()

  const developer = await open({ as: owner })
  await developer.goto(`/dashboard/campaigns/${campaign.id}?tab=testers`)
  await developer.getByRole('button', { name: 'Tester 1', exact: true }).click()
  await expect(developer.getByText('Contested opt-in counts')).toBeVisible()
  await developer.getByRole('button', { name: 'Open Picture 1 of the opt-in' }).click()
  await expect(developer.getByRole('img', { name: 'Picture 1 of the opt-in' })).toBeVisible()
})

test('a tester whom Google Play does not let in reports it, and the developer reads what to check', async ({
  open,
}) => {
  const owner = await newPerson('DEVELOPER', 'Lia List')
  const person = await newPerson('TESTER', 'Kit Out')
  const campaign = await liveCampaign(owner, { title: 'Kept out', accessMode: 'EMAIL_LIST' })
  const { id } = await join(person, campaign)
  const confirm = async () => {
    await call(owner, 'POST', `/campaigns/${campaign.id}/tester-list/export`)
    await call(owner, 'POST', `/campaigns/${campaign.id}/tester-list/confirm`)
  }
  await confirm()
  const tester = await open({ as: person, screen: 'phone', provokes: outlivedTokens })
  const check = async () => {
    await tester.goto(`/dashboard/my-tests/${id}`)
    await tester.getByRole('button', { name: 'Show the link and your account' }).click()
    await tester.getByText('Google Play says the app is not available?').click()
  }
  await check()
  await expect(tester.getByText('If it still does not let you in on')).toBeVisible()
  await passHours(4)
  await check()
  await tester.getByRole('button', { name: 'Google Play does not let me in' }).click()
  const dialog = tester.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Report to the developer' }).click()
  await expect(dialog.getByText('Choose what Google Play shows')).toBeVisible()
  await expect(dialog.getByRole('radio').first()).toBeFocused()
  expect(await inEveryLook(tester, 'the report that Google Play does not let me in')).toEqual([])
  await dialog.getByText('The app is not available in my country').click()
  await dialog.getByRole('button', { name: 'Report to the developer' }).click()
  await expect(tester.getByText('Waiting for the developer to let you in')).toBeVisible()
  await expect(tester.getByText('You reported that Google Play does not let you in')).toBeVisible()
  expect(await inEveryLook(tester, 'waiting after the report')).toEqual([])

  const developer = await open({ as: owner })
  await developer.goto(`/dashboard/campaigns/${campaign.id}?tab=testers`)
  await expect(developer.getByText('is waiting for you: not let in by Google Play')).toBeVisible()
  await developer.getByRole('button', { name: 'Tester 1', exact: true }).click()
  await expect(developer.getByText('Google Play says that the app is not available in their country.')).toBeVisible()
  await expect(developer.getByText('Check the countries of your closed test in Play Console.')).toBeVisible()
  expect(await inEveryLook(developer, 'a tester who is kept out')).toEqual([])
  await developer.keyboard.press('Escape')
  await developer.getByRole('link', { name: 'Open the tester list' }).click()
  await expect(developer.getByText('Check the countries of your closed test in Play Console.')).toBeVisible()
  expect(await inEveryLook(developer, 'the list with a tester who is kept out')).toEqual([])
  await confirm()
  await tester.reload()
  await expect(tester.getByText('Next: opt in on Google Play')).toBeVisible()
})
