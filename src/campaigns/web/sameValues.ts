/** Comparing JSON works because the values are plain and their keys are always in the same order. */
export const sameValues = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b)
