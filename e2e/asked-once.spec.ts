/** A screen requests each of its lists once. */
import { earn, join, liveCampaign, newPerson } from './support/api.ts'
import { expectLoaded } from './support/loaded.ts'
import { expect, test } from './support/test.ts'

test('no screen of a tester requests anything twice, even while the page is still learning the server’s time', async ({
  open,
}) => {
  const developer = await newPerson('DEVELOPER', 'Olaf Once')
  const tester = await newPerson('TESTER', 'Tess Once')
  const { id } = await join(tester, await liveCampaign(developer, { title: 'Asked for once' }))
  // Moves the server's clock to a different day than the browser's.
  await earn(developer, tester, 'Earlier test', 1000)
  const page = await open({ as: tester })
  // An open stream is a request that never ends. Without a stream the page polls now and then.
  await page.route('**/api/v1/users/me/events*', route => route.fulfill({ contentType: 'text/event-stream', body: '' }))
  const asked: string[] = []
  page.on('request', request => {
    const [, call] = request.url().split('/api/v1')
    if (call !== undefined && !call.startsWith('/users/me/events')) asked.push(`${request.method()} ${call}`)
  })
  for (const door of ['my-tests', `my-tests/${id}`, 'balance', 'campaigns']) {
    asked.length = 0
    const quiet = page.waitForLoadState('networkidle')
    await page.goto(`/dashboard/${door}`)
    await expectLoaded(page, door)
    await quiet
    await page.waitForLoadState('networkidle')
    expect(asked.length, door).toBeGreaterThan(0)
    expect(asked, door).toEqual([...new Set(asked)])
  }
})

test('a campaign that does not exist is requested once, although the page sends requests before its code has loaded', async ({
  open,
}) => {
  const page = await open({ as: await newPerson('TESTER', 'Nora Nothing'), provokes: /404/ })
  const refused: string[] = []
  page.on('response', response => {
    if (response.status() === 404) refused.push(new URL(response.url()).pathname)
  })
  await page.goto('/dashboard/campaigns/01890000-0000-7000-8000-000000000000')
  await expect(page.getByRole('heading', { name: 'Campaign not found' })).toBeVisible()
  await page.waitForLoadState('networkidle')
  expect(refused).toEqual(['/api/v1/campaigns/01890000-0000-7000-8000-000000000000'])
})
