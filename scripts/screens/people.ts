/** Whose screens are shown: three people of the demo, and three who have just registered on an empty platform. */
import type { Session } from '../../src/accounts/contract.ts'
import type { Ids, Viewer } from './routes.ts'

export type Viewers = Record<Exclude<Viewer, 'VISITOR'>, Session>

const call = async <T>(
  address: string,
  path: string,
  { token, body }: { token?: string; body?: unknown },
): Promise<T> => {
  const reply = await fetch(`${address}/api/v1${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: {
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  if (!reply.ok) throw new Error(`${path} answered ${reply.status}: ${await reply.text()}`)
  return (await reply.json()) as T
}

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

type Listed = { id: string; _count: { campaignTesters: number }; status: string; accessMode: string }

/** What the demo's detail screens show: the developer's fullest live campaign, a draft, a test, a payment, a refund. */
export const idsOfDemo = async (address: string, viewers: Viewers): Promise<Ids> => {
  const developer = viewers.DEVELOPER.accessToken
  const own = await call<Listed[]>(address, '/campaigns', { token: developer })
  const tests = await call<{ id: string; status: string; nextStep: string | null }[]>(
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
  const fullest = (status: string) =>
    own
      .filter(campaign => campaign.status === status)
      .toSorted((a, b) => b._count.campaignTesters - a._count.campaignTesters)[0]
  const found = {
    campaign: fullest('LIVE') ?? fullest('COMPLETED'),
    draft: fullest('DRAFT') ?? fullest('REJECTED') ?? fullest('LIVE'),
    test: tests.find(({ status }) => status === 'ACTIVE') ?? tests[0],
  }
  if (!found.campaign || !found.draft || !found.test) throw new Error('The demo has nothing to look at')
  return {
    campaign: found.campaign.id,
    closed: (own.find(({ accessMode }) => accessMode !== 'OPEN_LINK') ?? found.campaign).id,
    draft: found.draft.id,
    test: found.test.id,
    wayIn: (tests.find(({ nextStep }) => nextStep !== null) ?? found.test).id,
    payment: lines.find(({ paymentId }) => paymentId !== null)?.paymentId ?? '',
    refund: lines.find(({ refundId }) => refundId !== null)?.refundId ?? '',
    user: viewers.TESTER.user.id,
  }
}
