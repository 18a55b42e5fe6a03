/**
 * Code outside of functions runs at every import, so every test file runs it; but it matters only where its name is used. This
 * finds the regions of those uses, also through other constants.
 */
import type { Edit } from './edits.ts'
import { type Region, regionAround, regionName, regionsOf } from './probes.ts'
import { type Node, isNode, listOf, nameOf, parse, placesIn } from './syntax.ts'

type File = { path: string; source: string }
type Declaration = Region & { name: string }
type Module = { regions: Region[]; declarations: Declaration[]; names: Map<string, Node[]> }

/** Regions, and names that tests may use directly. */
type Found = { regions: Set<string>; names: Set<string> }

export type Uses = {
  /** Null if its uses cannot be determined, so that every import counts. */
  of: (path: string, edits: readonly Edit[]) => Found | null
  /** The region around a place. */
  around: (path: string, edits: readonly Edit[]) => string
}

/** Every `const a = …` outside of functions, exported or not. */
export const declarationsIn = (program: Node): Declaration[] =>
  listOf(program.body).flatMap(statement => {
    const declaration = isNode(statement.declaration) ? statement.declaration : statement
    return listOf(declaration.declarations).flatMap(({ id, start, end }) => {
      const name = nameOf(id)
      return name === null ? [] : [{ name, start, end }]
    })
  })

const readModule = ({ path, source }: File): Module => {
  const program = parse(path, source)
  if (!program) throw new Error(`${path} cannot be parsed`)
  const identifiers = [...placesIn(program)].map(({ node }) => node).filter(node => nameOf(node) !== null)
  return {
    regions: regionsOf(path, source),
    declarations: declarationsIn(program),
    names: Map.groupBy(identifiers, node => nameOf(node)!),
  }
}

/** `elsewhere`: files without probes; a name used there counts at every import. */
export const usesIn = (files: readonly File[], elsewhere: readonly File[]): Uses => {
  const modules = new Map(files.map(file => [file.path, readModule(file)]))
  const isNamedElsewhere = (name: string) =>
    elsewhere.some(({ source }) => new RegExp(String.raw`\b${name}\b`).test(source))

  const declarationAround = ({ declarations }: Module, { start, end }: Region) =>
    declarations.find(one => one.start <= start && end <= one.end)

  /** Adds what uses `name` in any module. False if that cannot be determined. */
  const follow = (name: string, found: Found): boolean => {
    if (found.names.has(name)) return true
    found.names.add(name)
    if (isNamedElsewhere(name)) return false
    for (const [path, module] of modules)
      for (const { start, end } of module.names.get(name) ?? []) {
        const region = regionAround(module.regions, [{ start, end, text: '' }])
        const declaration = region === 0 ? declarationAround(module, { start, end }) : undefined
        if (region !== 0) found.regions.add(regionName(path, region))
        else if (!declaration || !follow(declaration.name, found)) return false
      }
    return true
  }

  const known = new Map<string, Found | null>()
  const ofName = (name: string): Found | null => {
    const found = { regions: new Set<string>(), names: new Set<string>() }
    const uses = known.has(name) ? known.get(name)! : follow(name, found) ? found : null
    known.set(name, uses)
    return uses
  }

  const indexAround = (path: string, edits: readonly Edit[]) => regionAround(modules.get(path)!.regions, edits)
  return {
    around: (path, edits) => regionName(path, indexAround(path, edits)),
    of: (path, edits) => {
      const index = indexAround(path, edits)
      if (index !== 0) return { regions: new Set([regionName(path, index)]), names: new Set() }
      const start = Math.min(...edits.map(edit => edit.start))
      const end = Math.max(...edits.map(edit => edit.end))
      const declaration = declarationAround(modules.get(path)!, { start, end })
      return declaration ? ofName(declaration.name) : null
    },
  }
}
