/** What the statement that takes a seat decides, and what the rules say in words, are the same. */
import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import { clock } from '../../kit/clock.ts'
import type { SignedIn } from '../../kit/endpoint.ts'
import { sql, transact, type Tx } from '../../kit/server/db.ts'
import type { Platform } from '../../campaigns/contract.ts'
import type { AccessMode } from '../../campaigns/terms.ts'
import { liveCampaign } from '../../testing/app.ts'
import { signedUp, testApp } from '../../testing/prologue.ts'
import type { DeviceInfo } from '../contract.ts'
import { wakeAt } from '../deadlines.ts'
import { whyNotEligible } from '../eligibility.ts'
import { takeSeat } from './joining.queries.ts'
import { wholeFor } from './queries.ts'

const t = testApp()
const developer = signedUp(t, 'DEVELOPER')
const admin = signedUp(t, 'ADMIN')
const person = signedUp(t, 'TESTER')
let campaignId: string
beforeAll(async () => {
  campaignId = (await liveCampaign(developer, admin)).id
})

class Undone extends Error {}
/** Everything that `work` writes is undone again. */
const undone = async <T>(work: (tx: Tx) => Promise<T>): Promise<T> => {
  let result: { value: T } | undefined
  await transact(async tx => {
    result = { value: await work(tx) }
    throw new Undone()
  }).catch((error: unknown) => {
    if (!(error instanceof Undone)) throw error
  })
  return result!.value
}

const seatFor = (device: DeviceInfo) => ({
  id: randomUUID(),
  campaignId,
  testerId: person.user.id,
  device,
  address: null,
  now: clock.now(),
})

describe('a seat is given to whom the rule lets in, and to nobody else', () => {
  const versions = [
    undefined,
    '',
    '9',
    '12.9.9',
    '13',
    '13.0.0',
    '13.1',
    'Android 13.1.2',
    '13.2',
    '13.10.1',
    '14',
    'Tiramisu',
    '99999999999999',
  ]
  const platforms = [undefined, 'android', 'ios'] as const
  const devices: DeviceInfo[] = versions.flatMap(osVersion =>
    platforms.map(platform => ({
      model: 'Any',
      ...(osVersion !== undefined && { osVersion }),
      ...(platform && { platform }),
    })),
  )
  const asked = [null, '13', '13.1', '13.1.2', '0', '100'].flatMap(version =>
    (['android', 'ios'] as const).map(platform => ({ version, platform })),
  )

  test.each(asked)('a campaign for $platform from version $version on', async ({ version, platform }) => {
    const campaign: { platform: Platform; minAndroidVersion: string | null; minIOSVersion: string | null } = {
      platform,
      // The other platform's is not looked at.
      minAndroidVersion: platform === 'android' ? version : '99',
      minIOSVersion: platform === 'ios' ? version : '99',
    }
    const wrong = await undone(async tx => {
      await tx.run(sql`update campaigns set platform = ${platform}, min_android_version = ${campaign.minAndroidVersion},
        min_ios_version = ${campaign.minIOSVersion} where id = ${campaignId}`)
      const found = []
      for (const device of devices) {
        await tx.raw('savepoint before')
        const taken = (await takeSeat(tx, seatFor(device))) !== undefined
        await tx.raw('rollback to before')
        const refused = whyNotEligible({ ...campaign, countryCodes: [] }, { country: null }, device)
        if (taken !== (refused === null)) found.push({ device, taken, refused })
      }
      return found
    })
    expect(wrong).toEqual([])
  })

  test.each([
    { countries: [], country: null },
    { countries: [], country: 'DE' },
    { countries: ['DE', 'FR'], country: 'FR' },
    { countries: ['DE', 'FR'], country: 'US' },
    { countries: ['DE'], country: null },
  ])('a campaign for $countries and a tester from $country', async ({ countries, country }) => {
    const terms = { platform: 'android', minAndroidVersion: null, minIOSVersion: null } as const
    const taken = await undone(async tx => {
      await tx.run(
        sql`update campaigns set country_codes = ${countries}, countries = ${countries} where id = ${campaignId}`,
      )
      await tx.run(sql`update users set country = ${country} where id = ${person.user.id}`)
      return (await takeSeat(tx, seatFor({ model: 'Any' }))) !== undefined
    })
    expect(taken).toBe(whyNotEligible({ ...terms, countryCodes: countries }, { country }, { model: 'Any' }) === null)
  })
})

describe('the new test', () => {
  const address = { sealed: Buffer.alloc(40, 1), hash: Buffer.alloc(32, 2), consentVersion: 1 }
  const terms = (['OPEN_LINK', 'EMAIL_LIST', 'GOOGLE_GROUP'] as AccessMode[]).flatMap(accessMode =>
    [true, false].flatMap(dailyCheckIn =>
      [
        { durationDays: 1, atRiskHours: 1, dropHours: 2 },
        { durationDays: 14, atRiskHours: 36, dropHours: 72 },
        { durationDays: 30, atRiskHours: 71, dropHours: 72 },
      ].map(hours => ({ accessMode, dailyCheckIn, ...hours })),
    ),
  )

  test.each(terms)(
    'in a campaign with $accessMode, check-ins $dailyCheckIn, $durationDays days, a warning after $atRiskHours hours, wakes when the rule says so, and is answered as it is read',
    async ({ accessMode, dailyCheckIn, durationDays, atRiskHours, dropHours }) => {
      const seat = { ...seatFor({ model: 'Any' }), address: accessMode === 'OPEN_LINK' ? null : address }
      const user: SignedIn = { id: person.user.id, role: 'TESTER', sessionId: '' }
      const group = accessMode === 'GOOGLE_GROUP' ? 'https://groups.google.com/g/testers' : null
      const { row, read, wakes } = await undone(async tx => {
        await tx.run(sql`update campaigns set access_mode = ${accessMode}, group_link = ${group}, daily_check_in = ${dailyCheckIn},
          duration_days = ${durationDays}, at_risk_hours = ${atRiskHours}, drop_hours = ${dropHours} where id = ${campaignId}`)
        return {
          row: await takeSeat(tx, seat),
          read: await wholeFor(tx, user, seat.id),
          wakes: await tx.value<string>(sql`select wake_at from participations where id = ${seat.id}`),
        }
      })
      expect(row).toEqual(read)
      expect(wakes).toBe(wakeAt(row!))
    },
  )

  test('without an address there is no seat in a campaign with a tester list', async () => {
    const taken = await undone(async tx => {
      await tx.run(sql`update campaigns set access_mode = 'EMAIL_LIST' where id = ${campaignId}`)
      return takeSeat(tx, seatFor({ model: 'Any' }))
    })
    expect(taken).toBeUndefined()
  })
})
