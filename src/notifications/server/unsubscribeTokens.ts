/**
 * The tokens of unsubscribe links: the user and what the link turns off, signed. They open nothing else, and never expire, because
 * emails are read months later. So their keys are in the database, apart from the server's secrets. A new key is a new row; links
 * signed with older keys work until those rows are deleted.
 */
import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Tx } from '../../kit/server/db.ts'
import { unsubscribeKeys } from './unsubscribe.queries.ts'

/** 144 bits. */
const signatureBytes = 18

const signature = (key: Buffer, userId: string, scope: string) =>
  createHmac('sha256', key).update(`unsubscribe ${userId} ${scope}`).digest().subarray(0, signatureBytes)

export const unsubscribeToken = async (tx: Tx, userId: string, scope: string): Promise<string> => {
  const [newest] = await unsubscribeKeys(tx)
  if (!newest) throw new Error('unsubscribe_keys is empty')
  return `${userId}.${scope}.${signature(newest, userId, scope).toString('base64url')}`
}

const shape = /^([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})\.([A-Z_]{1,30})\.([\w-]{24})$/

/** Null for anything that we have not signed. A server of a newer release signs topics that this one does not know. */
export const readUnsubscribeToken = async (
  tx: Tx,
  token: string,
): Promise<{ userId: string; scope: string } | null> => {
  const [, userId, scope, signed] = shape.exec(token) ?? []
  if (userId === undefined || signed === undefined || scope === undefined) return null
  const given = Buffer.from(signed, 'base64url')
  // Accepting several spellings of one signature would give one token several names.
  if (given.length !== signatureBytes || given.toString('base64url') !== signed) return null
  const keys = await unsubscribeKeys(tx)
  return keys.some(key => timingSafeEqual(given, signature(key, userId, scope))) ? { userId, scope } : null
}
