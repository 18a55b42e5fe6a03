/** From an email to a choice: a digest instead of single emails, and turned off by the link at the foot of one. */
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { partOf } from '../src/testing/emailedLinks.ts'
import { expectAccessible } from './support/axe.ts'
import { call, newPerson, passHours, type Person, theAdmin } from './support/api.ts'
import { mailFolder } from './support/product.ts'
import { expect, outlivedTokens, test } from './support/test.ts'

/** The emails to this person with this subject. */
const mailsTo = async ({ email }: Person, subject: string): Promise<string[]> => {
  await passHours(0)
  const files = (await readdir(mailFolder())).filter(file => file.endsWith('.eml'))
  const sources = await Promise.all(files.map(file => readFile(join(mailFolder(), file), 'utf8')))
  return sources.filter(source => source.includes(email) && source.includes(`Subject: ${subject}\r\n`))
}
const write = async (to: Person, subject: string) =>
  call(await theAdmin(), 'POST', `/admin/users/${to.session.user.id}/message`, { subject, message: 'Hello.' })

test('a tester chooses a daily digest, gets one, and turns it off and on with its link', async ({ open }) => {
  const tester = await newPerson('TESTER', 'Dora Digest')
  const page = await open({ as: tester, screen: 'phone', provokes: outlivedTokens })
  await page.goto('/dashboard/notifications')
  await page.getByRole('main').getByRole('link', { name: 'Settings', exact: true }).click()
  await expect(page.getByRole('heading', { name: 'Notification settings', level: 1 })).toBeVisible()
  await expectAccessible(page, 'notification settings')
  const messages = page.getByLabel('Messages from our team', { exact: true })
  await messages.selectOption('In a daily digest')
  await expect(page.getByText('Saved.')).toBeVisible()
  await page.reload()
  await expect(messages).toHaveValue('DAILY')

  await write(tester, 'First news')
  await write(tester, 'Second news')
  await passHours(24)
  expect(await mailsTo(tester, 'First news')).toEqual([])
  const [digest = '', ...others] = await mailsTo(tester, 'Your daily digest')
  expect(others).toEqual([])
  const text = partOf(digest, 'text/plain')
  expect(text).toContain('- Second news')
  expect(text).toContain('- First news')

  const link = /\/unsubscribe#token=\S+/.exec(text)?.[0] ?? ''
  const visitor = await open({ screen: 'phone' })
  await visitor.goto(link)
  await expectAccessible(visitor, 'turning emails off')
  await visitor.getByRole('button', { name: 'Turn off “Your daily digest”', exact: true }).click()
  await expect(visitor.getByText('These emails are off', { exact: true })).toBeVisible()
  await expectAccessible(visitor, 'emails turned off')
  await page.reload()
  await expect(messages).toHaveValue('IN_APP')
  await visitor.getByRole('button', { name: 'Turn them on again', exact: true }).click()
  await expect(visitor.getByText('These emails are on again', { exact: true })).toBeVisible()
  await page.reload()
  await expect(messages).toHaveValue('DAILY')
})

test('a truncated link says so, and offers no button', async ({ open }) => {
  const page = await open({ screen: 'phone' })
  await page.goto('/unsubscribe#token=x')
  await expect(page.getByText('This link is incomplete', { exact: true })).toBeVisible()
  await expect(page.getByRole('button', { name: /Turn off/ })).toHaveCount(0)
})
