/** The log's filters, kept in the URL and applied by the server. */
import { filtersIn, oneOf, useUrlFilters, words } from '../../kit/web/urlFilters.ts'
import { type AuditAction, auditActions } from '../actions.ts'

/** `admin` is an email or a part of a name. */
export type Filters = { action: AuditAction | null; admin: string }

export const noFilters: Filters = { action: null, admin: '' }

/** Wraps `words`, because `useUrlFilters` takes `words` itself for typing, which Back does not undo. */
const chosen = (text: string) => words(text)

const readers = { action: oneOf(auditActions), admin: chosen }

export const useAuditFilters = () => useUrlFilters(readers)

export const auditFiltersIn = (params: URLSearchParams): Filters => filtersIn(readers, params)
