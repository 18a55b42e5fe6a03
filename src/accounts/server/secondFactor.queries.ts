import { sql, type Tx } from '../../kit/server/db.ts'
import { forgetCallsOf } from '../../kit/server/hourlyCalls.ts'
import type { PasskeyInfo } from '../secondFactorContract.ts'

const inForce = (
  userId: unknown,
) => sql`(exists (select from totp_secrets where user_id = ${userId} and confirmed_at is not null)
  or exists (select from passkeys where user_id = ${userId}))`

export type Standing = { inForce: boolean; provedAt: string | null }

/** Whether the user has a factor, and when this session last proved it. */
export const standingOf = (tx: Tx, userId: string, sessionId: string): Promise<Standing> =>
  tx.one(
    sql`select ${inForce(userId)} as "inForce",
      (select second_factor_at from sessions where id = ${sessionId}) as "provedAt"`,
    'User',
  )

export const hasFactor = (tx: Tx, userId: string): Promise<boolean> => tx.value(sql`select ${inForce(userId)}`)

/** Returns false if the session has ended. */
export const setProved = async (tx: Tx, sessionId: string, now: string): Promise<boolean> =>
  (await tx.run(sql`update sessions set second_factor_at = ${now} where id = ${sessionId} and ended_at is null`)) === 1

export type TotpRow = { secret: Buffer; createdAt: string; confirmedAt: string | null }

export const totpOf = (tx: Tx, userId: string): Promise<TotpRow | undefined> =>
  tx.maybe(sql`select secret, created_at as "createdAt", confirmed_at as "confirmedAt" from totp_secrets
    where user_id = ${userId}`)

/** Counts a wrong code for an app that waits for its first code; the last wrong one allowed deletes the app. */
export const countWrongCode = async (tx: Tx, userId: string, atMost: number): Promise<void> => {
  const left = sql`user_id = ${userId} and confirmed_at is null and wrong_codes + 1`
  await tx.run(sql`delete from totp_secrets where ${left} >= ${atMost}`)
  await tx.run(sql`update totp_secrets set wrong_codes = wrong_codes + 1 where ${left} < ${atMost}`)
}

/** Replaces a secret that was never confirmed. */
export const putTotp = (tx: Tx, userId: string, secret: Buffer, now: string): Promise<number> =>
  tx.run(sql`insert into totp_secrets (user_id, secret, created_at) values (${userId}, ${secret}, ${now})
    on conflict (user_id) do update set secret = excluded.secret, created_at = excluded.created_at, last_step = 0,
      wrong_codes = 0, seq = excluded.seq
    where totp_secrets.confirmed_at is null`)

/** Returns false if this time step or a later one was used before. */
export const useStep = async (tx: Tx, userId: string, step: number): Promise<boolean> =>
  (await tx.run(sql`update totp_secrets set last_step = ${step} where user_id = ${userId} and last_step < ${step}`)) ===
  1

/** From now on the app is a factor; it gets a new place in the order of changes. */
export const confirmTotp = (tx: Tx, userId: string, now: string): Promise<number> =>
  tx.run(
    sql`update totp_secrets set confirmed_at = ${now}, seq = default where user_id = ${userId} and confirmed_at is null`,
  )

export const sealTotpAgain = (tx: Tx, userId: string, secret: Buffer): Promise<number> =>
  tx.run(sql`update totp_secrets set secret = ${secret} where user_id = ${userId}`)

/** Returns false if there is no confirmed app. */
export const deleteTotp = async (tx: Tx, userId: string): Promise<boolean> =>
  (await tx.run(sql`delete from totp_secrets where user_id = ${userId} and confirmed_at is not null`)) === 1

const passkeyInfo = sql`id, name, created_at as "createdAt", last_used_at as "lastUsedAt"`

export const passkeysOf = (tx: Tx, userId: string): Promise<PasskeyInfo[]> =>
  tx.rows(sql`select ${passkeyInfo} from passkeys where user_id = ${userId} order by id`)

export type CredentialRow = { id: string; transports: string[] }

export const credentialsOf = (tx: Tx, userId: string): Promise<CredentialRow[]> =>
  tx.rows(sql`select credential_id as id, transports from passkeys where user_id = ${userId} order by id`)

export type PasskeyRow = { id: string; name: string; publicKey: Buffer; counter: number; transports: string[] }

/** Locked, so two assertions with the same counter are checked one after the other. */
export const lockPasskey = (tx: Tx, userId: string, credentialId: string): Promise<PasskeyRow | undefined> =>
  tx.maybe(sql`select id, name, public_key as "publicKey", counter, transports from passkeys
    where credential_id = ${credentialId} and user_id = ${userId} for update`)

export const usePasskey = (tx: Tx, id: string, counter: number, now: string): Promise<number> =>
  tx.run(sql`update passkeys set counter = ${counter}, last_used_at = ${now} where id = ${id}`)

type NewPasskey = PasskeyRow & { userId: string; credentialId: string; createdAt: string }

/** Undefined if the credential is already registered. */
export const insertPasskey = (tx: Tx, p: NewPasskey): Promise<PasskeyInfo | undefined> =>
  tx.maybe(sql`
    insert into passkeys (id, user_id, name, credential_id, public_key, counter, transports, created_at)
    values (${p.id}, ${p.userId}, ${p.name}, ${p.credentialId}, ${p.publicKey}, ${p.counter}, ${p.transports},
      ${p.createdAt})
    on conflict (credential_id) do nothing returning ${passkeyInfo}`)

export const renamePasskey = (tx: Tx, userId: string, id: string, name: string): Promise<PasskeyInfo> =>
  tx.one(
    sql`update passkeys set name = ${name} where id = ${id} and user_id = ${userId} returning ${passkeyInfo}`,
    'Passkey',
  )

export const deletePasskey = (tx: Tx, userId: string, id: string): Promise<{ name: string }> =>
  tx.one(sql`delete from passkeys where id = ${id} and user_id = ${userId} returning name`, 'Passkey')

export const recoverySalt = (tx: Tx, userId: string): Promise<{ salt: Buffer } | undefined> =>
  tx.maybe(sql`select salt from recovery_codes where user_id = ${userId} and used_at is null limit 1`)

export const recoveryCodesLeft = (tx: Tx, userId: string): Promise<number> =>
  tx.value(sql`select count(*) from recovery_codes where user_id = ${userId} and used_at is null`)

/** Returns false if there is no such code, or it was used before. */
export const useRecoveryCode = async (tx: Tx, userId: string, hash: Buffer, now: string): Promise<boolean> =>
  (await tx.run(sql`update recovery_codes set used_at = ${now}
    where user_id = ${userId} and hash = ${hash} and used_at is null`)) === 1

export const replaceRecoveryCodes = async (
  tx: Tx,
  userId: string,
  { salt, hashes, now }: { salt: Buffer; hashes: Buffer[]; now: string },
): Promise<void> => {
  await tx.run(sql`delete from recovery_codes where user_id = ${userId}`)
  await tx.run(sql`insert into recovery_codes (user_id, hash, salt, created_at)
    select ${userId}, hash, ${salt}, ${now} from unnest(${hashes}::bytea[]) hash`)
}

/** Deletes every factor of the user, and the challenges that ask for them. */
export const deleteFactors = async (tx: Tx, userId: string): Promise<void> => {
  await tx.run(sql`delete from totp_secrets where user_id = ${userId}`)
  await tx.run(sql`delete from passkeys where user_id = ${userId}`)
  await tx.run(sql`delete from recovery_codes where user_id = ${userId}`)
  await tx.run(sql`delete from factor_guesses where user_id = ${userId}`)
  await forgetCallsOf(tx, userId)
  await tx.run(sql`delete from factor_challenges where user_id = ${userId}`)
}

/** Deletes the factors that were set up after the change of address that `seq` requested. */
export const deleteFactorsAfter = async (
  tx: Tx,
  userId: string,
  seq: number,
): Promise<{ passkeys: number; apps: number; codes: number }> => {
  const later = sql`user_id = ${userId} and seq > ${seq}`
  return {
    passkeys: await tx.run(sql`delete from passkeys where ${later}`),
    // Also deletes an app that was never confirmed, but does not count it, because it is no factor yet.
    apps: (
      await tx.rows<{ counts: boolean }>(
        sql`delete from totp_secrets where ${later} returning confirmed_at is not null as counts`,
      )
    ).filter(({ counts }) => counts).length,
    codes: await tx.run(sql`delete from recovery_codes where ${later}`),
  }
}

export const deleteRecoveryCodes = (tx: Tx, userId: string): Promise<number> =>
  tx.run(sql`delete from recovery_codes where user_id = ${userId}`)
