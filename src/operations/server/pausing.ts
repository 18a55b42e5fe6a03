/** An admin pauses and resumes the jobs (decision 044); a restored copy is resumed by a command on the server. */
import { auditIfAdmin } from '../../audit/server/audit.ts'
import type { SignedIn } from '../../kit/endpoint.ts'
import { DomainError } from '../../kit/errors.ts'
import { transact } from '../../kit/server/db.ts'
import { endPause, openPause, pauseJobs } from '../../kit/server/pauses.ts'

const wrongState = (sentence: string) => new DomainError('WRONG_STATE', sentence)

export const pause = (admin: SignedIn, reason: string): Promise<void> =>
  transact(async tx => {
    const paused = await pauseJobs(tx, { reason: 'ADMIN', note: reason, by: admin.id })
    if (!paused) throw wrongState('The jobs are already paused.')
    await auditIfAdmin(tx, admin, {
      action: 'jobs.pause',
      subjectType: 'jobs',
      subjectId: paused.id,
      facts: { reason },
    })
  })

export const resume = (admin: SignedIn): Promise<void> =>
  transact(async tx => {
    const ended = await endPause(tx, { reason: 'ADMIN', by: admin.id })
    if (ended) {
      const facts = { pausedBecause: ended.note }
      return auditIfAdmin(tx, admin, { action: 'jobs.resume', subjectType: 'jobs', subjectId: ended.id, facts })
    }
    throw wrongState(
      (await openPause(tx))
        ? 'This is a restored copy: npm run resume on the server resumes its jobs.'
        : 'The jobs are not paused.',
    )
  })
