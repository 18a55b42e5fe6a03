/**
 * Play addresses of campaigns that are running or ended recently. They are sealed with the key of the bench, which the server
 * gets too.
 */
import type pg from 'pg'
import { useEncryptionKeys as sealWith } from '../../src/kit/server/encryption.ts'
import { sealedFor } from '../../src/playAddresses/server/sealing.ts'
import type { Model } from './model.ts'

/** Used only by the bench: it seals nothing but seeded addresses. */
export const benchKey = Buffer.alloc(32, 'growth').toString('base64')

export const sealAddresses = async (db: pg.Client, { now }: Model): Promise<void> => {
  sealWith([benchKey])
  const { rows } = await db.query<{ id: string; tester_id: string; joined_at: Date }>(`
    select p.id, p.tester_id, p.joined_at from participations p join campaigns c on c.id = p.campaign_id
    where c.access_mode <> 'OPEN_LINK' and (c.closed_at is null or c.closed_at >= ${now} - interval '30 days')`)
  const size = 5_000
  for (let from = 0; from < rows.length; from += size) {
    const some = rows.slice(from, from + size)
    const sealed = some.map(({ id, tester_id }) => sealedFor(id, `${tester_id}@example.test`))
    await db.query(
      `insert into play_addresses (participation_id, tester_id, sealed, address_hash, same_address, consent_version, consented_at)
       select id, tester_id, sealed, hash, id, 1, at
       from unnest($1::uuid[], $2::uuid[], $3::bytea[], $4::bytea[], $5::timestamptz[]) row (id, tester_id, sealed, hash, at)`,
      [
        some.map(({ id }) => id),
        some.map(({ tester_id }) => tester_id),
        sealed.map(one => one.sealed),
        sealed.map(one => one.hash),
        some.map(({ joined_at }) => joined_at),
      ],
    )
  }
}
