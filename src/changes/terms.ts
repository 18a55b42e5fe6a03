/** Limits of the change log. There are no schemas here, so that a screen can import them without loading zod. */

export const mostVersions = 100
/** Per version, and per call. */
export const mostChanges = 30
/** Pieces of feedback that one change answers. */
export const mostFeedback = 50
/** For all versions of a campaign, because they are shown together. */
export const mostFeedbackOfCampaign = 1_000
export const longestChange = 300
