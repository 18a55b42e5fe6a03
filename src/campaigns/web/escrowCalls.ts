import { auditKeys } from '../../audit/web/keys.ts'
import { client } from '../../kit/web/api.ts'
import { invalidate, pagesOf } from '../../kit/web/query.ts'
import { ledgerKeys } from '../../ledger/web/keys.ts'
import type { EscrowCase, escrowApi } from '../escrowContract.ts'
import { campaignKeys } from './keys.ts'

export const escrowCalls = client<typeof escrowApi>('escrow')

/** Campaigns whose money has been in escrow for too long, earliest due date first. */
export const escrowPages = pagesOf<EscrowCase>(campaignKeys.escrow, ({ cursor, signal }) =>
  escrowCalls.agingEscrow({ query: { cursor, limit: 20 }, signal }),
)

/** Reloads after a success and after a failure: another admin may have been first. */
export const afterEscrow = (): void => void invalidate(campaignKeys.all, ledgerKeys.all, auditKeys.all)
