/** What screens with numbered lists share. */
import type { NumberedPage } from '../endpoint.ts'
import { ApiError } from './apiError.ts'

const nothing = {
  data: [],
  page: 1,
  limit: 1,
  total: 0,
  totalIsEstimate: false,
  nextCursor: null,
  previousCursor: null,
}

/** An address may have a cursor that is not, or no longer, valid for the list: then the page is empty. */
export const orEmptyPage = async <T>(answer: Promise<NumberedPage<T>>): Promise<NumberedPage<T>> => {
  try {
    return await answer
  } catch (error) {
    if (error instanceof ApiError && error.fields.cursor) return nothing
    throw error
  }
}
