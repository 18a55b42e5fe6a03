/** The center's filters, kept in the URL and applied by the server. */
import { filtersIn, oneOf, useUrlFilters, words } from '../../kit/web/urlFilters.ts'
import { topics } from '../topics.ts'

/** Not `words` itself: `useUrlFilters` treats that as typing, and Back would not undo it. */
const chosen = (text: string) => words(text)

const readers = { show: oneOf(['unread']), kind: oneOf(topics), campaign: chosen }

export const useCenterFilters = () => useUrlFilters(readers)
export type CenterFilters = ReturnType<typeof useCenterFilters>['filters']
export const centerFiltersIn = (params: URLSearchParams): CenterFilters => filtersIn(readers, params)
export const noFilters: CenterFilters = { show: null, kind: null, campaign: '' }
