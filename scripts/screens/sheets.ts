/** Contact sheets: one for each role, state, width and color scheme. */
import { mkdir, readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Browser } from '@playwright/test'

const named = /^([a-z]+)-(.+)-(loaded|empty|loading|error)-(phone|desk)-(light|dark)\.png$/

const perSheet = { phone: 8, desk: 6 }
const columns = { phone: 4, desk: 3 }
const widthOf = { phone: 300, desk: 640 }
/** Long pages are cropped, and only their top is shown. */
const mostHeight = { phone: 1100, desk: 900 }

const chunksOf = <T>(all: readonly T[], size: number): T[][] =>
  Array.from({ length: Math.ceil(all.length / size) }, (_, index) => all.slice(index * size, (index + 1) * size))

const figureOf = async (folder: string, file: string) => {
  const picture = (await readFile(join(folder, file))).toString('base64')
  return `<figure><figcaption>${file}</figcaption><div><img src="data:image/png;base64,${picture}"></div></figure>`
}

/** Writes into the folder `sheets` beside the screenshots; resolves with the number of sheets. */
export const contactSheets = async (browser: Browser, folder: string): Promise<number> => {
  const files = (await readdir(folder)).filter(file => named.test(file)).toSorted()
  const groups = Map.groupBy(files, file => {
    const [, viewer, , state, width, scheme] = named.exec(file) ?? []
    return `${viewer}-${state}-${width}-${scheme}`
  })
  await mkdir(join(folder, 'sheets'), { recursive: true })
  const page = await browser.newPage()
  let count = 0
  for (const [group, members] of groups) {
    const width = group.includes('-phone-') ? 'phone' : 'desk'
    for (const [index, chunk] of chunksOf(members, perSheet[width]).entries()) {
      const figures = await Promise.all(chunk.map(file => figureOf(folder, file)))
      await page.setViewportSize({ width: columns[width] * (widthOf[width] + 12) + 12, height: 400 })
      await page.setContent(`<style>
        body { margin: 12px; display: grid; gap: 12px; grid-template-columns: repeat(${columns[width]}, ${widthOf[width]}px); align-items: start; font: 12px sans-serif }
        figure { margin: 0 } div { max-height: ${mostHeight[width]}px; overflow: hidden; outline: 1px solid #888 } img { display: block; width: 100% }
      </style>${figures.join('')}`)
      await page.screenshot({ path: join(folder, 'sheets', `${group}-${index + 1}.png`), fullPage: true })
      count++
    }
  }
  await page.close()
  return count
}
