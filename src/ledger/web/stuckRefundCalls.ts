import { client } from '../../kit/web/api.ts'
import { pagesOf } from '../../kit/web/query.ts'
import type { StuckRefund, stuckRefundsApi } from '../stuckRefundsContract.ts'
import { ledgerKeys } from './keys.ts'

export const stuckRefundCalls = client<typeof stuckRefundsApi>('stuckRefunds')

/** Oldest first. */
export const stuckRefundPages = pagesOf<StuckRefund>(ledgerKeys.stuckRefunds, ({ cursor, signal }) =>
  stuckRefundCalls.stuckRefunds({ query: { cursor, limit: 20 }, signal }),
)
