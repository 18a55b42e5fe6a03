/** Findings never keep the device itself, which is erased with its accounts while reports stay. */
import { createHash, randomUUIDv7 } from 'node:crypto'
import { expect, test } from 'vitest'
import { forgetAgain } from '../../accounts/server/accounts.ts'
import { clock } from '../../kit/clock.ts'
import { transact } from '../../kit/server/db.ts'
import { device, joinedBy, liveCampaign } from '../../testing/app.ts'
import { fraudScan } from '../../testing/fraudScan.ts'
import { migrateAgain } from '../../testing/migrating.ts'
import { signedUp, testApp } from '../../testing/prologue.ts'
import { type DeviceAccount, type Finding, selfTest, sharedDevice } from '../rules.ts'
import { reportFindings } from './scan.queries.ts'

const t = testApp({}, { fresh: true })
const admin = signedUp(t, 'ADMIN')

/** A developer and two testers on one device; one of the testers tests the developer's app. */
const sharing = async (deviceFingerprint: string) => {
  const developer = await t.signUp('DEVELOPER', { deviceFingerprint })
  const testers = [await t.signUp('TESTER', { deviceFingerprint }), await t.signUp('TESTER', { deviceFingerprint })]
  const campaign = await liveCampaign(developer, admin)
  const { status, body } = await testers[0]!.call<{ id: string }>('POST', `/testers/campaigns/${campaign.id}/join`, {
    deviceInfo: { ...device, fingerprint: deviceFingerprint },
  })
  expect(status).toBe(201)
  return { people: [developer, ...testers], campaign, participationId: body.id }
}

/** The rows of all tables that contain the text. */
const rowsWith = async (text: string) => {
  const tables = await t.look<{ name: string }>(
    `select format('%I.%I', table_schema, table_name) as name from information_schema.tables
      where table_type = 'BASE TABLE' and table_schema not in ('pg_catalog', 'information_schema')`,
  )
  expect(tables.length).toBeGreaterThan(50)
  const found = []
  for (const { name } of tables)
    for (const { row } of await t.look<{ row: string }>(
      `select r::text as row from ${name} r where position($1 in r::text) > 0`,
      [text],
    ))
      found.push(`${name}: ${row}`)
  return found
}

const kept = async () => ({
  reports: await t.look<{ finding_key: string }>(
    'select id, finding_key, facts, fact_words from fraud_reports order by id',
  ),
  parts: await t.look('select finding_key, part, report_id from fraud_finding_parts order by 1, 2'),
})

test.each(['phone-of-somebody-1', 'phone-7'])(
  'nothing of the device %s is left in reports once its accounts are deleted',
  async fingerprint => {
    const { people } = await sharing(fingerprint)
    expect(await fraudScan(t, admin)).toHaveLength(2)
    expect(await rowsWith(fingerprint)).not.toEqual([])
    for (const { user } of people) expect(await forgetAgain(user.id)).toBe(true)
    expect(await rowsWith(fingerprint.slice(0, 8))).toEqual([])
  },
)

test('a device that was given on the bench counts with the seat', async () => {
  const [developer, other, tester] = [
    await t.signUp('DEVELOPER', { deviceFingerprint: 'phone-7' }),
    await t.signUp('TESTER'),
    await t.signUp('TESTER'),
  ]
  const { id } = await liveCampaign(developer, admin, { testersRequired: 1 })
  const seat = await joinedBy(other, id)
  const deviceInfo = { ...device, fingerprint: 'phone-7' }
  const { body } = await tester.call<{ id: string }>('POST', `/testers/campaigns/${id}/join`, {
    deviceInfo,
    waitlist: true,
  })
  await other.call('POST', `/testers/campaign-testers/${seat.id}/leave`)
  expect((await tester.call('POST', `/testers/campaign-testers/${body.id}/accept-seat`)).status).toBe(200)
  await fraudScan(t, admin)
  expect(await t.look('select kind, user_id from fraud_reports')).toContainEqual({
    kind: 'SELF_TEST',
    user_id: tester.user.id,
  })
})

test('two devices that begin alike are told apart, and each has the same name in all reports', async () => {
  for (const fingerprint of ['phone-of-one', 'phone-of-another']) await sharing(fingerprint)
  await fraudScan(t, admin)
  const names = await t.look<{ kind: string; name: string }>(
    `select kind, coalesce(facts ->> 'device', facts #>> '{devices,0,device}') as name from fraud_reports order by 1, 2`,
  )
  const [one, other] = new Set(names.map(({ name }) => name))
  expect(one).not.toBe(other)
  expect(names.map(({ name }) => name)).toEqual([one, other, one, other])
})

/** Stores them as servers of the previous release did. */
const asBefore = async (fingerprint: string) => {
  const shown = fingerprint.length > 8 ? `${fingerprint.slice(0, 8)}…` : fingerprint
  const hash = createHash('sha256').update(fingerprint).digest('hex')
  await t.look(`alter table fraud_reports disable trigger fraud_reports_hashed;
    alter table fraud_finding_parts disable trigger fraud_finding_parts_hashed`)
  await t.look(
    `update fraud_reports set finding_key = 'shared-device:' || $1, facts = facts || jsonb_build_object('device', $2::text)
      where finding_key = 'shared-device-hash:' || $3`,
    [fingerprint, shown, hash],
  )
  await t.look(
    `update fraud_reports set finding_key = replace(finding_key, '-hash:', ':'),
        facts = jsonb_set(facts, '{devices,0,device}', to_jsonb($1::text))
      where finding_key in (select finding_key from fraud_finding_parts where part = $2)`,
    [shown, hash],
  )
  await t.look(
    `update fraud_finding_parts set finding_key = 'shared-device:' || $1 where finding_key = 'shared-device-hash:' || $2`,
    [fingerprint, hash],
  )
  await t.look(
    `update fraud_finding_parts set finding_key = replace(finding_key, '-hash:', ':'), part = $1 where part = $2`,
    [fingerprint, hash],
  )
  await t.look(`alter table fraud_reports enable trigger fraud_reports_hashed;
    alter table fraud_finding_parts enable trigger fraud_finding_parts_hashed`)
}

const hashAgain = () => migrateAgain(t, '165-devices-hashed-before.sql')

test('findings of the previous release are converted to those of this one, and none is reported again', async () => {
  const fingerprints = ['phone-of-somebody-1', 'phone-7']
  for (const fingerprint of fingerprints) await sharing(fingerprint)
  expect(await fraudScan(t, admin)).toHaveLength(4)
  const hashed = await kept()
  for (const fingerprint of fingerprints) await asBefore(fingerprint)
  const before = await kept()
  for (const { finding_key: key } of before.reports) expect(key).not.toContain('hash')
  for (const fingerprint of fingerprints) expect(JSON.stringify(before.parts)).toContain(fingerprint)
  await hashAgain()
  expect(await kept()).toEqual(hashed)
  await t.look('delete from fraud_detectors')
  expect(await fraudScan(t, admin)).toHaveLength(4)
})

/** What a server of the previous release finds: it uses the device itself. */
const foundBefore = async (
  fingerprint: string,
  { people, campaign, participationId }: Awaited<ReturnType<typeof sharing>>,
) => {
  const [developer, ...testers] = people
  const at = clock.now()
  const accounts = people.map(({ user: { id, role } }): DeviceAccount => ({
    deviceHash: fingerprint,
    accounts: people.length,
    userId: id,
    role: role === 'DEVELOPER' ? 'DEVELOPER' : 'TESTER',
    suspended: false,
    firstAt: at,
  }))
  const findings: Finding[] = [
    { ...sharedDevice(accounts), key: `shared-device:${fingerprint}` },
    {
      ...selfTest([
        {
          participationId,
          campaignId: campaign.id,
          campaignTitle: campaign.title,
          developerId: developer!.user.id,
          testerId: testers[0]!.user.id,
          joinedAt: at,
          paid: false,
          deviceHash: fingerprint,
          developerAt: at,
          testerAt: at,
        },
      ]),
      key: `self-test:${participationId}`,
    },
  ]
  return transact(tx =>
    reportFindings(
      tx,
      findings.map(finding => ({ ...finding, id: randomUUIDv7() })),
      at,
    ),
  )
}

test('a server of the previous release that runs beside this one reports nothing again, and its findings are stored the same way', async () => {
  const [known, fresh] = ['phone-of-somebody-1', 'phone-of-somebody-2'] as const
  const shared = await sharing(known)
  expect(await fraudScan(t, admin)).toHaveLength(2)
  expect(await foundBefore(known, shared)).toBe(0)
  await asBefore(known)
  expect(await foundBefore(known, shared)).toBe(0)
  await hashAgain()
  expect(await foundBefore(known, shared)).toBe(0)
  expect(await foundBefore(fresh, await sharing(fresh))).toBe(2)
  expect(await fraudScan(t, admin)).toHaveLength(4)
  expect(JSON.stringify(await kept())).not.toContain('phone-of')
})
