/** Open screens follow what others do, also after the connection was cut, and with several tabs. */
import { call, join, liveCampaign, newPerson, passHours, theAdmin } from './support/api.ts'
import { expect, outlivedTokens, test } from './support/test.ts'

const events = '**/api/v1/users/me/events*'

test('a tester’s open screen changes when the developer presses, and the developer’s when the tester does', async ({
  open,
}) => {
  const developer = await newPerson('DEVELOPER', 'Lea Live')
  const tester = await newPerson('TESTER', 'Lou Live')
  const campaign = await liveCampaign(developer, { title: 'Live campaign', durationDays: 1 })
  const { id } = await join(tester, campaign)
  await passHours(24)
  const theirs = await open({ as: developer, provokes: outlivedTokens })
  await theirs.goto('/dashboard')
  await expect(theirs.getByText('Nothing needs you right now.')).toBeVisible()
  const own = await open({ as: tester, screen: 'phone', provokes: outlivedTokens })
  await own.goto(`/dashboard/my-tests/${id}`)
  const desk = await open({ as: developer, provokes: outlivedTokens })
  await desk.goto(`/dashboard/campaigns/${campaign.id}/review`)

  await own
    .getByLabel(/What did you/)
    .first()
    .or(own.getByRole('textbox').first())
    .fill('I used it for a whole day, and found no fault.')
  await own.getByRole('button', { name: 'Submit proof' }).click()
  await expect(theirs.getByText('1 proof to review')).toBeVisible()
  await expect(desk.getByText('I used it for a whole day, and found no fault.')).toBeVisible()

  await desk.getByRole('button', { name: /^Request changes/ }).click()
  const dialog = desk.getByRole('dialog')
  await dialog.getByRole('textbox').fill('Please add a picture.')
  await dialog.getByRole('button', { name: /changes/i }).click()
  await expect(own.getByText('Please add a picture.').first()).toBeVisible()
  await expect(theirs.getByText('Nothing needs you right now.')).toBeVisible()
})

test('a stream that was cut for a minute misses nothing, and one stream serves all tabs', async ({ open }) => {
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

  // Cut: the tab with the stream goes, and the other one cannot reach the server.
  await second.route(events, route => route.abort())
  await first.close()
  await say('Two')
  await say('Three')
  await expect(second.getByRole('button', { name: 'Notifications, 1 unread' })).toBeVisible()
  const again = second.waitForRequest(request => request.headers()['last-event-id'] !== undefined)
  await second.unroute(events)
  await again
  await expect(second.getByRole('button', { name: 'Notifications, 3 unread' })).toBeVisible()
})
