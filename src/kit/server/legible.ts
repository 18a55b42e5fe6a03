/** The fonts of generated documents, and the spelling in Latin letters of text that they cannot show. */
import { createRequire } from 'node:module'
import anyAscii from 'any-ascii'
import { type Font, openSync } from 'fontkit'

const require = createRequire(import.meta.url)

export const fonts = {
  regular: require.resolve('@expo-google-fonts/inter/400Regular/Inter_400Regular.ttf'),
  bold: require.resolve('@expo-google-fonts/inter/600SemiBold/Inter_600SemiBold.ttf'),
}

let opened: Font | undefined
/** Both weights have the same letters. */
const font = (): Font => (opened ??= openSync(fonts.regular) as Font)

const isDrawn = (letter: string): boolean => letter === '\n' || font().hasGlyphForCodePoint(letter.codePointAt(0)!)

/** Control characters have no glyph: tabs and the like become spaces. */
const onlyLineBreaks = (text: string) => text.replaceAll(/\r\n?/g, '\n').replaceAll(/[^\P{Cc}\n]/gu, ' ')

/**
 * "日本 is fine 🐶" becomes "RiBen is fine :dog:". A font with every letter in the world would weigh more than this product, and
 * letters that the font lacks would be empty boxes.
 */
const legibleText = (text: string): string => {
  let shown = ''
  let lacking = ''
  for (const letter of onlyLineBreaks(text).normalize('NFC')) {
    if (isDrawn(letter)) {
      shown += anyAscii(lacking) + letter
      lacking = ''
    } else lacking += letter
  }
  return shown + anyAscii(lacking)
}

/** Applies to all texts of a document, at any depth. */
export const legible = <T>(value: T): T => {
  if (typeof value === 'string') return legibleText(value) as T
  if (Array.isArray(value)) return value.map(legible) as T
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, legible(each)])) as T
}
