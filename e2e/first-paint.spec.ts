/** What is shown before the scripts have loaded; the screen then shows the same text. */
import type { Locator } from '@playwright/test'
import { call, draftCampaign, newPerson, theAdmin } from './support/api.ts'
import { holdScripts } from './support/heldScripts.ts'
import { expectLoaded } from './support/loaded.ts'
import { newMarketplace } from './support/marketplace.ts'
import { expect, type Page, test } from './support/test.ts'

const wordsOf = (page: Page) => page.locator('#root main').innerText()

for (const [path, heading] of [
  ['/login', 'Sign in'],
  ['/register', 'Create account'],
  ['/forgot-password', 'Reset your password'],
] as const) {
  test(`${path} shows its final text before its scripts have loaded`, async ({ open }) => {
    const page = await open({ screen: 'phone' })
    const letScriptsCome = await holdScripts(page)
    await page.goto(path, { waitUntil: 'commit' })
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(heading)
    const before = await wordsOf(page)
    letScriptsCome()
    await expect(page.getByLabel('Email')).toBeVisible()
    expect(await wordsOf(page)).toBe(before)
  })
}

test('a dashboard greets its user before its scripts have loaded', async ({ open }) => {
  const page = await open({ as: await newPerson('TESTER', 'Fia First') })
  const letScriptsCome = await holdScripts(page)
  await page.goto('/dashboard', { waitUntil: 'commit' })
  const heading = page.getByRole('heading', { level: 1 })
  await expect(heading).toHaveText('Welcome, Fia First')
  // Nothing that needs the scripts can be pressed.
  await expect(page.getByText('Confirm your email address')).toBeVisible()
  const pressable = (buttons: Element[]) => buttons.filter(one => !one.closest('[inert]')).map(one => one.textContent)
  expect(await page.locator('#root button:visible').evaluateAll(pressable)).toEqual([])
  const { y } = (await heading.boundingBox())!
  letScriptsCome()
  await expect(page.getByText('Total Earnings')).toBeVisible()
  await expect(heading).toHaveText('Welcome, Fia First')
  expect((await heading.boundingBox())!.y, 'the greeting stays where it is').toBe(y)
})

test('a worker makes the first of the platform’s formats, so that the page does not wait for it', async ({ open }) => {
  const page = await open({ as: await newPerson('TESTER', 'Fay Format') })
  const made = page.waitForEvent('worker')
  await page.goto('/dashboard', { waitUntil: 'commit' })
  const worker = await made
  expect(new URL(worker.url()).pathname).toMatch(/^\/assets\/first-format-/)
})

test('a visitor who is not signed in sees the sign-in form, not an empty dashboard', async ({ open }) => {
  const page = await open()
  await holdScripts(page)
  await page.goto('/dashboard/balance', { waitUntil: 'commit' })
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Sign in')
})

test('a stored user that cannot be read leads to the sign-in form', async ({ open }) => {
  const page = await open()
  await page.goto('/offline.html')
  await page.evaluate(() => {
    localStorage.setItem('accessToken', 'x')
    localStorage.setItem('user', '{')
  })
  await holdScripts(page)
  await page.goto('/dashboard', { waitUntil: 'commit' })
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Sign in')
})

const screensOf = {
  DEVELOPER: ['campaigns', 'campaigns/create', 'payments', 'statements', 'notifications', 'settings'],
  TESTER: ['campaigns', 'my-tests', 'balance', 'statements', 'notifications', 'settings'],
  ADMIN: [
    'campaigns',
    'campaigns/pending',
    'users',
    'users/security',
    'fraud',
    'analytics',
    'audit-log',
    'operations',
    'books',
    'system-settings',
    'waitlist',
  ],
} as const

for (const [role, screens] of Object.entries(screensOf) as [keyof typeof screensOf, readonly string[]][]) {
  test(`each screen of ${role} has its header before its scripts, and uses what was requested meanwhile`, async ({
    open,
  }) => {
    const as = role === 'ADMIN' ? await theAdmin() : await newPerson(role, 'Hedda Header')
    const page = await open({ as })
    for (const screen of ['', ...screens]) {
      const letScriptsCome = await holdScripts(page)
      await page.goto(`/dashboard/${screen}`, { waitUntil: 'commit' })
      const heading = page.getByRole('heading', { level: 1 })
      const before = await heading.innerText()
      const asked = () => page.evaluate<string[]>('[...(window.earlyRequests?.keys() ?? [])]')
      const early = await asked()
      letScriptsCome()
      // A developer's charts load only when they are scrolled into view.
      if (screen !== '') await expectLoaded(page, screen)
      await expect(heading, screen).toHaveText(before)
      expect(early.length, screen).toBeGreaterThan(0)
      await expect.poll(asked, { message: `${screen} asks for all that was asked for early` }).toEqual([])
      await page.unrouteAll({ behavior: 'ignoreErrors' })
    }
  })
}

test('what the part of a screen needs that the address names is requested before the scripts run, and used', async ({
  open,
}) => {
  const { ids, people } = await newMarketplace('Parts')
  const campaign = `campaigns/${ids.campaign}?tab=`
  const pending = 'campaigns/pending?list='
  const tabs = {
    testers: ['/testers', 'TesterMatrix'],
    bugs: ['/bugs?limit=50', 'BugsTab'],
    changes: ['/changes', 'ChangesTab'],
    feedback: ['/feedback-form', 'FeedbackTab'],
    activity: ['/activity?limit=30', 'CampaignActivity'],
  } as const
  const lists = {
    'opt-ins': ['/campaign-testers/contested?', 'ContestedOptIns'],
    appeals: ['/appeals?', 'AppealQueue'],
    rejections: ['/rejections?', 'RejectionQueue'],
    payouts: ['/payouts?', 'PayoutQueue'],
    refunds: ['/stuck-refunds?', 'StuckRefundQueue'],
    disputes: ['/disputes?', 'DisputeQueue'],
    escrow: ['/escrow?', 'PendingScreen'],
  } as const
  const of = (screen: string, parts: Record<string, readonly [address: string, code: string]>) =>
    Object.entries(parts).map(([name, needed]) => [screen + name, ...needed] as const)
  const cases = {
    DEVELOPER: [
      ...of(campaign, tabs),
      ...of(`campaigns/${ids.closed}?tab=`, { list: ['/tester-list', 'TesterListTab'] }),
    ],
    ADMIN: [...of(campaign, tabs), ...of(pending, lists)],
  }
  for (const [role, parts] of Object.entries(cases) as [keyof typeof people, (typeof cases)['ADMIN']][]) {
    const page = await open({ as: people[role] })
    for (const [path, address, code] of parts) {
      const letScriptsCome = await holdScripts(page)
      await page.goto(`/dashboard/${path}`, { waitUntil: 'commit' })
      await expect(page.locator(`link[rel="modulepreload"][href*="/${code}-"]`), path).toBeAttached()
      const asked = () => page.evaluate<string[]>('[...window.earlyRequests.keys()]')
      await expect
        .poll(async () => (await asked()).filter(one => one.includes(address)), { message: path })
        .toHaveLength(1)
      letScriptsCome()
      await expectLoaded(page, path)
      await expect.poll(asked, { message: `${path} asks for all that was asked for early` }).toEqual([])
      await page.unrouteAll({ behavior: 'ignoreErrors' })
    }
  }
})

test('what follows from the answer about a campaign is requested before the scripts run, and used', async ({
  open,
}) => {
  const { ids, people } = await newMarketplace('Follows')
  const stranger = await newPerson('TESTER', 'Not In It')
  const started = [`/campaigns/${ids.campaign}/testers?status=SUBMITTED`, `/campaigns/${ids.campaign}/continuity`]
  const developer = people.DEVELOPER.session.user.id
  for (const [as, path, follow] of [
    [people.DEVELOPER, ids.campaign, started],
    [people.ADMIN, ids.campaign, started],
    // Another part than the first is shown, and what it shows depends on the rest of the address.
    [people.DEVELOPER, `${ids.campaign}?tab=bugs&status=OPEN`, []],
    [people.ADMIN, `${ids.campaign}?tab=activity&tab=bugs`, []],
    // Anyone with the link gets in, so it has no tester list.
    [people.DEVELOPER, `${ids.campaign}?tab=list`, []],
    [people.DEVELOPER, ids.draft, []],
    [stranger, ids.campaign, [`/developers/reputation?ids=${developer}`]],
    [people.TESTER, ids.campaign, []],
  ] as const) {
    const page = await open({ as })
    const letScriptsCome = await holdScripts(page)
    await page.goto(`/dashboard/campaigns/${path}`, { waitUntil: 'commit' })
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(/\w/)
    const asked = () => page.evaluate<string[]>('[...window.earlyRequests.keys()]')
    const own = ['/users/me/notifications?limit=20', `/campaigns/${path.split('?')[0]}`]
    const profile = as.session.user.role === 'TESTER' ? ['/users/me'] : []
    const expected = [...own, ...profile, ...follow].map(address => `/api/v1${address}`)
    await expect.poll(asked).toEqual(expected)
    letScriptsCome()
    await expectLoaded(page, path)
    await expect.poll(asked, { message: `${path} asks for all that was asked for early` }).toEqual([])
    await page.unrouteAll({ behavior: 'ignoreErrors' })
  }
})

/** The back link above the heading: its words, and where it leads. */
const backOf = async (page: Page) => {
  const link = page.locator('#root main header a').first()
  return [await link.innerText(), await link.getAttribute('href')]
}

test('a screen of one object shows its name and the way back before its scripts have loaded', async ({ open }) => {
  const { ids, people } = await newMarketplace('Early')
  const { campaign, draft, test: own, bug, dispute, appeal, user } = ids
  const screensOfOne = {
    DEVELOPER: [
      `campaigns/${campaign}`,
      `campaigns/${campaign}?tab=testers`,
      `campaigns/${draft}/edit`,
      `campaigns/${campaign}/feedback-form`,
      `campaigns/${campaign}/review`,
      `campaigns/${campaign}/report`,
      `bugs/${bug}`,
    ],
    TESTER: [`campaigns/${campaign}`, `my-tests/${own}`, `bugs/${bug}`],
    ADMIN: [`campaigns/${campaign}`, `bugs/${bug}`, `disputes/${dispute}`, `appeals/${appeal}`, `users/${user}`],
  } as const
  for (const [role, paths] of Object.entries(screensOfOne) as [keyof typeof people, readonly string[]][]) {
    const page = await open({ as: people[role] })
    for (const path of paths) {
      const letScriptsCome = await holdScripts(page)
      await page.goto(`/dashboard/${path}`, { waitUntil: 'commit' })
      const heading = page.getByRole('heading', { level: 1 })
      await expect(heading, path).toHaveText(/\w/)
      const before = { name: await heading.innerText(), back: await backOf(page) }
      letScriptsCome()
      await expectLoaded(page, path)
      // A verified user's name has a word beside it.
      await expect(heading, path).toContainText(before.name)
      expect(await backOf(page), path).toEqual(before.back)
      await page.unrouteAll({ behavior: 'ignoreErrors' })
    }
  }
})

for (const screen of ['phone', 'desk'] as const) {
  test(`on a ${screen}, a list of campaigns has links to the first of them before its scripts have loaded`, async ({
    open,
  }) => {
    const owner = await newPerson('DEVELOPER', 'Lina Lists')
    const titles = ['The first app', 'The second app', 'The third app', 'The fourth app']
    const made = []
    for (const title of titles) made.push(await draftCampaign(owner, { title }))
    const page = await open({ as: owner, screen })
    const letScriptsCome = await holdScripts(page)
    await page.goto('/dashboard/campaigns', { waitUntil: 'commit' })
    const cards = page.locator('#root article:visible')
    await expect(cards).toHaveCount(3)
    await expect(cards.getByRole('heading')).toHaveText(titles.slice(1).toReversed())
    // To a screen reader, each card has the name of its own campaign.
    for (const title of titles.slice(1)) await expect(page.getByRole('article', { name: title })).toHaveCount(1)
    const link = cards.first().getByRole('link', { name: 'The fourth app' })
    await expect(link).toHaveAttribute('href', `/dashboard/campaigns/${made.at(-1)!.id}`)
    letScriptsCome()
    await expect(cards).toHaveCount(4)
    await expectLoaded(page, 'the list')
  })
}

test('a name is shown as text, and of an object that cannot be seen nothing is', async ({ open }) => {
  const owner = await newPerson('DEVELOPER', 'Mark Up')
  const title = '<img src=x onerror=alert(1)> & <b>co</b>'
  const { id } = await draftCampaign(owner, { title })
  const page = await open({ as: owner })
  const letScriptsCome = await holdScripts(page)
  await page.goto(`/dashboard/campaigns/${id}`, { waitUntil: 'commit' })
  const heading = page.getByRole('heading', { level: 1 })
  await expect(heading).toHaveText(title)
  expect(await heading.locator('img, b').count()).toBe(0)
  letScriptsCome()
  await expectLoaded(page, 'the draft')
  await page.unrouteAll({ behavior: 'ignoreErrors' })

  const stranger = await open({ as: await newPerson('DEVELOPER', 'Some Stranger'), provokes: /404/ })
  const letTheirsCome = await holdScripts(stranger)
  const refused = stranger.waitForResponse(reply => reply.url().endsWith(`/campaigns/${id}`) && reply.status() === 404)
  await stranger.goto(`/dashboard/campaigns/${id}`, { waitUntil: 'commit' })
  await refused
  const root = stranger.locator('#root')
  await expect(root.getByText('Loading')).toBeAttached()
  await expect(root.getByRole('heading')).toHaveCount(0)
  letTheirsCome()
  await expect(stranger.getByRole('heading', { name: 'Campaign not found' })).toBeVisible()
})

/** To the pixel: two text nodes are a fraction wider than one. */
const placeOf = async (text: Locator) => {
  const { x, y, width, height } = (await text.boundingBox())!
  return [x, y, width, height].map(Math.round)
}

/** The longest text of a screen, found in the document as in the loaded screen. */
type LongText = readonly [path: string, (main: Locator) => Locator]

const saying = (words: string) => (main: Locator) => main.getByText(words)
const theHeading = (main: Locator) => main.getByRole('heading', { level: 1 })

for (const screen of ['phone', 'desk'] as const) {
  test(`on a ${screen}, the longest text of a screen is in its final place before its scripts have loaded`, async ({
    open,
  }) => {
    const { ids, people } = await newMarketplace(`Long${screen}`)
    const year = ids.month.slice(0, 4)
    const ofRoles: Record<keyof typeof people, LongText[]> = {
      TESTER: [
        ['settings', saying('Sets when your check-in days start and end.')],
        ['balance', saying('Withdrawals are processed in 1-3 business days')],
        [`my-tests/${ids.test}/report-bug`, saying('Something small: wording, a color, the spacing.')],
        [`my-tests/${ids.test}/report-bug`, saying('What you did, step by step')],
        [`campaigns/${ids.campaign}/nda`, theHeading],
        [`statements/${ids.month}`, theHeading],
        [`balance/withdrawals/${ids.withdrawal}`, saying('Times are in')],
        ['notifications/choices', saying('Changes are saved automatically.')],
      ],
      DEVELOPER: [
        ['settings', saying('You sign in with this address')],
        [`campaigns/${ids.draft}/feedback-form`, saying('You can edit the questions')],
        [`payments/${ids.payment}`, saying('Anything unused goes back')],
        [`payments/refunds/${ids.refund}`, saying('Times are in')],
        [`statements/years/${year}`, theHeading],
      ],
      ADMIN: [
        ['settings', saying('You sign in with this address')],
        ['books', saying('Balances are credits minus debits')],
        ['campaigns/pending', main => main.getByRole('heading', { level: 2 }).first()],
      ],
    }
    for (const [role, texts] of Object.entries(ofRoles) as [keyof typeof people, LongText[]][]) {
      const page = await open({ as: people[role], screen })
      for (const [path, find] of texts) {
        const letScriptsCome = await holdScripts(page)
        await page.goto(`/dashboard/${path}`, { waitUntil: 'commit' })
        const text = find(page.locator('#root main'))
        await expect(text, path).toHaveText(/\w/)
        const before = { words: await text.innerText(), box: await placeOf(text) }
        letScriptsCome()
        await expectLoaded(page, path)
        expect({ words: await text.innerText(), box: await placeOf(text) }, path).toEqual(before)
        await page.unrouteAll({ behavior: 'ignoreErrors' })
      }
    }
  })
}

test('before its scripts have loaded, a screen says nothing that depends on an answer which says otherwise', async ({
  open,
}) => {
  const { ids, people } = await newMarketplace('Otherwise')
  const shown = async (role: keyof typeof people, path: string, answer: string) => {
    const page = await open({ as: people[role] })
    await holdScripts(page)
    const answered = page.waitForResponse(reply => reply.url().includes(answer))
    await page.goto(`/dashboard/${path}`, { waitUntil: 'commit' })
    await (await answered).finished()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(/\w/)
    // What is read of the answer is shown in the same task as the rest.
    await page.evaluate('Promise.all([...window.earlyRequests.values()].map(({ response }) => response))')
    return page.locator('#root main')
  }
  const joined = await shown('DEVELOPER', `campaigns/${ids.campaign}/feedback-form`, '/feedback-form')
  await expect(joined.getByText('You can edit the questions')).toHaveCount(0)
  const onTheWay = await call<{ id: string }>(people.TESTER, 'POST', '/testers/withdraw', { amountCents: 1000 })
  const advice = await shown('TESTER', `balance/withdrawals/${onTheWay.id}`, '/users/me/withdrawals/')
  await expect(advice.getByText('The amount has left your balance and is on its way.')).toBeVisible()
  await expect(advice.getByText('The gross amount left your balance.')).toHaveCount(0)
  const links = await shown('ADMIN', 'campaigns/pending?list=links', '/admin/campaigns/pending?')
  await expect(links.getByRole('heading', { level: 2 })).toHaveCount(0)
})
