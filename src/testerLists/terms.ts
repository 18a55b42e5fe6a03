/** Enums of tester lists. No schemas: a first screen that imports them must not load zod. */
export const exportForms = ['changes', 'play'] as const
export type ExportForm = (typeof exportForms)[number]

/** Of one developer within the hour, of all campaigns: each is an entry of the audit log. */
export const exportsPerHour = 30

export const listStates = ['NOTHING_TO_DO', 'TO_EXPORT', 'EXPORTED', 'CHANGED'] as const
export type ListState = (typeof listStates)[number]
