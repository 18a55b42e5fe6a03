/** Enums of tester lists. There are no schemas here, so that an initial screen can import them without loading zod. */
export const exportForms = ['changes', 'play'] as const
export type ExportForm = (typeof exportForms)[number]

/** Per developer and hour, for all campaigns together; each export is an entry of the audit log. */
export const exportsPerHour = 30

export const listStates = ['NOTHING_TO_DO', 'TO_EXPORT', 'EXPORTED', 'CHANGED'] as const
export type ListState = (typeof listStates)[number]
