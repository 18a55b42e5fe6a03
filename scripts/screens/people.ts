/** The people whose screens are shown: three of the demo, and three who have just registered on an empty platform. */
import type { Session } from '../../src/accounts/contract.ts'
import type { Ids, Viewer } from './routes.ts'

export type Viewers = Record<Exclude<Viewer, 'VISITOR'>, Session>

type Sent = { token?: string; body?: unknown }

export const send = async <T = unknown>(
  address: string,
  method: 'GET' | 'POST' | 'PATCH',
  path: string,
  { token, body }: Sent = {},
): Promise<T> => {
  const reply = await fetch(`${address}/api/v1${path}`, {
    method,
    headers: {
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  const text = await reply.text()
  if (!reply.ok) throw new Error(`${path} answered ${reply.status}: ${text}`)
  // Exports are files.
  return (reply.headers.get('content-type')?.includes('json') ? JSON.parse(text) : undefined) as T
}

const call = <T>(address: string, path: string, { token, body }: Sent): Promise<T> =>
  send(address, body === undefined ? 'GET' : 'POST', path, { ...(token !== undefined && { token }), body })

export const signIn = (address: string, email: string, password: string): Promise<Session> =>
  call(address, '/auth/login', { body: { email, password } })

export const newcomer = (address: string, name: string, role: 'DEVELOPER' | 'TESTER'): Promise<Session> =>
  call(address, '/auth/register', {
    body: {
      name,
      role,
      email: `${role.toLowerCase()}@example.com`,
      password: 'fieldtest-demo',
      timeZone: 'Europe/Berlin',
    },
  })

/** A tester joins a closed test and is put on its list. */
export const enterClosedTest = async (address: string, tester: Session, owner: Session): Promise<void> => {
  const own = await call<Listed[]>(address, '/campaigns', { token: owner.accessToken })
  const closed = own.find(({ status, accessMode }) => status === 'LIVE' && accessMode !== 'OPEN_LINK')
  if (!closed) throw new Error('The demo has no closed test to enter')
  const deviceInfo = { platform: 'android', osVersion: '15', model: 'Pixel 8', manufacturer: 'Google' }
  await call(address, `/testers/campaigns/${closed.id}/join`, {
    token: tester.accessToken,
    body: { deviceInfo, playEmail: tester.user.email, consent: true },
  })
  for (const step of ['export', 'confirm']) {
    await send(address, 'POST', `/campaigns/${closed.id}/tester-list/${step}`, { token: owner.accessToken })
  }
}

type Listed = { id: string; _count: { campaignTesters: number }; status: string; accessMode: string }

/** The steps between a seat in a closed test and its first day. */
const onTheWayIn = ['WAIT_FOR_LIST', 'OPEN_LINK', 'OPT_IN']

const mostToReview = async (address: string, token: string, own: readonly Listed[]): Promise<string | undefined> => {
  const waiting = await Promise.all(
    own
      .filter(({ status }) => status === 'LIVE')
      .map(async ({ id }) => {
        const proofs = await call<unknown[]>(address, `/campaigns/${id}/testers?status=SUBMITTED`, { token })
        return { id, proofs: proofs.length }
      }),
  )
  return waiting.toSorted((a, b) => b.proofs - a.proofs)[0]?.id
}

const firstBug = async (address: string, reader: Session, campaigns: readonly { id: string }[]): Promise<string> => {
  const bugs = campaigns.map(({ id }) =>
    call<{ id: string }[]>(address, `/campaigns/${id}/bugs`, { token: reader.accessToken }),
  )
  return (await Promise.all(bugs)).flat()[0]?.id ?? ''
}

const writeDraft = (address: string, token: string): Promise<Listed> =>
  call(address, '/campaigns', {
    token,
    body: {
      title: 'Fika Finder: coffee breaks nearby',
      description: 'Find a café for your next break, and tell us which of its details are wrong.',
      platform: 'android',
      distributionLink: 'https://play.google.com/apps/testing/com.example.fikafinder',
      testersRequired: 12,
      payPerTesterCents: 800,
      durationDays: 14,
    },
  })

/**
 * The objects on the demo's detail screens: the developer's fullest live campaign and the one with the most proofs to review, a
 * draft, a test, a payment, a refund, a withdrawal.
 */
export const idsOfDemo = async (address: string, viewers: Viewers): Promise<Ids> => {
  const developer = viewers.DEVELOPER.accessToken
  const own = await call<Listed[]>(address, '/campaigns', { token: developer })
  const tests = await call<{ id: string; status: string; nextStep: string | null; campaign: { id: string } }[]>(
    address,
    '/testers/my-campaigns',
    {
      token: viewers.TESTER.accessToken,
    },
  )
  const { data: lines } = await call<{ data: { paymentId: string | null; refundId: string | null }[] }>(
    address,
    '/users/me/transactions?limit=100',
    {
      token: developer,
    },
  )
  const { data: ofTester } = await call<{ data: { withdrawalId: string | null; createdAt: string }[] }>(
    address,
    '/users/me/transactions?limit=100',
    { token: viewers.TESTER.accessToken },
  )
  const [appeal] = await call<{ id: string }[]>(address, '/admin/appeals?limit=1', { token: viewers.ADMIN.accessToken })
  const [dispute] = await call<{ id: string }[]>(address, '/admin/disputes?limit=1', {
    token: viewers.ADMIN.accessToken,
  })
  const open = await call<{ id: string }[]>(address, '/campaigns/available?limit=1', {
    token: viewers.TESTER.accessToken,
  })
  const bug = await firstBug(address, viewers.DEVELOPER, own)
  const myBug = await firstBug(
    address,
    viewers.TESTER,
    tests.map(({ campaign }) => campaign),
  )
  const fullest = (status: string) =>
    own
      .filter(campaign => campaign.status === status)
      .toSorted((a, b) => b._count.campaignTesters - a._count.campaignTesters)[0]
  const found = {
    campaign: fullest('LIVE') ?? fullest('COMPLETED'),
    draft: fullest('DRAFT') ?? (await writeDraft(address, developer)),
    test: tests.find(({ status }) => status === 'ACTIVE') ?? tests[0],
  }
  if (!found.campaign || !found.draft || !found.test) throw new Error('The demo has nothing to look at')
  return {
    campaign: found.campaign.id,
    review: (await mostToReview(address, developer, own)) ?? found.campaign.id,
    closed: (own.find(({ accessMode }) => accessMode !== 'OPEN_LINK') ?? found.campaign).id,
    draft: found.draft.id,
    test: found.test.id,
    wayIn: (tests.find(({ nextStep }) => nextStep !== null && onTheWayIn.includes(nextStep)) ?? found.test).id,
    payment: lines.find(({ paymentId }) => paymentId !== null)?.paymentId ?? '',
    refund: lines.find(({ refundId }) => refundId !== null)?.refundId ?? '',
    withdrawal: ofTester.find(({ withdrawalId }) => withdrawalId !== null)?.withdrawalId ?? '',
    month: ofTester[0]?.createdAt.slice(0, 7) ?? '2026-11',
    user: viewers.TESTER.user.id,
    open: open[0]?.id ?? found.campaign.id,
    appeal: appeal?.id ?? '',
    dispute: dispute?.id ?? '',
    bug,
    myBug,
  }
}
