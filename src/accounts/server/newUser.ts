import { randomUUIDv7 } from 'node:crypto'
import type { z } from 'zod'
import { clock } from '../../kit/clock.ts'
import type { Role } from '../../kit/roles.ts'
import type { Tx } from '../../kit/server/db.ts'
import type { Registration } from '../contract.ts'
import { emailTaken } from '../rules.ts'
import { assertNotReserved } from './emailChange.ts'
import * as queries from './queries.ts'
import { storedTimeZone } from './timeZones.ts'

export type NewUser = Pick<z.output<typeof Registration>, 'email' | 'name'> & {
  role: Role
  country?: string | null | undefined
  timeZone?: string
  /** True if the address is known to be theirs. */
  confirmed?: boolean
}

export const createUser = async (tx: Tx, user: NewUser, passwordHash: string): Promise<queries.UserRow> => {
  const now = clock.now()
  const row = await queries.insertUser(tx, {
    id: randomUUIDv7(),
    email: user.email,
    emailVerifiedAt: user.confirmed ? now : null,
    name: user.name,
    role: user.role,
    passwordHash,
    country: user.country ?? null,
    // The browser reports it, so the user could do nothing about a name that is too new; it is stored as UTC.
    timeZone: (user.timeZone && (await storedTimeZone(user.timeZone))) ?? 'UTC',
    createdAt: now,
  })
  if (!row) throw emailTaken()
  await assertNotReserved(tx, user.email, row.id)
  return row
}
