/** `counted(1, 'tester')` is "1 tester", `counted(3000, 'tester')` is "3,000 testers". */
export const counted = (count: number, noun: string): string =>
  `${count.toLocaleString('en-US')} ${noun}${count === 1 ? '' : 's'}`
