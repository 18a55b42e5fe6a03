import { queryOptions } from '@tanstack/react-query'
import { client } from '../../kit/web/api.ts'
import { pagesOf } from '../../kit/web/query.ts'
import type { AccountLine, booksApi } from '../contract.ts'
import { booksKeys } from './keys.ts'

const api = client<typeof booksApi>('books')

const pageSize = 50

/** An empty owner means the platform's accounts. */
export const accountsQuery = (owner: string) =>
  queryOptions({
    queryKey: booksKeys.accounts(owner),
    queryFn: ({ signal }) => api.accounts({ query: { ownerId: owner || undefined }, signal }),
  })

const asked = (id: number, upTo: number | null) => ({
  account: String(id),
  upTo: upTo === null ? undefined : String(upTo),
})

export const accountQuery = (id: number, upTo: number | null) =>
  queryOptions({
    queryKey: booksKeys.account(id, upTo),
    queryFn: ({ signal }) => api.account({ query: asked(id, upTo), signal }),
  })

export const statementPages = (id: number, upTo: number | null) =>
  pagesOf<AccountLine>(booksKeys.statement(id, upTo), ({ cursor, signal }) =>
    api.statement({ query: { ...asked(id, upTo), cursor, limit: pageSize }, signal }),
  )
