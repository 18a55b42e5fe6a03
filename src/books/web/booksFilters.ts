import { filtersIn } from '../../kit/web/urlFilters.ts'

const number = (text: string) => (/^\d{1,15}$/.test(text) ? Number(text) : null)
const id = (text: string) => (/^[\da-f-]{36}$/i.test(text) ? text : '')

/** The owner of the accounts ('' for the platform), the open account, and the transfer up to which it is shown. */
export const booksReaders = { owner: id, account: number, upTo: number }

export const booksFiltersIn = (params: URLSearchParams) => filtersIn(booksReaders, params)
