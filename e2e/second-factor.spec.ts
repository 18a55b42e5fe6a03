/** The second factor in a real browser: passkeys (Chromium's virtual authenticator), an authenticator app, production admins. */
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Secret, TOTP } from 'otpauth'
import { startServer } from '../scripts/screens/server.ts'
import { cloneTemplate } from '../src/testing/databases.ts'
import { expectAccessible } from './support/axe.ts'
import { call, draftCampaign, newPerson, passHours } from './support/api.ts'
import { adminEmail, password, trySignIn } from './support/people.ts'
import { databaseServerVariable } from './support/product.ts'
import { expect, type Page, test } from './support/test.ts'

/** Refusals that the journeys provoke; the browser writes them to its console. */
const refusals = /status of (400|401|403)|40[013] /

/** Adds a device with a fingerprint sensor that recognizes its owner. */
const withAuthenticator = async (page: Page) => {
  const cdp = await page.context().newCDPSession(page)
  await cdp.send('WebAuthn.enable')
  const { authenticatorId } = await cdp.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  return {
    knowsOwner: (isUserVerified: boolean) => cdp.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified }),
  }
}

/** The app's current code, by the server's clock, which journeys move. */
const codeOf = async (page: Page, secret: string, steps = 0): Promise<string> => {
  const { headers } = await page.request.get('/api/v1/users/me').then(reply => ({ headers: reply.headers() }))
  const now = Date.parse(headers['x-server-time'] ?? '')
  return new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: now + steps * 30_000 })
}

const logOut = async (page: Page) => {
  await page.getByRole('button', { name: /user menu/i }).click()
  await page.getByRole('button', { name: 'Log out' }).click()
  await expect(page).toHaveURL(/\/$/)
}

const saveCodes = async (page: Page): Promise<string[]> => {
  const dialog = page.getByRole('dialog', { name: 'Save your recovery codes' })
  const items = dialog.getByRole('list', { name: 'Recovery codes' }).getByRole('listitem')
  await expect(items).toHaveCount(10)
  const codes = await items.allTextContents()
  expect(new Set(codes).size).toBe(10)
  await page.keyboard.press('Escape')
  await expect(dialog).toBeVisible()
  const saved = page.waitForEvent('download')
  await dialog.getByRole('button', { name: 'Download' }).click()
  expect((await saved).suggestedFilename()).toBe('fieldtest-recovery-codes.txt')
  await dialog.getByRole('button', { name: 'I have saved them' }).click()
  await expect(dialog).toBeHidden()
  return codes
}

test('a passkey is added, signs in, and confirms a payment, which is made once', async ({ open }) => {
  const developer = await newPerson('DEVELOPER', 'Pia Passkey')
  const { id } = await draftCampaign(developer, { title: 'Paid with a passkey' })
  const page = await open({ as: developer, provokes: refusals, fresh: true })
  const device = await withAuthenticator(page)
  await page.goto('/dashboard/payments')
  await page.getByRole('button', { name: /user menu/i }).click()
  await page.getByRole('link', { name: 'Settings' }).click()
  await expect(page.getByText('Second factor off')).toBeVisible()
  await page.getByRole('button', { name: 'Add a passkey' }).click()
  const adding = page.getByRole('dialog', { name: 'Add a passkey' })
  await adding.getByLabel('Name').fill('Desk')
  await expectAccessible(page, 'adding a passkey')
  await adding.getByLabel('Current password', { exact: true }).fill('not the right one')
  await adding.getByRole('button', { name: 'Continue' }).click()
  await expect(adding.getByText('The current password is not correct.')).toBeVisible()
  await adding.getByLabel('Current password', { exact: true }).fill(password)
  await adding.getByRole('button', { name: 'Continue' }).click()
  await page.getByRole('dialog', { name: 'Save your recovery codes' }).waitFor()
  await page.evaluate(() => history.back())
  const asked = page.getByRole('dialog', { name: 'Leave without saving your codes?' })
  await expectAccessible(page, 'leaving the recovery codes')
  await asked.getByRole('button', { name: 'Cancel' }).click()
  await saveCodes(page)
  await expect(page.getByText('Second factor on')).toBeVisible()
  await page.getByRole('button', { name: 'Rename Desk' }).click()
  await page.getByRole('dialog').getByLabel('Name').fill('Desk at work')
  await page.getByRole('dialog').getByRole('button', { name: 'Rename' }).click()
  await expect(page.getByRole('button', { name: 'Rename Desk at work' })).toBeVisible()

  await logOut(page)
  await page.goto('/login')
  await trySignIn(page, developer.email)
  const step = page.getByRole('region', { name: 'Second step' })
  await expect(step.getByRole('button', { name: 'Use a passkey' })).toBeFocused()
  await expectAccessible(page, 'the second step')
  await device.knowsOwner(false)
  await page.keyboard.press('Enter')
  await expect(step.getByRole('alert')).toBeVisible()
  await device.knowsOwner(true)
  await step.getByRole('button', { name: 'Use a passkey' }).click()
  await expect(page).toHaveURL(/\/dashboard$/)

  // An open screen would refresh the session, and lose the answer when it is left.
  await page.goto('/offline.html')
  await passHours(1)
  await page.goto(`/dashboard/campaigns/${id}`)
  await page.getByRole('main').getByRole('button', { name: 'Pay $28.75', exact: true }).first().click()
  const paying = page.getByRole('dialog', { name: /Pay/ })
  await paying.getByRole('button', { name: 'Pay $28.75' }).click()
  const asking = page.getByRole('dialog', { name: 'Confirm your identity' })
  await asking.getByRole('button', { name: 'Cancel' }).click()
  await expect(asking).toBeHidden()
  await expect(paying.getByText('Use your second factor to confirm that it is you.')).toBeVisible()
  await paying.getByRole('button', { name: 'Pay $28.75' }).click()
  await expectAccessible(page, 'the step-up')
  await asking.getByRole('button', { name: 'Use a passkey' }).click()
  await expect(page.getByRole('main').getByText('Pending approval', { exact: true }).first()).toBeVisible()
  await page.goto('/dashboard/payments')
  await expect(page.getByRole('row').filter({ hasText: 'Paid with a passkey' })).toHaveCount(1)
})

test('an authenticator app is set up on a phone, a recovery code signs in, and the app is removed', async ({
  open,
}) => {
  const tester = await newPerson('TESTER', 'Theo Totp')
  const page = await open({ as: tester, screen: 'phone', provokes: refusals })
  await page.goto('/dashboard/settings')
  await page.getByRole('button', { name: 'Set up authenticator app' }).click()
  const dialog = page.getByRole('dialog', { name: 'Set up an authenticator app' })
  await dialog.getByLabel('Current password', { exact: true }).fill(password)
  await dialog.getByRole('button', { name: 'Continue' }).click()
  await expect(dialog.getByRole('img', { name: 'QR code for your authenticator app' })).toBeVisible()
  const secret = (await dialog.locator('code').textContent())!.replaceAll(' ', '')
  await expectAccessible(page, 'the QR code')
  await dialog.getByLabel('Code', { exact: true }).fill('000000')
  await dialog.getByRole('button', { name: 'Confirm' }).click()
  await expect(dialog.getByText(/That code is not correct/)).toBeVisible()
  await dialog.getByLabel('Code', { exact: true }).fill(await codeOf(page, secret))
  await dialog.getByRole('button', { name: 'Confirm' }).click()
  const [recovery] = await saveCodes(page)

  await logOut(page)
  await page.goto('/login')
  await trySignIn(page, tester.email)
  await expect(page.getByLabel('Code', { exact: true })).toBeFocused()
  await page.keyboard.type('000000')
  await page.keyboard.press('Enter')
  await expect(page.getByText(/That code is not correct/)).toBeVisible()
  await page.getByRole('button', { name: 'Use a recovery code' }).click()
  await page.getByLabel('Recovery code').fill(recovery!)
  await page.getByRole('button', { name: 'Confirm' }).click()
  await expect(page).toHaveURL(/\/dashboard$/)

  await page.goto('/dashboard/settings')
  await expect(page.getByText('9 of 10 left')).toBeVisible()
  await page.getByRole('button', { name: 'Remove authenticator app' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
  await expect(page.getByText('Second factor off')).toBeVisible()
  const { inForce } = await call<{ inForce: boolean }>(tester, 'GET', '/users/me/second-factor')
  expect(inForce).toBe(false)
})

test('in production an admin sets up a second factor before anything else', async ({ browser }) => {
  const dataDir = await mkdtemp(join(tmpdir(), 'fieldtest e2e '))
  const server = await startServer(dataDir, await cloneTemplate(process.env[databaseServerVariable]!), {
    NODE_ENV: 'production',
    RATE_LIMIT: 'on',
    FIELDTEST_TEST_CLOCK: '0',
    JWT_SECRET: randomBytes(32).toString('hex'),
    ENCRYPTION_KEY: randomBytes(32).toString('base64'),
  })
  const context = await browser.newContext({ baseURL: server.address, reducedMotion: 'reduce' })
  try {
    const page = await context.newPage()
    await withAuthenticator(page)
    await page.goto('/login')
    await trySignIn(page, adminEmail)
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Set up a second factor')
    await expectAccessible(page, 'the setup')
    await page.getByRole('button', { name: 'Add a passkey' }).click()
    await page.getByLabel('Current password', { exact: true }).fill(password)
    await page.getByRole('button', { name: 'Continue' }).click()
    await saveCodes(page)
    await expect(page.getByRole('navigation').first()).toBeVisible()
    await page.goto('/dashboard/users')
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Users')
  } finally {
    await context.close()
    await server.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
})
