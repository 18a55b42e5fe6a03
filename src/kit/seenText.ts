/** Which characters of a text can be seen. Shared by the contracts and the screens' counters. */

/** Format characters, and letters that are blank. */
const unseen = /[\p{Cc}\p{Cf}\u115f\u1160\u2800\u3164\uffa0]/gu

export const isVisible = (words: string): boolean => words === '' || /\S/.test(words.replaceAll(unseen, ''))

/** Each run of white space between words counts once. */
export const seenLength = (words: string): number => words.trim().replaceAll(/\s+/g, ' ').replaceAll(unseen, '').length
