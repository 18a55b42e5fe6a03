import type { Handlers } from '../../kit/endpoint.ts'
import type { booksApi } from '../contract.ts'
import { account, accounts, statement } from './books.ts'

export const booksHandlers: Handlers<typeof booksApi> = {
  accounts: ({ query }) => accounts(query.ownerId ?? null),
  account: ({ query }) => account(query.account, query.upTo),
  statement: ({ query }) => statement(query),
}
