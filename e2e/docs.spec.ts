/** A stranger reads the API reference. */
import { expect, test } from './support/test.ts'

test('the reference shows the operations, requests nothing from other sites, and may not act for this one', async ({
  open,
}) => {
  const page = await open()
  const said: string[] = []
  const asked: string[] = []
  page.on('console', message => said.push(message.text()))
  page.on('pageerror', error => said.push(String(error)))
  page.on('request', request => asked.push(request.url()))
  await page.goto('/docs')
  await expect(page.getByRole('heading', { name: 'Fieldtest API' })).toBeVisible()
  await expect(page.getByText('/users/me/export').first()).toBeVisible()
  await expect(page.getByText('Create an account and sign in').first()).toBeVisible()
  expect(await page.evaluate(() => window.origin)).toBe('null')
  // It offers nothing that would need a call.
  await expect(page.getByRole('button', { name: /Test Request|Ask AI/i })).toHaveCount(0)
  const own = new URL(page.url()).origin
  expect(asked.filter(address => !address.startsWith(own) && !/^(data|blob):/.test(address))).toEqual([])
  expect(said).toEqual([])
})
