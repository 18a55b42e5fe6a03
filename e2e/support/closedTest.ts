/** What the people in the journey through a closed test do (e2e/closed-test.spec.ts). */
import { readFile } from 'node:fs/promises'
import { expect, type Page } from '@playwright/test'
import type { CampaignTester } from '../../src/participations/contract.ts'
import { call, newPerson, passHours, type Person } from './api.ts'
import { confirm } from './people.ts'

export const title = 'Moss and Fern'
export const features = ['Name a plant', 'Share a find']
const hourMs = 3_600_000

/** Moves the clock to 10:00 UTC on the first day of the next month, and returns that month's name, such as "Dec". */
export const toTheFirst = async (): Promise<string> => {
  const now = new Date(await passHours(0))
  const first = Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1, 10)
  const reached = new Date(await passHours((first - now.getTime()) / hourMs))
  expect(reached.getUTCDate()).toBe(1)
  return reached.toLocaleString('en-US', { month: 'short', timeZone: 'UTC' })
}

export const create = async (developer: Page): Promise<string> => {
  await developer.goto('/dashboard/campaigns/create')
  await developer.getByLabel('Title').fill(title)
  await developer.getByLabel('Description').fill('Take a photo of a plant a day and see what the app makes of it.')
  await developer.getByLabel('Distribution link').fill('https://play.google.com/apps/testing/com.example.moss')
  // A link to Google Play proposes the email list.
  await expect(developer.getByRole('radio', { name: /^Email list/ })).toBeChecked()
  await developer.getByLabel('Testers', { exact: true }).fill('15')
  await developer.getByLabel('Payment per tester').fill('10.00')
  await developer.getByLabel('Duration in days').fill('14')
  for (const [at, feature] of features.entries()) {
    await developer.getByRole('button', { name: 'Add a feature' }).tap()
    await developer.getByLabel(`Feature ${at + 1}`, { exact: true }).fill(feature)
  }
  await expect(developer.getByText('Meets Google’s rule')).toBeVisible()
  await developer.getByRole('button', { name: 'Create Campaign' }).tap()
  await expect(developer.getByRole('heading', { level: 1, name: title })).toBeVisible()
  await expect(developer).toHaveURL(/\/dashboard\/campaigns\/[0-9a-f-]{36}$/)
  // 15 × $10.00, and the fee of 15 %: $22.50.
  await confirm(developer, 'Pay $172.50')
  await expect(developer.getByText('In review')).toBeVisible()
  return developer.url().split('/').at(-1)!
}

/** Takes a seat, or a place on the bench if there is none. */
export const enter = async (page: Page, campaign: string, button: string, address: string): Promise<string> => {
  await page.goto(`/dashboard/campaigns/${campaign}`)
  await page.getByRole('main').getByRole('button', { name: button }).first().tap()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Platform').selectOption('android')
  await dialog.getByLabel('OS version').fill('15')
  await dialog.getByLabel('Model').fill('Pixel 9')
  await dialog.getByLabel('Play address').fill(address)
  await dialog.getByLabel('I agree to this').check()
  await dialog.getByRole('button', { name: button }).tap()
  await expect(page).toHaveURL(/\/dashboard\/my-tests\/[0-9a-f-]{36}$/)
  return page.url().split('/').at(-1)!
}

export const addressOf = (number: number) => `tester.${number}@gmail.com`

/** The tests by number: `tests[0]` is that of Tester 1. */
export type Test = { person: Person; id: string }

export const act = ({ person, id }: Test, what: string, body: unknown = {}) =>
  call<CampaignTester>(person, 'POST', `/testers/campaign-testers/${id}/${what}`, body)

export const joinByCall = async (campaign: string, number: number): Promise<Test> => {
  const person = await newPerson('TESTER', `Tess ${String.fromCodePoint(64 + number)}`)
  const { id } = await call<CampaignTester>(person, 'POST', `/testers/campaigns/${campaign}/join`, {
    deviceInfo: { platform: 'android', osVersion: '14', model: 'Pixel 8' },
    playEmail: addressOf(number),
    consent: true,
  })
  return { person, id }
}

export const openList = (developer: Page, campaign: string) =>
  developer.goto(`/dashboard/campaigns/${campaign}?tab=list`)

export const confirmList = async (developer: Page) => {
  await developer.getByRole('button', { name: 'I have added them' }).tap()
  await developer.getByRole('dialog').getByRole('button', { name: 'I have added them' }).tap()
  await expect(developer.getByText('Up to date')).toBeVisible()
}

/** What Tester 1 does once the developer has put the address on the list. */
export const getIn = async (tester: Page, test1: string) => {
  await tester.goto(`/dashboard/my-tests/${test1}`)
  await tester.getByRole('button', { name: 'Show the link and your account' }).tap()
  await expect(tester.getByText(addressOf(1), { exact: true })).toBeVisible()
  await tester.getByRole('button', { name: 'I have opted in' }).tap()
  await expect(tester.getByText(/Opted in since .*: 0 full days/)).toBeVisible()
  await tester.getByRole('button', { name: 'Add details' }).tap()
  await tester.getByLabel('Minutes of use').fill('20')
  await tester.getByLabel(features[0]!).check()
  await tester.getByLabel('Note for the developer').fill('It knew the fern at once.')
  await tester.getByRole('button', { name: 'Check in for today' }).tap()
  await expect(tester.getByText('Checked in today')).toBeVisible()
}

export const submitByHand = async (tester: Page, id: string) => {
  await tester.goto(`/dashboard/my-tests/${id}`)
  await expect(tester.getByRole('region', { name: 'Proof due' })).toBeInViewport()
  await tester.getByLabel('Your proof').fill('Proof of 1: fourteen plants, and two of them had the wrong name.')
  await tester.getByRole('button', { name: 'Submit proof' }).tap()
  await expect(tester.getByText('Your proof is in review')).toBeVisible()
}

/** One press to open the desk, and one for each proof. */
export const reviewByKeyboard = async (developer: Page, numbers: number[]) => {
  await developer.getByRole('link', { name: 'Review all' }).focus()
  await developer.keyboard.press('Enter')
  for (const number of numbers) {
    await expect(developer.getByText(`Proof of ${number}:`)).toBeVisible()
    await developer.keyboard.press('v')
  }
  await expect(developer.getByRole('heading', { level: 2, name: 'No proofs to review' })).toBeVisible()
  // The last verification can be undone for five seconds, and is then sent.
  await expect(developer.getByRole('button', { name: /^Undo/ })).toBeHidden()
}

export const download = async (developer: Page, button: string): Promise<Buffer> => {
  const saving = developer.waitForEvent('download')
  await developer.getByRole('button', { name: button }).tap()
  return readFile(await (await saving).path())
}
