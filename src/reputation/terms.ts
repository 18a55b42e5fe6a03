/** A figure is of the newest 20, 10 or 5 cases: of fewer none is shown, and of no more is looked at (decision 040). */
export const windows = [20, 10, 5] as const
export const [most, , fewest] = windows

/** How many tests somebody has done is told in these steps: "20+". */
export const steps = [100, 50, 20, 10, 5] as const
/** Days kept are told in steps of so many percent. */
export const percentStep = 5

/** Developers asked about in one call, as many as a list of campaigns has on a page. */
export const mostAsked = 100
