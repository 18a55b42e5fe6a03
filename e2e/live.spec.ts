/** Open screens follow what others do, without disturbing who works on them, after a lost connection, and in every tab. */
import { call, join, liveCampaign, newPerson, passHours, pendingCampaign, theAdmin } from './support/api.ts'
import { expect, outlivedTokens, type Page, test } from './support/test.ts'

const events = '**/api/v1/users/me/events*'
const proof = 'I used it for a whole day, and found no fault.'

/** Opens a screen with an event stream, and checks that the page does not poll: every change comes from the stream. */
const listening = async (page: Page, path: string) => {
  page.on('request', request => {
    if (!request.url().includes('/users/me/events')) return
    expect(request.headers()['accept'], 'asked for changes beside the stream').toBe('text/event-stream')
  })
  const begun = page.waitForResponse(response => response.url().includes('/users/me/events') && response.ok())
  await page.goto(path)
  await begun
}

/** How often a screen reader was told something while `act` ran. */
const toldWhile = async (page: Page, act: () => Promise<void>) => {
  await page.evaluate(() => {
    const told: string[] = []
    const regions = '[role=status], [role=alert], [role=log], output, [aria-live=polite], [aria-live=assertive]'
    const watch = new MutationObserver(changes => {
      for (const { target } of changes) {
        const region = (target instanceof Element ? target : target.parentElement)?.closest(regions)
        if (region?.textContent) told.push(region.textContent)
      }
    })
    watch.observe(document.body, { childList: true, characterData: true, subtree: true })
    Object.assign(globalThis, { told, watch })
  })
  await act()
  return page.evaluate(() => {
    const { told, watch } = globalThis as unknown as { told: string[]; watch: MutationObserver }
    watch.disconnect()
    return [...new Set(told)]
  })
}

test('roster, review queue, own test, balance, badge and a campaign’s status change on open screens', async ({
  open,
}) => {
  const developer = await newPerson('DEVELOPER', 'Lea Live')
  const tester = await newPerson('TESTER', 'Lou Live')
  const admin = await theAdmin()
  const provokes = outlivedTokens
  const waiting = await pendingCampaign(developer, { title: 'Waiting campaign' })
  const campaign = await liveCampaign(developer, { title: 'Live campaign', durationDays: 1 })

  const status = await open({ as: developer, provokes })
  await listening(status, `/dashboard/campaigns/${waiting.id}`)
  await call(admin, 'POST', `/admin/campaigns/${waiting.id}/approve`)
  await expect(status.getByRole('button', { name: 'Start campaign', exact: true }).first()).toBeVisible()

  const roster = await open({ as: developer, provokes })
  await listening(roster, `/dashboard/campaigns/${campaign.id}?tab=testers`)
  const { id } = await join(tester, campaign)
  await expect(roster.getByText('Tester 1', { exact: true }).first()).toBeVisible()

  await passHours(24)
  const own = await open({ as: tester, screen: 'phone', provokes })
  await listening(own, `/dashboard/my-tests/${id}`)
  const desk = await open({ as: developer, provokes })
  await listening(desk, `/dashboard/campaigns/${campaign.id}/review`)
  await own.getByLabel('Your proof').fill(proof)
  await own.getByRole('button', { name: 'Submit proof', exact: true }).click()
  await expect(desk.getByText(proof)).toBeVisible()

  await desk.getByRole('button', { name: /^Request changes/ }).click()
  const dialog = desk.getByRole('dialog')
  await dialog.getByRole('textbox').fill('Please add a picture.')
  await dialog.getByRole('button', { name: 'Request changes', exact: true }).click()
  await expect(own.getByText('Please add a picture.').first()).toBeVisible()

  await call(tester, 'POST', `/testers/campaign-testers/${id}/proof`, { proof })
  const balance = await open({ as: tester, screen: 'phone', provokes })
  await listening(balance, '/dashboard/balance')
  const bell = balance.getByRole('button', { name: /^Notifications/ })
  const before = await bell.getAttribute('aria-label')
  await call(developer, 'POST', `/campaign-testers/${id}/verify`)
  await expect(balance.getByText('$12.50').first()).toBeVisible()
  await expect(bell).not.toHaveAttribute('aria-label', before!)
})

test('nobody who writes, scrolls or has a dialog open is disturbed, and a screen reader hears of a change once', async ({
  open,
}) => {
  const developer = await newPerson('DEVELOPER', 'Dan Disturbing')
  const tester = await newPerson('TESTER', 'Una Undisturbed')
  const admin = await theAdmin()
  const campaign = await liveCampaign(developer, { title: 'Quiet campaign', durationDays: 1 })
  const { id } = await join(tester, campaign)
  await passHours(24)
  const page = await open({ as: tester, screen: 'phone', provokes: outlivedTokens })
  await listening(page, `/dashboard/my-tests/${id}`)
  const text = page.getByLabel('Your proof')
  await text.fill('I began to write')
  await text.press('ArrowLeft')
  await text.evaluate(field => field.scrollIntoView({ block: 'start' }))
  const state = () =>
    text.evaluate((field: HTMLTextAreaElement) => ({
      text: field.value,
      caret: field.selectionStart,
      focused: document.activeElement === field,
      top: Math.round(field.getBoundingClientRect().top),
    }))
  const before = await state()
  const bell = page.getByRole('button', { name: /^Notifications/ })
  const said = await toldWhile(page, async () => {
    const unread = await bell.getAttribute('aria-label')
    // As from the tester's other device.
    await call(tester, 'POST', `/testers/campaign-testers/${id}/check-ins`, {})
    await expect(page.getByRole('button', { name: 'Check in for today', exact: true })).toHaveCount(0)
    await call(admin, 'POST', `/admin/users/${tester.session.user.id}/message`, {
      subject: 'A word',
      message: 'Hello.',
    })
    await expect(bell).not.toHaveAttribute('aria-label', unread!)
    await expect(page.getByRole('status').filter({ hasText: 'New notification: A word' })).toHaveCount(1)
  })
  expect(await state()).toEqual(before)
  expect(said).toEqual(['New notification: A word'])

  await page.getByRole('button', { name: 'Leave', exact: true }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog).toBeVisible()
  await call(developer, 'POST', `/campaigns/${campaign.id}/pause`)
  await call(admin, 'POST', `/admin/users/${tester.session.user.id}/message`, { subject: 'Another', message: 'Hello.' })
  await expect(page.getByText('New notification: Another')).toHaveCount(1)
  await expect(dialog).toBeVisible()
  expect(await dialog.evaluate(box => box.contains(document.activeElement))).toBe(true)
})

test('a stream that was cut for a minute misses nothing, and all tabs share one stream', async ({ open }) => {
  const tester = await newPerson('TESTER', 'Mia Missed')
  const admin = await theAdmin()
  const say = (subject: string) =>
    call(admin, 'POST', `/admin/users/${tester.session.user.id}/message`, { subject, message: 'Hello.' })
  const first = await open({ as: tester, provokes: /ERR_|Failed to load/ })
  const streams: string[] = []
  first.context().on('request', request => {
    if (request.headers()['accept'] === 'text/event-stream') streams.push(request.url())
  })
  const begun = first.waitForRequest(/users\/me\/events/)
  await first.goto('/dashboard')
  await begun
  const second = await first.context().newPage()
  await second.goto('/dashboard')
  await say('One')
  for (const page of [first, second])
    await expect(page.getByRole('button', { name: 'Notifications, 1 unread' })).toBeVisible()
  expect(streams).toHaveLength(1)

  // The tab with the stream is closed, and the other one cannot reach the server.
  await second.route(events, route => route.abort())
  await first.close()
  await say('Two')
  await say('Three')
  await expect(second.getByRole('button', { name: 'Notifications, 1 unread' })).toBeVisible()
  // It has retried a few times meanwhile, after longer and longer waits.
  const again = second.waitForRequest(request => request.headers()['last-event-id'] !== undefined, { timeout: 60_000 })
  await second.unroute(events)
  await again
  await expect(second.getByRole('button', { name: 'Notifications, 3 unread' })).toBeVisible()
})

test('screens are updated even if a proxy lets no stream through', async ({ open }) => {
  const tester = await newPerson('TESTER', 'Pia Proxy')
  const admin = await theAdmin()
  const page = await open({ as: tester, provokes: /ERR_|Failed to load/ })
  await page.route(events, route =>
    route.request().headers()['accept'] === 'text/event-stream' ? route.abort() : route.continue(),
  )
  const asked = page.waitForResponse(response => response.url().includes('/users/me/events') && response.ok())
  await page.goto('/dashboard')
  await asked
  await call(admin, 'POST', `/admin/users/${tester.session.user.id}/message`, { subject: 'One', message: 'Hello.' })
  await expect(page.getByRole('button', { name: 'Notifications, 1 unread' })).toBeVisible({ timeout: 15_000 })
})

test('a page that was away for so long that the server no longer knows what it missed reloads everything', async ({
  open,
}) => {
  const tester = await newPerson('TESTER', 'Amy Away')
  const page = await open({ as: tester, provokes: /ERR_|Failed to load/ })
  const reset = 'retry: 1000\nid: 1-0\nevent: reset\ndata: {}\n\n'
  await page.route(events, route => route.fulfill({ contentType: 'text/event-stream', body: reset }))
  const asked = new Map<string, number>()
  page.on('request', request => {
    const path = new URL(request.url()).pathname
    asked.set(path, (asked.get(path) ?? 0) + 1)
  })
  await page.goto('/dashboard')
  for (const path of ['/api/v1/users/me/notifications', '/api/v1/dashboard/needs'])
    await expect.poll(() => asked.get(path) ?? 0).toBeGreaterThan(1)
})

test('a change that could not be loaded is loaded once the server can be reached again, without a press', async ({
  open,
}) => {
  const developer = await newPerson('DEVELOPER', 'Rob Reached')
  const tester = await newPerson('TESTER', 'Rita Reached')
  const campaign = await liveCampaign(developer, { title: 'Reached again', durationDays: 1 })
  const { id } = await join(tester, campaign)
  await passHours(24)
  await call(tester, 'POST', `/testers/campaign-testers/${id}/proof`, { proof })
  const page = await open({
    as: tester,
    provokes: /ERR_|Failed to load|status of 401|: 401 Sign in|balance: 0 Network error/,
  })
  await page.goto('/dashboard/balance')
  await expect(page.getByText('$0.00').first()).toBeVisible()
  const balance = '**/api/v1/testers/balance*'
  await page.route(balance, route => route.abort())
  await call(developer, 'POST', `/campaign-testers/${id}/verify`)
  await expect(page.getByText('What you see may be out of date.').first()).toBeVisible({ timeout: 20_000 })
  await page.unroute(balance)
  // As when a phone reports that it is back on a network.
  await page.evaluate(() => globalThis.dispatchEvent(new Event('online')))
  await expect(page.getByText('$12.50').first()).toBeVisible()
})
