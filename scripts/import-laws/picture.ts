/** The arrows between the folders of src, as text for the terminal and as the picture in ARCHITECTURE.md. */
import type { Graph } from './modules.ts'
import { type Folder, folderOrder, isTest, placeOf } from './places.ts'

/** Folder → folders that it imports → number of imports. Tests and src/testing do not count. */
export type Arrows = Map<Folder, Map<Folder, number>>

export const arrowsOf = (graph: Graph): Arrows => {
  const arrows: Arrows = new Map(folderOrder.map(folder => [folder, new Map()]))
  for (const { from, to } of [...graph.values()].flat()) {
    const [source, target] = [placeOf(from), to === null ? null : placeOf(to)]
    if (isTest(from) || source.area === null || !target || target.area === null) continue
    if (source.folder === target.folder) continue
    const counts = arrows.get(source.folder)!
    counts.set(target.folder, (counts.get(target.folder) ?? 0) + 1)
  }
  return arrows
}

const inOrder = (counts: Map<Folder, number>) => folderOrder.filter(folder => counts.has(folder))

/** One line per folder, with the number of imports at each arrow. */
export const listOf = (arrows: Arrows): string =>
  folderOrder
    .map(folder => {
      const counts = arrows.get(folder)!
      const targets = inOrder(counts).map(target => `${target} ${counts.get(target)}`)
      return `${folder.padEnd(14)} → ${targets.join(', ') || 'none'}`
    })
    .join('\n')

const reaches = (arrows: Arrows, from: Folder, to: Folder): boolean =>
  [...arrows.get(from)!.keys()].some(next => next === to || reaches(arrows, next, to))

/** Leaves out arrows that follow from others: accounts → kit adds nothing if there are ledger → accounts → kit. */
const essential = (arrows: Arrows, folder: Folder) => {
  const targets = inOrder(arrows.get(folder)!)
  return targets.filter(target => !targets.some(other => other !== target && reaches(arrows, other, target)))
}

/** Mermaid, which GitHub renders. The folders must not form a circle. */
export const pictureOf = (arrows: Arrows): string =>
  [
    '```mermaid',
    'flowchart TD',
    ...folderOrder.toReversed().flatMap(folder => essential(arrows, folder).map(target => `  ${folder} --> ${target}`)),
    '```',
  ].join('\n')

const marks = { begin: '<!-- folders: made by `node scripts/import-laws.ts --write` -->', end: '<!-- /folders -->' }

/** The document with the picture between its markers. Throws if it has none. */
export const withPicture = (document: string, picture: string): string => {
  const [begin, end] = [document.indexOf(marks.begin), document.indexOf(marks.end)]
  if (begin < 0 || end < begin) throw new Error(`ARCHITECTURE.md has no marker for the picture: ${marks.begin}`)
  return `${document.slice(0, begin)}${marks.begin}\n${picture}\n${document.slice(end)}`
}
