/** What the files that an admin exports contain, and what the server is asked for to make them. */
import { afterAll, afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { AuditEntry } from '../../audit/contract.ts'
import type { FraudReport } from '../../fraud/contract.ts'
import type { WaitlistEntry } from '../../landing/contract.ts'
import type { AdminUser } from '../../people/contract.ts'
import { stubLocalStorage } from '../../testing/localStorage.ts'

vi.stubGlobal('addEventListener', () => undefined)
const { provideCalls } = await import('../../kit/web/api.ts')
const { endpointTable } = await import('./endpointTable.ts')
provideCalls(endpointTable)
const { exportAuditLog } = await import('../../audit/web/exportAuditLog.ts')
const { exportReports } = await import('../../fraud/web/exportReports.ts')
const { exportWaitlist } = await import('../../landing/web/exportWaitlist.ts')
const { exportUsers } = await import('../../people/web/exportUsers.ts')

/** The server's answers, page by page, the addresses it was asked for, and the saved file. */
let pages: unknown[][] = []
let asked: string[] = []
let saved: { name: string; blob: Blob } | undefined

beforeEach(() => {
  asked = []
  saved = undefined
  stubLocalStorage()
  vi.stubGlobal('location', { origin: 'http://localhost' })
  vi.stubGlobal('fetch', async (address: string) => {
    const data = pages[asked.length]
    asked.push(decodeURIComponent(address))
    const headers = new Headers(asked.length < pages.length ? { link: '</list?cursor=after>; rel="next"' } : {})
    return Response.json({ data }, { headers })
  })
  let blob = new Blob()
  vi.spyOn(URL, 'createObjectURL').mockImplementation(object => {
    blob = object as Blob
    return 'blob:file'
  })
  const link = { download: '', click: () => void (saved = { name: link.download, blob }) }
  vi.stubGlobal('document', { createElement: () => link })
})
afterEach(() => {
  vi.restoreAllMocks()
})
afterAll(() => {
  vi.unstubAllGlobals()
})

const linesSaved = async () => (await saved!.blob.text()).trimEnd().split('\r\n')

const at = '2026-11-22T12:00:00.000Z'
const person = { id: 'u1', name: 'Ann', email: 'ann@example.com', createdAt: '2026-01-02T03:04:05.000Z' }

const report: FraudReport = {
  id: 'r1',
  createdAt: at,
  status: 'OPEN',
  isSample: true,
  eventData: { severity: 'HIGH', reason: 'Shared device', details: 'One phone', evidence: [] },
  user: { ...person, role: 'TESTER', status: 'ACTIVE' },
  resolution: null,
  adminId: null,
  decidedAt: null,
}
const fact = { label: 'Device', value: 'Pixel 5', at: null, user: null, campaign: null, attachment: null }

const user: AdminUser = {
  ...person,
  role: 'TESTER',
  status: 'ACTIVE',
  isVerified: true,
  balanceCents: 123_450,
  totalCampaigns: 0,
  totalTests: 7,
  lastActive: at,
}

const entry: AuditEntry = {
  id: 'e1',
  at,
  admin: { id: 'a1', name: 'Bob' },
  action: 'user.ban',
  subjectType: 'user',
  subjectId: 'u1',
  subject: 'Ann',
  cleared: false,
  campaignId: null,
  facts: { reason: 'Spam', until: 'Friday' },
}

const signUp: WaitlistEntry = { id: 'w1', email: 'ann@example.com', country: 'DE', role: 'tester', createdAt: at }

type Exported = {
  run: () => Promise<void>
  name: string
  /** Spread over two pages. */
  items: [object, object]
  lines: string[]
}
const exports: Record<string, Exported> = {
  'fraud reports': {
    run: () => exportReports({ search: '', severity: null, status: null, sample: null }),
    name: 'fieldtest-fraud-reports.csv',
    items: [
      report,
      {
        ...report,
        isSample: false,
        status: 'RESOLVED',
        eventData: { ...report.eventData, evidence: [{ ...fact, user: person, at }, fact] },
        resolution: 'Warned',
        decidedAt: at,
      },
    ],
    lines: [
      'Created,Severity,Status,Sample,Reason,Details,Evidence,User,Email,User joined,Resolution,Decided',
      `${at},High,Open,yes,Shared device,One phone,,Ann,ann@example.com,2026-01-02T03:04:05.000Z,,`,
      `${at},High,Resolved,no,Shared device,One phone,"Device: Pixel 5, Ann <ann@example.com>, ${at}; Device: Pixel 5",` +
        `Ann,ann@example.com,2026-01-02T03:04:05.000Z,Warned,${at}`,
    ],
  },
  users: {
    run: () => exportUsers({ search: '', role: null }),
    name: 'fieldtest-users.csv',
    items: [user, { ...user, isVerified: false, totalCampaigns: 2, balanceCents: 0, lastActive: null }],
    lines: [
      'Name,Email,Role,Status,Verified,Balance (USD),Campaigns,Tests,Last active,Joined',
      `Ann,ann@example.com,Tester,Active,yes,1234.50,0,7,${at},2026-01-02T03:04:05.000Z`,
      'Ann,ann@example.com,Tester,Active,no,0.00,2,7,,2026-01-02T03:04:05.000Z',
    ],
  },
  'the audit log': {
    run: () => exportAuditLog({ action: null, admin: '' }),
    name: 'fieldtest-audit-log.csv',
    items: [entry, { ...entry, admin: null, action: 'jobs.pause', subject: null, facts: {} }],
    lines: [
      'Time,Admin,Admin ID,Action,Description,Subject,Subject ID,Details',
      `${at},Bob,a1,user.ban,suspended the user,Ann,u1,"Reason: Spam; Until: Friday"`,
      `${at},Server command,,jobs.pause,paused the jobs,,u1,`,
    ],
  },
  'the waitlist': {
    run: () => exportWaitlist({ search: '', role: null }),
    name: 'fieldtest-waitlist.csv',
    items: [signUp, { ...signUp, country: 'GB', role: 'developer' }],
    lines: [
      'Email,Country,Role,Joined',
      `ann@example.com,Germany,Tester,${at}`,
      `ann@example.com,United Kingdom,Developer,${at}`,
    ],
  },
}

test.each(Object.entries(exports))(
  'the file of %s has a line for each item of all pages',
  async (_, { run, name, items, lines }) => {
    pages = items.map(item => [item])
    await run()
    expect(saved?.name).toBe(name)
    expect(await linesSaved()).toEqual(lines)
  },
)

test.each([
  [
    '/api/v1/admin/fraud-reports',
    '?search=ann&severity=HIGH&status=OPEN&sample=false',
    () => exportReports({ search: 'ann', severity: 'HIGH', status: 'OPEN', sample: 'false' }),
  ],
  ['/api/v1/admin/users', '?search=ann&role=TESTER', () => exportUsers({ search: 'ann', role: 'TESTER' })],
  ['/api/v1/admin/audit-log', '?action=user.ban&admin=bob', () => exportAuditLog({ action: 'user.ban', admin: 'bob' })],
  ['/api/v1/admin/waitlist', '?search=ann&role=tester', () => exportWaitlist({ search: 'ann', role: 'tester' })],
])('%s with %s: the export contains what the list shows, page after page', async (path, filters, run) => {
  pages = [[], []]
  await run()
  expect(asked).toEqual([`${path}${filters}&limit=100`, `${path}${filters}&limit=100&cursor=after`])
})

test.each(Object.entries(exports))('without filters, all %s are exported', async (_, { run }) => {
  pages = [[]]
  await run()
  expect(asked).toEqual([expect.stringMatching(/^[^?]+\?limit=100$/)])
  expect(await linesSaved()).toHaveLength(1)
})
