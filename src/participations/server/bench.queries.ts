import { empty, sql, type Tx } from '../../kit/server/db.ts'
import type { DuePage } from '../../kit/server/jobs.ts'
import type { NewPlayAddress } from '../../playAddresses/server/playAddresses.ts'
import type { DeviceInfo } from '../contract.ts'
import { type SharedRow, sharedColumns } from './rows.ts'

export type BenchRow = SharedRow & {
  id: string
  campaignId: string
  testerId: string
  enteredAt: string
  offerEndsAt: string | null
  /** 1 for the next one. */
  line: number
  timeZone: string
  freeSeats: number
}

const columns = sql`e.id, e.campaign_id as "campaignId", e.tester_id as "testerId", ${sharedColumns('e')},
  e.entered_at as "enteredAt", e.offer_ends_at as "offerEndsAt",
  (select count(*) from bench_entries before where before.campaign_id = e.campaign_id and before.place <= e.place) as line,
  e.time_zone as "timeZone", c.testers_required - c.seats_taken - c.closed_seats - c.offered_seats as "freeSeats"`
const tables = sql`bench_entries e join campaigns c on c.id = e.campaign_id`

export const entryOf = (tx: Tx, testerId: string, id: string): Promise<BenchRow | undefined> =>
  tx.maybe(sql`select ${columns} from ${tables} where e.id = ${id} and e.tester_id = ${testerId}`)

export const entriesOf = (
  tx: Tx,
  testerId: string,
  { limit, cursor }: { limit: number; cursor?: string | undefined },
): Promise<BenchRow[]> =>
  tx.rows(sql`select ${columns} from ${tables} where e.tester_id = ${testerId} ${cursor ? sql`and e.id < ${cursor}` : empty}
    order by e.id desc limit ${limit + 1}`)

export type NewEntry = {
  id: string
  campaignId: string
  testerId: string
  now: string
  device: DeviceInfo
  address: NewPlayAddress | null
  timeZone: string
}

export type EnterOutcome = 'OK' | 'SUSPENDED' | 'WRONG_STATE' | 'JOINED' | 'SEAT_FREE' | 'FULL'

export const enter = (tx: Tx, { device, address, ...entry }: NewEntry): Promise<EnterOutcome> =>
  tx.value(
    sql`select enter_bench(jsonb_populate_record(null::bench_entries, ${JSON.stringify({
      id: entry.id,
      campaign_id: entry.campaignId,
      tester_id: entry.testerId,
      entered_at: entry.now,
      device_platform: device.platform ?? null,
      device_os_version: device.osVersion ?? null,
      device_model: device.model,
      device_manufacturer: device.manufacturer ?? null,
      device_fingerprint: device.fingerprint ?? null,
      time_zone: entry.timeZone,
      address_sealed: address ? `\\x${address.sealed.toString('hex')}` : null,
      address_hash: address ? `\\x${address.hash.toString('hex')}` : null,
      consent_version: address?.consentVersion ?? null,
    })}::jsonb))`,
  )

export type AcceptOutcome = 'OK' | 'SUSPENDED' | 'NOT_FOUND' | 'LIMIT_REACHED' | 'WRONG_STATE' | 'FULL'

export const accept = (
  tx: Tx,
  { id, testerId }: { id: string; testerId: string },
  { proofAllowedAt, wakeAt, now }: { proofAllowedAt: string | null; wakeAt: string | null; now: string },
): Promise<AcceptOutcome> =>
  tx.value(sql`select accept_seat(${id}, ${testerId}, ${proofAllowedAt}::timestamptz, ${wakeAt}::timestamptz, ${now})`)

export const leave = (tx: Tx, id: string, now: string): Promise<'OK' | 'NOT_FOUND'> =>
  tx.value(sql`select leave_bench(${id}, ${now})`)

export const pass = (tx: Tx, id: string, now: string): Promise<'OK' | 'WRONG_STATE'> =>
  tx.value(sql`select pass_seat(${id}, ${now})`)

export type Offer = { id: string; testerId: string; title: string; offerEndsAt: string }

const offer = sql`e.id, e.tester_id as "testerId", c.title, e.offer_ends_at as "offerEndsAt"`

export const endedOffers = (tx: Tx, now: string, { limit, except }: DuePage): Promise<Offer[]> =>
  tx.rows(sql`select ${offer} from ${tables} where e.offered_at is not null and e.offer_ends_at <= ${now}
    and e.id <> all(${except}) order by e.offer_ends_at limit ${limit}`)

export const untoldOffers = (tx: Tx, { limit, except }: DuePage): Promise<Offer[]> =>
  tx.rows(sql`select ${offer} from ${tables} where e.offered_at is not null and not e.told and e.id <> all(${except})
    order by e.offered_at limit ${limit}`)

/** False when it was told, accepted or withdrawn meanwhile. */
export const setTold = async (tx: Tx, { id, offerEndsAt }: Offer): Promise<boolean> =>
  (await tx.run(sql`update bench_entries set told = true
    where id = ${id} and offer_ends_at = ${offerEndsAt} and not told`)) === 1

/** In the order in which campaigns are locked. */
export const idsOf = (tx: Tx, testerId: string): Promise<{ id: string }[]> =>
  tx.rows(sql`select id from bench_entries where tester_id = ${testerId} order by campaign_id`)
