/** What a PDF's pages show, as a PDF reader understands it. */
import { getDocumentProxy, getResolvedPDFJS } from 'unpdf'

type Glyph = { originalCharCode: number; unicode: string }
export type ReadPdf = {
  title: string
  /** The text of each page, with a space between pieces. */
  pages: string[]
  /** How many characters are missing in the font and drawn as a box. */
  boxes: number
  fontsEmbedded: boolean
}

const isGlyph = (value: unknown): value is Glyph => typeof value === 'object' && value !== null && 'unicode' in value

export const readPdf = async (file: Buffer): Promise<ReadPdf> => {
  const { OPS } = await getResolvedPDFJS()
  const pdf = await getDocumentProxy(new Uint8Array(file))
  const { info } = await pdf.getMetadata()
  const pages: string[] = []
  let boxes = 0
  for (let number = 1; number <= pdf.numPages; number++) {
    const page = await pdf.getPage(number)
    const { items } = await page.getTextContent()
    pages.push(
      items
        .map(item => ('str' in item ? item.str : ''))
        .join(' ')
        .replaceAll(/\s+/g, ' '),
    )
    const { fnArray, argsArray } = await page.getOperatorList()
    for (const [index, operation] of fnArray.entries()) {
      if (operation !== OPS.showText) continue
      const [glyphs] = argsArray[index] as [unknown[]]
      boxes += glyphs.filter(isGlyph).filter(({ originalCharCode }) => originalCharCode === 0).length
    }
  }
  const bytes = file.toString('latin1')
  const described = bytes.match(/\/Type \/FontDescriptor/g)?.length ?? 0
  const embedded = bytes.match(/\/FontFile2 /g)?.length ?? 0
  const title = (info as { Title?: string }).Title ?? ''
  return { title, pages, boxes, fontsEmbedded: described > 0 && described === embedded }
}
