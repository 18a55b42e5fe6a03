/** Links from real emails, on a phone: a forgotten password, a confirmed address, an address that is changed and restored. */
import { confirmationSubject, tokensFor } from '../src/testing/emailedLinks.ts'
import { expectAccessible } from './support/axe.ts'
import { call, newPerson, passHours } from './support/api.ts'
import { password, trySignIn } from './support/people.ts'
import { mailFolder } from './support/product.ts'
import { expect, type Page, test } from './support/test.ts'

/** Refusals that the journeys provoke; the browser writes them to its console. */
const refusals = /status of (400|401|409)|40[019] |HTTP 401/

const fresh = 'another battery staple'

/** The token of the last email to this address with this subject. */
const linkTo = async (address: string, subject: string): Promise<string> => {
  // Returns once everything that is due has been sent.
  await passHours(0)
  const token = (await tokensFor({ mailFolder: mailFolder() }, address, subject)).at(-1)
  if (token === undefined) throw new Error(`no “${subject}” to ${address}`)
  return token
}

/** Checks that no request of the page reveals the token, in its address or its referrer. */
const watchFor = (page: Page, token: string): string[] => {
  const told: string[] = []
  page.on('request', request => {
    if (`${request.url()} ${request.headers()['referer'] ?? ''}`.includes(token)) told.push(request.url())
  })
  return told
}

test('a forgotten password is replaced with the link, and the new one signs in', async ({ open }) => {
  const { email } = await newPerson('TESTER', 'Fay Forgot')
  const page = await open({ screen: 'phone', provokes: refusals })
  await page.goto('/login')
  await page.getByRole('link', { name: 'Forgot password?' }).click()
  // The previous page's form also has an email field.
  await expect(page.getByRole('heading', { name: 'Reset your password' })).toBeVisible()
  await page.getByLabel('Email').fill(email)
  await expectAccessible(page, 'asking for the link')
  await page.getByRole('button', { name: 'Email me a link' }).click()
  await expect(page.getByText('Check your inbox')).toBeVisible()

  const token = await linkTo(email, 'Reset your password')
  const told = watchFor(page, token)
  await page.goto(`/reset-password#token=${token}`)
  await page.getByLabel('New password', { exact: true }).fill(fresh)
  await page.getByLabel('Confirm new password', { exact: true }).fill(fresh)
  await expectAccessible(page, 'the new password')
  await page.getByRole('button', { name: 'Save password' }).click()
  await expect(page.getByText('Password changed')).toBeVisible()
  expect(told).toEqual([])
  await page.getByRole('link', { name: 'Sign in', exact: true }).click()
  await trySignIn(page, email)
  await expect(page.getByRole('alert')).toBeVisible()
  await trySignIn(page, email, fresh)
  await expect(page).toHaveURL(/\/dashboard$/)

  await page.goto(`/reset-password#token=${token}`)
  await page.getByLabel('New password', { exact: true }).fill(fresh)
  await page.getByLabel('Confirm new password', { exact: true }).fill(fresh)
  await page.getByRole('button', { name: 'Save password' }).click()
  await expect(page.getByText('This link no longer works')).toBeVisible()
  await expectAccessible(page, 'a used link')
  await page.getByRole('link', { name: 'Email me a new link' }).click()
  await expect(page.getByRole('heading', { name: 'Reset your password' })).toBeVisible()

  // A truncated link.
  await page.goto('/reset-password')
  await expect(page.getByText('This link is incomplete')).toBeVisible()
  await expect(page.getByLabel('New password', { exact: true })).toHaveCount(0)
})

test('a password reset in a browser where somebody else is signed in leads to the sign-in page, not into their account', async ({
  open,
}) => {
  const [forgetful, other] = [await newPerson('TESTER', 'Fred Forgot'), await newPerson('DEVELOPER', 'Olga Other')]
  const page = await open({ as: other, screen: 'phone', provokes: refusals })
  await call(other, 'POST', '/auth/forgot-password', { email: forgetful.email })
  await page.goto(`/reset-password#token=${await linkTo(forgetful.email, 'Reset your password')}`)
  await page.getByLabel('New password', { exact: true }).fill(fresh)
  await page.getByLabel('Confirm new password', { exact: true }).fill(fresh)
  await page.getByRole('button', { name: 'Save password' }).click()
  await expect(page.getByText(`You are signed in as ${other.email} here.`)).toBeVisible()
  await expectAccessible(page, 'a reset while somebody else is signed in')
  await page.getByRole('button', { name: 'Sign out and sign in again' }).click()
  await trySignIn(page, forgetful.email, fresh)
  await expect(page).toHaveURL(/\/dashboard$/)
  await expect(page.getByText('Tester', { exact: true }).first()).toBeVisible()
})

test('an address is confirmed with one press where its account is signed in, and with the password elsewhere', async ({
  open,
}) => {
  const [here, elsewhere] = [await newPerson('TESTER', 'Vera Verify'), await newPerson('TESTER', 'Else Where')]
  const page = await open({ as: here, screen: 'phone', provokes: refusals })
  await page.goto(`/verify-email#token=${await linkTo(here.email, confirmationSubject)}`)
  await page.getByRole('button', { name: 'Confirm email address' }).click()
  await expect(page.getByText('Your email address is confirmed')).toBeVisible()
  await page.getByRole('link', { name: 'Go to dashboard' }).click()
  await expect(page).toHaveURL(/\/dashboard$/)
  await expect(page.getByRole('region', { name: 'Confirm your email address' })).toHaveCount(0)

  // In a browser where somebody else is signed in.
  await page.goto(`/verify-email#token=${await linkTo(elsewhere.email, confirmationSubject)}`)
  await page.getByRole('button', { name: 'Confirm email address' }).click()
  const field = page.getByLabel('Your Fieldtest password', { exact: true })
  await field.fill('not the right one')
  await expectAccessible(page, 'confirming with the password')
  await page.getByRole('button', { name: 'Confirm email address' }).click()
  await expect(page.getByText('That is not the password for this account.')).toBeVisible()
  await field.fill(password)
  await page.getByRole('button', { name: 'Confirm email address' }).click()
  await expect(page.getByText('Your email address is confirmed')).toBeVisible()

  // A truncated link.
  const stranger = await open({ screen: 'phone', provokes: refusals })
  await stranger.goto('/verify-email')
  await expect(stranger.getByText('This link is incomplete')).toBeVisible()
  await expect(stranger.getByLabel('Your Fieldtest password', { exact: true })).toHaveCount(0)
  await expectAccessible(stranger, 'a link that was cut off')
  await stranger.getByRole('link', { name: 'Go to dashboard' }).click()
  await expect(stranger).toHaveURL(/\/login/)
})

test('an address is changed with the link sent to the new one, and restored from the old one', async ({ open }) => {
  const owner = await newPerson('TESTER', 'Ottilie Owner')
  const moved = `moved.${owner.email}`
  const thief = await open({ as: owner, screen: 'phone', provokes: refusals })
  await thief.goto('/dashboard/settings')
  await thief.getByRole('button', { name: 'Change email address' }).click()
  const dialog = thief.getByRole('dialog', { name: 'Change email address' })
  await dialog.getByLabel('New email address').fill(moved)
  await dialog.getByLabel('Current password', { exact: true }).fill(password)
  await dialog.getByRole('button', { name: 'Send link' }).click()
  await expect(thief.getByText(`To switch to ${moved}`)).toBeVisible()
  await linkTo(owner.email, 'Your email address is about to change')
  await thief.goto(`/verify-email#token=${await linkTo(moved, 'Confirm your new email address')}`)
  await thief.getByRole('button', { name: 'Confirm email address' }).click()
  await expect(thief.getByText(`Your account uses ${moved}.`)).toBeVisible()
  await call(owner, 'POST', '/users/me/password', { currentPassword: password, newPassword: 'stolen horse' })

  const page = await open({ screen: 'phone', provokes: refusals })
  const token = await linkTo(owner.email, 'Your email address was changed')
  const told = watchFor(page, token)
  await page.goto(`/undo-email-change#token=${token}`)
  await expectAccessible(page, 'before the undo')
  await page.getByRole('button', { name: 'Keep my old address' }).click()
  await expect(page.getByText('Your old email address is restored')).toBeVisible()
  await expect(page.getByText('Next: choose a new password')).toBeVisible()
  await expectAccessible(page, 'after the undo')
  expect(told).toEqual([])
  await thief.goto('/dashboard')
  await expect(thief).toHaveURL(/\/login/)

  await page.goto('/login')
  await trySignIn(page, owner.email, 'stolen horse')
  await expect(page.getByRole('alert')).toBeVisible()
  await page.goto(`/reset-password#token=${await linkTo(owner.email, 'Choose a new password')}`)
  await page.getByLabel('New password', { exact: true }).fill(fresh)
  await page.getByLabel('Confirm new password', { exact: true }).fill(fresh)
  await page.getByRole('button', { name: 'Save password' }).click()
  await page.getByRole('link', { name: 'Sign in', exact: true }).click()
  await trySignIn(page, owner.email, fresh)
  await expect(page).toHaveURL(/\/dashboard$/)
})
