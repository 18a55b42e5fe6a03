/** Limits of the change log. No schemas: a screen that imports them must not load zod. */

export const mostVersions = 100
/** Of one version, and of one call. */
export const mostChanges = 30
/** Pieces of feedback that one change answers. */
export const mostFeedback = 50
/** That all versions of a campaign answer: they are shown together. */
export const mostFeedbackOfCampaign = 1_000
export const longestChange = 300
