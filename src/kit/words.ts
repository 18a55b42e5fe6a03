/** `counted(1, 'tester')` is "1 tester", `counted(3000, 'tester')` is "3,000 testers". */
export const counted = (count: number, noun: string): string =>
  `${count.toLocaleString('en-US')} ${noun}${count === 1 ? '' : 's'}`

/** For a name inside a sentence: a title may end in a question mark of its own. */
export const quoted = (name: string): string => `“${name}”`
