import type { Handlers } from '../../kit/endpoint.ts'
import type { operationsApi } from '../contract.ts'
import { runChecksNow } from './checks.ts'
import { operations } from './operations.ts'
import { letWithdrawalsGoOn } from './goingOn.ts'
import { pause, resume } from './pausing.ts'

export const operationsHandlers: Handlers<typeof operationsApi> = {
  operations: () => operations(),
  runChecks: ({ user }) => runChecksNow(user),
  pauseJobs: ({ user, body }) => pause(user, body.reason),
  letWithdrawalsGoOn: ({ user, body }) => letWithdrawalsGoOn(user, body),
  resumeJobs: ({ user }) => resume(user),
}
