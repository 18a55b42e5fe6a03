/** Action, admin and page of the log: they live in the address, and the server applies them. */
import { oneOf, useUrlFilters, words } from '../../kit/web/urlFilters.ts'
import { type AuditAction, auditActions } from '../actions.ts'

/** `admin` is an email, or what is in a name. */
export type Filters = { action: AuditAction | null; admin: string }

export const noFilters: Filters = { action: null, admin: '' }

/** Chosen from a list, not typed: Back undoes it. */
const chosen = (text: string) => words(text)

export const useAuditFilters = () => useUrlFilters({ action: oneOf(auditActions), admin: chosen })
