import { client } from '../../kit/web/api.ts'
import type { ledgerApi, Transaction } from '../contract.ts'

export const api = client<typeof ledgerApi>('ledger')

const isPending = ({ status }: Transaction) => status === 'PENDING'

/** Polls every few seconds while the provider is still processing something. */
export const whilePending = (transactions: readonly Transaction[] | undefined) =>
  transactions?.some(isPending) ? 3000 : false
