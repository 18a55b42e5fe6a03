import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { autocommit } from '../../app/server/db.ts'
import { enqueue, runDueJobs } from '../../app/server/jobs.ts'
import { daysAndProof, device, liveCampaign, type Person, startTestApp, type TestApp } from '../../app/testing/app.ts'
import type { FraudReport, FraudScan, FraudStats } from '../contract.ts'
import { detectors } from './detectors.ts'
import { runScan } from './scan.ts'

let t: TestApp
let admin: Person
beforeEach(async () => {
  t = await startTestApp()
  admin = await t.signUp('ADMIN')
})
afterEach(() => t.stop())

const reports = async (): Promise<FraudReport[]> =>
  (await admin.call<{ data: FraudReport[] }>('GET', '/admin/fraud-reports')).body.data

const scan = async (): Promise<FraudReport[]> => {
  await admin.call('POST', '/admin/fraud-scan/trigger')
  await t.advance(0)
  return reports()
}

const join = async (tester: Person, campaignId: string, fingerprint?: string): Promise<string> => {
  const deviceInfo = { ...device, ...(fingerprint !== undefined && { fingerprint }) }
  const { status, body } = await tester.call<{ id: string }>('POST', `/testers/campaigns/${campaignId}/join`, {
    deviceInfo,
  })
  expect(status).toBe(201)
  return body.id
}

const reasons = (found: FraudReport[]) => found.map(({ eventData }) => eventData.reason)

describe('one device on several accounts', () => {
  test('is reported on the newest account, with every account as evidence', async () => {
    const first = await t.signUp('TESTER', { deviceFingerprint: 'phone-1' })
    const second = await t.signUp('TESTER', { deviceFingerprint: 'phone-1' })
    const [report, ...more] = await scan()
    expect(more).toEqual([])
    expect(report).toMatchObject({
      status: 'OPEN',
      isSample: false,
      user: { id: second.user.id, email: second.user.email, status: 'ACTIVE' },
      eventData: { severity: 'MEDIUM', reason: 'One device on several accounts' },
      resolution: null,
      adminId: null,
      decidedAt: null,
    })
    expect(report!.eventData.evidence.flatMap(({ user }) => (user ? [user.id] : []))).toEqual([
      first.user.id,
      second.user.id,
    ])
  })

  test('is seen across signing in, signing in again and joining', async () => {
    const developer = await t.signUp('DEVELOPER')
    const { id } = await liveCampaign(developer, admin)
    const joined = await t.signUp('TESTER')
    await join(joined, id, 'phone-2')
    const other = await t.signUp('TESTER')
    await t.call('POST', '/auth/login', {
      body: { email: other.user.email, password: 'correct horse', deviceFingerprint: ' phone-2 ' },
    })
    expect(reasons(await scan())).toEqual(['One device on several accounts'])
  })

  test('looks at no innocent look-alikes: one account on many devices, no device, one address, an admin who helps', async () => {
    const one = await t.signUp('TESTER', { deviceFingerprint: 'mine' })
    for (const deviceFingerprint of ['mine', 'my-other', 'mine']) {
      await t.call('POST', '/auth/login', {
        body: { email: one.user.email, password: 'correct horse', deviceFingerprint },
      })
    }
    await t.signUp('TESTER', { deviceFingerprint: '' })
    await t.signUp('TESTER', { deviceFingerprint: '  ' })
    await t.signUp('TESTER')
    await t.call('POST', '/auth/login', {
      body: { email: admin.user.email, password: 'correct horse', deviceFingerprint: 'mine' },
    })
    const addresses = await t.look<{ ip: string }>('select distinct ip from sessions')
    expect(addresses).toHaveLength(1)
    expect(await scan()).toEqual([])
  })

  test('a suspended account that comes back under another name is graded higher', async () => {
    const banned = await t.signUp('TESTER', { deviceFingerprint: 'phone-3' })
    await admin.call('POST', `/admin/users/${banned.user.id}/ban`, { reason: 'Copied proofs.' })
    await t.signUp('TESTER', { deviceFingerprint: 'phone-3' })
    expect((await scan()).map(({ eventData }) => eventData.severity)).toEqual(['HIGH'])
  })
})

describe('a scan reports a finding once', () => {
  test('run twice it reports nothing more, and again when an account joins', async () => {
    await t.signUp('TESTER', { deviceFingerprint: 'phone-1' })
    await t.signUp('TESTER', { deviceFingerprint: 'phone-1' })
    await scan()
    expect(await scan()).toHaveLength(1)
    const third = await t.signUp('TESTER', { deviceFingerprint: 'phone-1' })
    const found = await scan()
    expect(found.map(({ user, eventData }) => [user.id, eventData.severity])).toEqual([
      [third.user.id, 'HIGH'],
      [expect.any(String), 'MEDIUM'],
    ])
    expect(await scan()).toHaveLength(2)
  })

  test('also when it was decided, archived, or looks at everything once more', async () => {
    await t.signUp('TESTER', { deviceFingerprint: 'phone-1' })
    await t.signUp('TESTER', { deviceFingerprint: 'phone-1' })
    const [report] = await scan()
    await admin.call('POST', `/admin/fraud-reports/${report!.id}/dismiss`, { reason: 'Siblings.' })
    await t.look('delete from fraud_detectors')
    expect(await scan()).toHaveLength(1)
    await admin.call('DELETE', '/admin/fraud-reports/clear')
    await t.look('delete from fraud_detectors')
    expect(await scan()).toEqual([])
  })

  test('what was written long before the last scan looked is not looked at again', async () => {
    await t.signUp('TESTER', { deviceFingerprint: 'phone-1' })
    await t.signUp('TESTER', { deviceFingerprint: 'phone-1' })
    await t.advance(3)
    await t.look('truncate fraud_facts')
    await t.look(`update fraud_reports set archived_at = now()`)
    expect(await scan()).toEqual([])
  })
})

describe('developer and tester of one campaign on one device', () => {
  test('is found from the tester’s join or from a sign-in, and names the campaign', async () => {
    const developer = await t.signUp('DEVELOPER', { deviceFingerprint: 'desk' })
    const [byJoin, bySession] = [await t.signUp('TESTER'), await t.signUp('TESTER', { deviceFingerprint: 'desk' })]
    const campaign = await liveCampaign(developer, admin)
    await join(byJoin, campaign.id, 'desk')
    await join(bySession, campaign.id, 'elsewhere')
    const found = (await scan()).filter(({ eventData }) => eventData.reason === 'Developer and tester on one device')
    expect(found.map(({ user }) => user.id).toSorted()).toEqual([byJoin.user.id, bySession.user.id].toSorted())
    expect(found[0]).toMatchObject({ eventData: { severity: 'HIGH' } })
    expect(found[0]!.eventData.evidence[0]!.campaign).toEqual({ id: campaign.id, title: campaign.title })
  })

  test('is no finding when the tester tests somebody else’s campaign', async () => {
    await t.signUp('DEVELOPER', { deviceFingerprint: 'desk' })
    const stranger = await t.signUp('DEVELOPER', { deviceFingerprint: 'another desk' })
    const tester = await t.signUp('TESTER', { deviceFingerprint: 'desk' })
    await join(tester, (await liveCampaign(stranger, admin)).id, 'desk')
    expect(reasons(await scan())).toEqual(['One device on several accounts'])
  })

  test('is found when the shared device was seen long before the join', async () => {
    const developer = await t.signUp('DEVELOPER', { deviceFingerprint: 'desk' })
    const tester = await t.signUp('TESTER', { deviceFingerprint: 'desk' })
    await t.advance(72)
    await join(tester, (await liveCampaign(developer, admin)).id)
    expect(reasons(await scan())).toContain('Developer and tester on one device')
  })
})

describe('the same proof text', () => {
  const words = 'I used the app each day and wrote down that the search forgets what was typed.'
  const handIn = async (texts: string[], wish = {}) => {
    const developer = await t.signUp('DEVELOPER')
    const testers: Person[] = []
    const parts: { person: Person; participationId: string }[] = []
    for (const [index] of texts.entries()) {
      const { id } = await liveCampaign(developer, admin, { durationDays: 1, ...wish })
      const person = await t.signUp('TESTER')
      testers.push(person)
      parts.push({ person, participationId: await join(person, id, `own-${index}`) })
    }
    await t.advance(24)
    for (const [index, { person, participationId }] of parts.entries()) {
      const path = `/testers/campaign-testers/${participationId}/proof`
      expect((await person.call('POST', path, { proof: texts[index] })).status).toBe(200)
    }
    return testers
  }

  test('from several testers is found whatever its case and spaces, and the later one is reported', async () => {
    const [, second] = await handIn([words, `  ${words.toUpperCase().replaceAll(' ', ' \n\t ')} `])
    const found = await scan()
    expect(found.map(({ user, eventData }) => [user.id, eventData.severity])).toEqual([[second!.user.id, 'HIGH']])
    expect(found[0]!.eventData.evidence.filter(({ campaign }) => campaign)).toHaveLength(2)
  })

  test('is no finding when the words differ, are short, or are one tester’s own', async () => {
    await handIn([words, words.replace('search', 'menu'), 'All good!', 'all good!'])
    const developer = await t.signUp('DEVELOPER')
    const tester = await t.signUp('TESTER')
    for (let index = 0; index < 2; index++) {
      const { id } = await liveCampaign(developer, admin, { durationDays: 1 })
      const participationId = await join(tester, id, 'own')
      await t.advance(24)
      const proof = 'My own words that I use in each of my tests, since all went well.'
      await tester.call('POST', `/testers/campaign-testers/${participationId}/proof`, { proof })
    }
    expect(await scan()).toEqual([])
  })
})

describe('a withdrawal right after the first credit of a new account', () => {
  const earn = async (tester: Person, durationDays = 1) => {
    const developer = await t.signUp('DEVELOPER')
    const { id } = await liveCampaign(developer, admin, { testersRequired: 1, durationDays })
    const participationId = await join(tester, id)
    await daysAndProof(t, [{ person: tester, participationId }], durationDays)
    await developer.call('POST', `/campaign-testers/${participationId}/verify`)
  }
  const withdraw = async (tester: Person) =>
    expect((await tester.call('POST', '/testers/withdraw', { amountCents: 1000 })).status).toBe(201)

  test('is found with its amounts and times', async () => {
    const tester = await t.signUp('TESTER')
    await earn(tester)
    await t.advance(2)
    await withdraw(tester)
    const [report] = await scan()
    expect(report).toMatchObject({
      user: { id: tester.user.id },
      eventData: { severity: 'HIGH', reason: 'Withdrawal right after the first credit' },
    })
    expect(report!.eventData.details).toBe(
      '$10.00 was asked for 2 hours after the first credit of an account that was 1 day old.',
    )
    expect(report!.eventData.evidence.map(({ label, value }) => [label, value])).toEqual([
      ['Account created', 'Tester'],
      ['First credit', '$10.00'],
      ['Withdrawal', '$10.00'],
    ])
  })

  test('is no finding a day later, on an old account, or after a later credit', async () => {
    const patient = await t.signUp('TESTER')
    await earn(patient)
    await t.advance(25)
    await withdraw(patient)
    await earn(patient)
    await withdraw(patient)
    const old = await t.signUp('TESTER')
    for (let week = 0; week < 5; week++) {
      await t.advance(7 * 24)
      // A session that is not used ends after 30 days.
      await Promise.all([admin, old].map(person => person.call('GET', '/users/me')))
    }
    await earn(old)
    await withdraw(old)
    expect(await scan()).toEqual([])
  })
})

describe('scans', () => {
  test('two triggers while one is under way are one scan, each with its audit entry', async () => {
    const triggers = await Promise.all(
      Array.from({ length: 4 }, () => admin.call<FraudScan>('POST', '/admin/fraud-scan/trigger')),
    )
    expect(new Set(triggers.map(({ body }) => body.id)).size).toBe(1)
    expect(triggers[0]).toMatchObject({ status: 200, body: { state: 'QUEUED', found: null } })
    expect((await admin.call<FraudStats>('GET', '/admin/fraud-reports/stats')).body.runningScan).not.toBeNull()
    await runDueJobs()
    const { body } = await admin.call<FraudStats>('GET', '/admin/fraud-reports/stats')
    expect(body).toMatchObject({ runningScan: null, lastScan: { id: triggers[0]!.body.id, state: 'DONE', found: 0 } })
    expect(body.lastScan!.durationMs).toBeGreaterThanOrEqual(0)
    const audit = await t.look<{ subject_id: string }>(`select subject_id from audit_log where action = 'fraud.scan'`)
    expect(audit.map(row => row.subject_id)).toEqual(triggers.map(({ body: { id } }) => id))
  })

  test('one runs every night, and is no admin’s action', async () => {
    await t.signUp('TESTER', { deviceFingerprint: 'phone-1' })
    await t.signUp('TESTER', { deviceFingerprint: 'phone-1' })
    await t.advance(24)
    expect(await reports()).toHaveLength(1)
    expect(await t.look(`select from audit_log where action = 'fraud.scan'`)).toEqual([])
  })

  test('one whose detector fails says so, keeps what the others found, and blocks no later one', async () => {
    await t.signUp('TESTER', { deviceFingerprint: 'phone-1' })
    await t.signUp('TESTER', { deviceFingerprint: 'phone-1' })
    const { 'same-proof': sound } = detectors
    detectors['same-proof'] = () => Promise.reject(new Error('broken on purpose'))
    try {
      expect(await scan()).toHaveLength(1)
    } finally {
      detectors['same-proof'] = sound!
    }
    const stats = async () => (await admin.call<FraudStats>('GET', '/admin/fraud-reports/stats')).body
    expect(await stats()).toMatchObject({ runningScan: null, lastScan: { state: 'FAILED', found: 1 } })
    await scan()
    expect(await stats()).toMatchObject({ runningScan: null, lastScan: { state: 'DONE', found: 0 } })
  })

  test('one that died with its server is given up, and one that is asked for twice is done once', async () => {
    const lost = (await admin.call<FraudScan>('POST', '/admin/fraud-scan/trigger')).body
    await t.look(`delete from pgboss.job where name = 'fraud.scan'`)
    await t.advance(2)
    const fresh = (await admin.call<FraudScan>('POST', '/admin/fraud-scan/trigger')).body
    expect(fresh.id).not.toBe(lost.id)
    await enqueue(autocommit, runScan, { scanId: lost.id })
    await runDueJobs()
    expect(await t.look<{ state: string }>('select state from fraud_scans where id = $1', [lost.id])).toEqual([
      { state: 'FAILED' },
    ])
    expect(await t.look<{ state: string }>('select state from fraud_scans where id = $1', [fresh.id])).toEqual([
      { state: 'DONE' },
    ])
  })
})
