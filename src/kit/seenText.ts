/** Which characters of a text can be seen. Shared by the contracts and the screens' counters. */

/** Control and format characters, what Unicode calls default ignorable, and the blank pattern of Braille. */
const unseen = /[\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]/gu

export const isVisible = (words: string): boolean => words === '' || /\S/.test(words.replaceAll(unseen, ''))

/** Each run of white space between words counts once. */
export const seenLength = (words: string): number => words.trim().replaceAll(/\s+/g, ' ').replaceAll(unseen, '').length
