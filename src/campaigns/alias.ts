/** What a developer sees instead of a tester's name; `ordinal` is the tester's place in the order of joining. */
export const aliasOf = (ordinal: number): string => `Tester ${ordinal}`
