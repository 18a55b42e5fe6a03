import type { Handlers } from '../../kit/endpoint.ts'
import type { operationsApi } from '../contract.ts'
import { runChecksNow } from './checks.ts'
import { operations } from './operations.ts'

export const operationsHandlers: Handlers<typeof operationsApi> = {
  operations: () => operations(),
  runChecks: () => runChecksNow(),
}
