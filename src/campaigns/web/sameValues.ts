/** Values are plain, and built in one order. */
export const sameValues = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b)
