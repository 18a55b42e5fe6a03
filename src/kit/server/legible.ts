/** The fonts of the documents that the server makes, and text with the letters that they lack spelled out in Latin ones. */
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

/**
 * "日本 is fine 🐶" becomes "RiBen is fine :dog:": a font for all of the world's letters would weigh more than this
 * product, and what no font draws would be empty boxes.
 */
const legibleText = (text: string): string => {
  let shown = ''
  let lacking = ''
  for (const letter of text.normalize('NFC')) {
    if (isDrawn(letter)) {
      shown += anyAscii(lacking) + letter
      lacking = ''
    } else lacking += letter
  }
  return shown + anyAscii(lacking)
}

/** All texts of a document, wherever they stand in it. */
export const legible = <T>(value: T): T => {
  if (typeof value === 'string') return legibleText(value) as T
  if (Array.isArray(value)) return value.map(legible) as T
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, legible(each)])) as T
}
