import { auditKeys } from '../../audit/web/keys.ts'
import { campaignKeys } from '../../campaigns/web/keys.ts'
import { client } from '../../kit/web/api.ts'
import { invalidate } from '../../kit/web/query.ts'
import { ledgerKeys } from '../../ledger/web/keys.ts'
import type { participationApi } from '../contract.ts'
import { participationKeys } from './keys.ts'

export const api = client<typeof participationApi>('participations')

/** A change to a test also changes its campaign, may move money, and may stand in the audit log. */
export const refreshTests = () => invalidate(participationKeys.all, campaignKeys.all, ledgerKeys.all, auditKeys.all)
