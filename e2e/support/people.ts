/** Who takes part in the journeys, each in a browser of their own. */
import { type Browser, expect, type Page } from '@playwright/test'

export const password = 'correct horse battery'
export const adminEmail = 'admin@journeys.test'

const phone = { viewport: { width: 390, height: 844 }, hasTouch: true }
const desk = { viewport: { width: 1280, height: 800 } }

export type Screen = 'phone' | 'desk'

/** A fresh browser; everything that goes wrong in the page fails the journey. */
export const openBrowser = async (browser: Browser, screen: Screen): Promise<Page> => {
  const context = await browser.newContext({
    ...(screen === 'phone' ? phone : desk),
    baseURL: process.env.E2E_BASE_URL!,
    timezoneId: 'Europe/Berlin',
    reducedMotion: 'reduce',
  })
  const page = await context.newPage()
  page.on('pageerror', error => {
    throw error
  })
  return page
}

export const register = async (page: Page, person: { name: string; email: string; role: 'TESTER' | 'DEVELOPER' }): Promise<void> => {
  await page.goto('/register')
  await page.getByLabel('Full name').fill(person.name)
  await page.getByLabel('Email').fill(person.email)
  const account = person.role === 'TESTER' ? 'Tester - Test apps and earn money' : 'Developer - Create campaigns'
  await page.getByRole('radio', { name: account }).check({ force: true })
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByLabel('Confirm password').fill(password)
  await page.getByRole('button', { name: 'Create account' }).click()
  await expect(page).toHaveURL(/\/dashboard$/)
}

export const signIn = async (page: Page, email: string, secret = password): Promise<void> => {
  await page.goto('/login')
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(secret)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await expect(page).toHaveURL(/\/dashboard$/)
}

/** Moves the product's clock; answers once what fell due has happened. */
export const advanceHours = async (page: Page, hours: number): Promise<void> => {
  const reply = await page.request.post('/api/v1/test-clock', { data: { advanceHours: hours } })
  expect(reply.status()).toBe(200)
}
