const all = ['books'] as const

export const booksKeys = {
  all,
  accounts: (owner: string) => [...all, 'accounts', owner],
  account: (id: number, upTo: number | null) => [...all, 'account', id, upTo],
  statement: (id: number, upTo: number | null) => [...all, 'statement', id, upTo],
}
