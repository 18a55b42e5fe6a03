/** For `like`: matches every text that contains `words`. The characters with a meaning in a pattern stand for themselves. */
export const containing = (words: string): string => `%${words.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`
