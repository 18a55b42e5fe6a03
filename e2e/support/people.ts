/** The people in the journeys, and what they have in common. */
import { expect, type Page } from '@playwright/test'

export const password = 'correct horse battery'
export const adminEmail = 'admin@journeys.test'

type Newcomer = { name: string; email: string; role: 'TESTER' | 'DEVELOPER' }

export const register = async (page: Page, person: Newcomer): Promise<void> => {
  await page.goto('/register')
  await page.getByLabel('Full name').fill(person.name)
  await page.getByLabel('Email').fill(person.email)
  const account = person.role === 'TESTER' ? 'Tester - Test apps and earn money' : 'Developer - Create campaigns'
  await page.getByRole('radio', { name: account }).check({ force: true })
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByLabel('Confirm password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Create account' }).click()
  await expect(page).toHaveURL(/\/dashboard$/)
}

/** Enters the credentials and presses the button; what follows is up to the journey. */
export const trySignIn = async (page: Page, email: string, secret = password): Promise<void> => {
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(secret)
  await page.getByRole('button', { name: 'Sign in' }).click()
}

export const signIn = async (page: Page, email: string, secret = password): Promise<void> => {
  await page.goto('/login')
  await trySignIn(page, email, secret)
  await expect(page).toHaveURL(/\/dashboard$/)
}

/** Clicks the button, then the one in the dialog that asks for confirmation. */
export const confirm = async (page: Page, button: string, confirmLabel = button): Promise<void> => {
  await page.getByRole('main').getByRole('button', { name: button, exact: true }).first().click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: confirmLabel, exact: true }).click()
  await expect(dialog).toBeHidden()
}
