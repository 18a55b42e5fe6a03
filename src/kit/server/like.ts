/** For `like`: matches every text that contains `words`. Characters with a meaning in a pattern are escaped. */
export const containing = (words: string): string => `%${words.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`
