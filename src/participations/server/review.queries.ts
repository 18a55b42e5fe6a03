import type { SignedIn } from '../../kit/endpoint.ts'
import { sql, type Tx } from '../../kit/server/db.ts'
import { lockParticipationFor, type ParticipationRow } from './queries.ts'
import { visibleTo } from './rows.ts'

/** Locks the tester before campaign and test, as a suspension does: whichever comes second sees what the first one did. */
export const lockWithTester = async (tx: Tx, user: SignedIn, id: string): Promise<ParticipationRow> => {
  await tx.one(
    sql`select from users where id = (select p.tester_id from participations p join campaigns c on c.id = p.campaign_id
      where p.id = ${id} and ${visibleTo(user)}) for share`,
    'Test',
  )
  return lockParticipationFor(tx, user, id)
}
