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

/** An address may hold a cursor that is none of the list's, or no longer: it leads to a page with nothing on it. */
export const orEmptyPage = async <T>(answer: Promise<NumberedPage<T>>): Promise<NumberedPage<T>> => {
  try {
    return await answer
  } catch (error) {
    if (error instanceof ApiError && error.fields.cursor) return nothing
    throw error
  }
}
