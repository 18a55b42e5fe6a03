import { newPerson, passHours } from './support/api.ts'
import { expect, test } from './support/test.ts'
test('dbg', async ({ open }) => {
  const page = await open({ as: await newPerson('TESTER', 'Tom Twotabs'), provokes: /401/ })
  const other = await page.context().newPage()
  const log: number[] = []
  for (const [, p] of [['A', page], ['B', other]] as const) 
    p.on('response', r => r.url().includes('/auth/refresh') && log.push(r.status()))
  for (let i = 0; i < 5; i++) {
  await Promise.all([page.goto('/offline.html'), other.goto('/offline.html')])
  await passHours(1)
  log.length = 0
  await Promise.all([page.goto('/dashboard/balance'), other.goto('/dashboard/balance')])
    for (const tab of [page, other]) await expect(tab.getByText('Available balance')).toBeVisible()
    expect(log).toEqual([200])
  }
})
