/** How many presses the main jobs take from the dashboard (docs/presses.md); typing is not counted. */
import type { Locator } from '@playwright/test'
import { call, join, liveCampaign, newPerson, passHours } from './support/api.ts'
import { inEveryLook } from './support/axe.ts'
import { expect, outlivedTokens, test } from './support/test.ts'

const counter = () => {
  const pressed: string[] = []
  const press = async (target: Locator, name: string) => {
    await target.click()
    pressed.push(name)
  }
  return { pressed, press }
}

test('on the phone a check-in takes one press from the dashboard, and a proof two', async ({ open }) => {
  const tester = await newPerson('TESTER', 'Pia Press')
  const campaign = await liveCampaign(await newPerson('DEVELOPER', 'Dan Press'), {
    title: 'Counted on the phone',
    durationDays: 1,
  })
  const { id } = await join(tester, campaign)
  const page = await open({ as: tester, screen: 'phone', provokes: outlivedTokens })
  await page.goto('/dashboard')
  const needs = page.getByRole('main')
  const checkIn = counter()
  expect(await inEveryLook(page, 'what needs a tester')).toEqual([])
  await checkIn.press(needs.getByRole('button', { name: 'Check in to Counted on the phone' }), 'Check in')
  await expect(needs.getByText('Check in for today')).toBeHidden()
  await expect(needs.getByText('Nothing needs your attention right now.')).toBeVisible()
  expect(checkIn.pressed).toHaveLength(1)
  const { checkIns } = await call<{ checkIns: unknown[] }>(tester, 'GET', `/testers/campaign-testers/${id}`)
  expect(checkIns).toHaveLength(1)

  await passHours(25)
  await page.reload()
  const proof = counter()
  await proof.press(needs.getByRole('link', { name: /^Submit proof/ }), 'Submit proof, on the dashboard')
  await page.getByLabel('Your proof').fill('I used it for a day, and it worked.')
  await proof.press(page.getByRole('button', { name: 'Submit proof', exact: true }), 'Submit proof')
  await expect(page.getByText('Your proof is in review')).toBeVisible()
  expect(proof.pressed).toHaveLength(2)
})

test('a list of fifteen addresses is copied and confirmed with four presses', async ({ open }) => {
  test.setTimeout(120_000)
  const owner = await newPerson('DEVELOPER', 'Lea List')
  const campaign = await liveCampaign(owner, {
    title: 'Fifteen to list',
    accessMode: 'EMAIL_LIST',
    testersRequired: 15,
    durationDays: 14,
  })
  for (let place = 1; place <= 15; place++) {
    const tester = await newPerson('TESTER', `Lis${'abcdefghijklmno'[place - 1]} Ted`)
    await call(tester, 'POST', `/testers/campaigns/${campaign.id}/join`, {
      deviceInfo: { platform: 'android', osVersion: '14', model: 'Pixel 8' },
      playEmail: `listed.${place}@gmail.com`,
      consent: true,
    })
  }
  const page = await open({ as: owner })
  await page.goto('/dashboard')
  const needs = page.getByRole('main')
  await expect(needs.getByText(/testers to confirm on the tester list/)).toBeVisible()
  const { pressed, press } = counter()
  await press(needs.getByRole('link', { name: /^Open the list/ }), 'Open the list')
  await press(page.getByRole('button', { name: 'Show and copy' }), 'Show and copy')
  await expect(page.getByText('listed.15@gmail.com')).toBeVisible()
  await press(page.getByRole('button', { name: 'I have added them' }), 'I have added them')
  const asked = page.getByRole('dialog', { name: 'Have you updated the list?' })
  await press(asked.getByRole('button', { name: 'I have added them' }), 'I have added them, sure')
  await expect(page.getByText('Up to date', { exact: true })).toBeVisible()
  expect(pressed).toHaveLength(4)
})
