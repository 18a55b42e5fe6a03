/**
 * What a test needs to walk all endpoints of the tables: the endpoints, a valid body for each, and an id for its path. No walk
 * can miss a new endpoint: one with a body does not compile until it has an example here, and one whose path has an unknown
 * noun has no object until fixtures.ts creates one.
 */
import type { z, ZodType } from 'zod'
import type { Endpoint } from '../kit/endpoint.ts'
import { type Role, roles } from '../kit/roles.ts'
import { apiTables } from '../app/server/routes.ts'
import { newAuthenticator } from './authenticator.ts'
import { campaignInput, device, password, proof, type TestApp } from './app.ts'

const noChallenge = Buffer.alloc(32).toString('base64url')

type Tables = typeof apiTables
type BodiesOf<T> = {
  [K in keyof T as T[K] extends { body: ZodType } ? K : never]: T[K] extends { body: infer B extends ZodType }
    ? z.input<B>
    : never
}

/** One valid body for each endpoint that accepts one. */
const exampleBodies: {
  [S in keyof Tables as keyof BodiesOf<Tables[S]> extends never ? never : S]: BodiesOf<Tables[S]>
} = {
  accounts: {
    register: {
      email: 'walker@example.test',
      password,
      name: 'Walker',
      role: 'TESTER',
      country: 'DE',
      timeZone: 'UTC',
      deviceFingerprint: 'abc',
    },
    login: { email: 'nobody@example.test', password, deviceFingerprint: 'abc' },
    refresh: { refreshToken: 'no-such-token', attempt: 'attempt-of-the-walker' },
    logout: { userId: 'whoever' },
    changePassword: { currentPassword: password, newPassword: 'another horse' },
    deleteMe: { password: 'not the right one' },
    updateMe: {
      name: 'Walker',
      country: 'DE',
      timeZone: 'Europe/Berlin',
      paymentMethod: 'pay@example.test',
      currentPassword: password,
    },
    endOtherSessions: { currentPassword: password },
    endSession: { currentPassword: password },
    forgotPassword: { email: 'walker@example.test' },
    resetPassword: { token: 'no-such-token', password: 'another horse' },
    verifyEmail: { token: 'no-such-token', password },
    confirmEmail: { token: 'no-such-token' },
    undoEmailChange: { token: 'no-such-token' },
    changeEmail: { email: 'moved@example.test', currentPassword: password },
  },
  secondFactor: {
    secondFactor: { challenge: noChallenge, code: '123456' },
    stepUp: { challenge: noChallenge, code: '123456' },
    beginTotp: { currentPassword: 'not the right one' },
    confirmTotp: { code: '123456' },
    beginPasskey: { currentPassword: 'not the right one' },
    addPasskey: { challenge: noChallenge, name: 'Phone', attestation: newAuthenticator().attest(noChallenge) },
    renamePasskey: { name: 'Laptop' },
  },
  operations: {
    pauseJobs: { reason: 'The payment provider is down.' },
    letWithdrawalsGoOn: {
      breachIds: ['019e8a00-0000-7000-8000-000000000000'],
      reason: 'Corrected by a transfer of its own.',
    },
  },
  people: {
    message: { subject: 'About your account', message: 'Please tell us more about your device.' },
    ban: { reason: 'Several accounts on one device.' },
    unban: { reason: 'It was a family.' },
  },
  notifications: {
    read: { ids: ['019e8a00-0000-7000-8000-000000000000'] },
    choose: { choices: [{ topic: 'MESSAGES', delivery: 'DAILY' }] },
    unsubscribe: { token: 'no-such-token', emails: false },
  },
  campaigns: {
    create: {
      ...campaignInput,
      platform: 'android',
      dailyCheckIn: true,
      filters: { countries: ['Germany'], minAndroidVersion: '13', minIOSVersion: '17.1' },
      accessMode: 'GOOGLE_GROUP',
      groupLink: 'https://groups.google.com/g/notes-testers',
      features: ['Write a note', 'Search the notes'],
    },
    update: {
      title: 'Another title',
      description: 'Another description',
      distributionLink: 'https://example.test/other',
      platform: 'android',
      testersRequired: 5,
      payPerTesterCents: 1500,
      durationDays: 7,
      filters: { countries: ['FR'], minAndroidVersion: '12', minIOSVersion: null },
      dailyCheckIn: false,
      accessMode: 'EMAIL_LIST',
      groupLink: null,
      features: ['Share a note'],
    },
    fund: { amountCents: 3450 },
    renew: { amountCents: 3450 },
    approve: { submittedAt: '2026-01-02T03:04:05.000Z' },
    reject: { reason: 'The link leads nowhere.', submittedAt: '2026-01-02T03:04:05.000Z' },
    approveLink: { link: 'https://example.test/other', groupLink: null },
    rejectLink: { reason: 'It leads to another app.', link: 'https://example.test/other', groupLink: null },
  },
  disputes: {
    noteDispute: { note: 'The tester logs are with the bank.' },
    decideDispute: { outcome: 'WON', note: 'The developer withdrew it.' },
    settleDispute: { amountCents: 3450, note: 'Paid by bank transfer.' },
    waiveDebt: { amountCents: 3450, note: 'The developer has stopped working.' },
    giveBackSettlement: { amountCents: 3450, note: 'Given back by bank transfer.' },
  },
  stuckRefunds: {
    payRefund: { amountCents: 3450, reference: 'SEPA 2026-11-23 0815', note: 'Asked for by phone.' },
    refuseRefund: { reason: 'The transfer came back.' },
    settleRefund: { note: 'Given back by transfer.' },
  },
  escrow: {
    extendEscrow: { reason: 'The test runs for 90 days.' },
    renewEscrow: { reason: 'The test runs for 90 days.' },
    cancelEscrow: { reason: 'Nobody has started it for months.' },
  },
  nda: { set: { text: 'Tell nobody about this app.' } },
  testerLists: { confirm: { exportedAt: '2026-11-20T10:00:00.000Z' } },
  participations: {
    join: {
      deviceInfo: { ...device, platform: 'android', fingerprint: 'abc' },
      playEmail: 'walker@gmail.com',
      consent: true,
      consentVersion: 1,
    },
    acceptNda: { name: 'Walter Walker', version: 1 },
    refuseNda: { payCents: 0 },
    leave: { payCents: 0 },
    checkIn: { minutes: 12, features: [], note: 'Went well.', attachmentId: '019e8a00-0000-7000-8000-000000000000' },
    reportNoAccess: { problem: 'NOT_A_TESTER' },
    optIn: { attachmentId: '019e8a00-0000-7000-8000-000000000000' },
    contestOptIn: { reason: 'Play Console shows one tester fewer.' },
    decideOptIn: { decision: 'CLEAR', note: 'The screenshot shows it.' },
    appeal: {
      reason: 'The proof shows the search on each of the days.',
      attachmentIds: ['019e8a00-0000-7000-8000-000000000000'],
    },
    decideRejection: { decision: 'CONSENT', note: 'The proof shows another app.' },
    decideAppeal: { decision: 'VERIFY', note: 'The pictures show the app.' },
    submitProof: {
      proof: { text: proof, links: ['https://example.test/film'] },
      feedback: { version: 1, answers: { '019e8a00-0000-4000-8000-000000000000': 'It is fast.' } },
    },
    answerFeedback: { version: 1, answers: { '019e8a00-0000-4000-8000-000000000000': 5 } },
    verify: { proofSubmittedAt: '2026-11-20T10:00:00.000Z' },
    verifyAll: {
      ids: ['019e8a00-0000-7000-8000-000000000000'],
      proofsSubmittedAt: ['2026-11-20T10:00:00.000Z'],
    },
    requestChanges: { note: 'Please add a picture of the search.', proofSubmittedAt: '2026-11-20T10:00:00.000Z' },
    reject: {
      code: 'OTHER',
      reason: 'The proof speaks of another app than ours, with other screens.',
      proofSubmittedAt: '2026-11-20T10:00:00.000Z',
    },
  },
  bugs: {
    report: {
      title: 'The search forgets what was typed',
      severity: 'HIGH',
      steps: '1. Search for a note.\n2. Turn the phone.',
      expected: 'The words stay.',
      actual: 'The field is empty.',
      appVersion: '1.1',
      attachmentIds: [],
    },
    change: { status: 'CONFIRMED', severity: 'LOW', note: 'We see it too.' },
    comment: { text: 'It happens every time.', attachmentIds: [] },
    retest: { result: 'WORKS', note: 'Thank you.' },
  },
  changes: {
    publish: { version: '1.2', changes: [{ text: 'Long words no longer close the search', bugIds: [] }] },
    correct: { text: 'The search takes long words' },
    retest: { result: 'WORKS', note: 'Much better.' },
  },
  feedback: {
    saveForm: {
      questions: [
        { id: null, kind: 'RATING', text: 'How good is it?', required: true, low: 'Bad', high: 'Good', sus: null },
        { kind: 'CHOICE', text: 'Would you keep it?', required: false, options: ['Yes', 'No'] },
      ],
    },
  },
  continuity: { recordPlayCount: { count: 12 } },
  ledger: {
    onboard: { country: 'DE' },
    withdraw: { amountCents: 1000 },
    refusePayout: { reason: 'The account was reported as stolen.' },
  },
  settings: {
    changeSettings: {
      feeBasisPoints: 1200,
      minimumWithdrawalCents: 2000,
      payoutApprovalCents: null,
      reviewHours: 48,
      atRiskHours: 36,
      dropHours: 96,
      confirmedEmailRequired: true,
      weakPasswords: 'warn',
    },
  },
  fraud: {
    resolve: { resolution: 'Talked to them.', adminId: 'whoever' },
    dismiss: { reason: 'A family.', adminId: 'whoever' },
  },
  landing: { joinWaitlist: { email: 'walker@example.test', country: 'DE', role: 'tester' } },
}

export type Step = {
  /** For example `campaigns.fund`. */
  name: string
  endpoint: Endpoint
  /** The example body; undefined if the endpoint accepts none. */
  body: unknown
  /** What `:id` names (`campaigns`, `campaign-testers`); null if the path has none. */
  noun: string | null
  allowed: readonly Role[]
}

const nounOf = (path: string) => /([^/]+)\/:id(?:\/|$)/.exec(path)?.[1] ?? null

const allowedRoles = ({ access }: Endpoint): readonly Role[] =>
  access === 'PUBLIC' || access === 'SIGNED_IN' ? roles : ([access].flat() as Role[])

export const everyStep: readonly Step[] = Object.entries(apiTables).flatMap(([slice, table]) =>
  Object.entries<Endpoint>(table).map(([key, endpoint]) => ({
    name: `${slice}.${key}`,
    endpoint,
    body: (exampleBodies as Record<string, Record<string, unknown>>)[slice]?.[key],
    noun: nounOf(endpoint.path),
    allowed: allowedRoles(endpoint),
  })),
)

/** The path with its id and a day. Throws on a parameter that it cannot fill. */
export const pathOf = ({ name, endpoint }: Step, id: string): string => {
  const path = endpoint.path.replace(':id', id).replace(':day', '2026-11-21')
  if (path.includes('/:')) throw new Error(`teach src/testing/walk.ts to fill ${endpoint.path} of ${name}`)
  return path
}

/** The rows of all tables that are not empty, jobs included: if they are equal before and after, nothing has changed. */
export const everyRow = async ({ look }: Pick<TestApp, 'look'>): Promise<Record<string, string[]>> => {
  // A table whose file has no page has no rows; a partitioned table has no file, only its partitions do.
  const tables = await look<{ name: string; filled: boolean }>(`
    select quote_ident(nspname) || '.' || quote_ident(relname) as name, pg_relation_size(c.oid) > 0 as filled
    from pg_class c join pg_namespace n on n.oid = relnamespace
    where relkind in ('r', 'p') and (nspname = 'public' or (nspname = 'pgboss' and relname ~ '^(job|j)'))`)
  if (tables.length < 10) throw new Error('everyRow() saw too few tables')
  const filled = tables.filter(table => table.filled).map(({ name }) => name)
  // One statement, unsorted: one per table took three times as long, and sorting in PostgreSQL six times as long.
  const each = filled.map(name => `select '${name}' as name, t::text as row from ${name} t`)
  const found: Record<string, string[]> = {}
  for (const { name, row } of await look<{ name: string; row: string }>(each.join(' union all '))) {
    ;(found[name] ??= []).push(row)
  }
  for (const rows of Object.values(found)) rows.sort()
  return found
}
