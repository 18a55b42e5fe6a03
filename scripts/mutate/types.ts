/** Skips mutants that do not compile: `npm run check` refuses them without a test. */
import { spawn } from 'node:child_process'
import { existsSync, writeFileSync } from 'node:fs'
import { join, posix } from 'node:path'
import { text } from 'node:stream/consumers'
import { applyEdits } from './edits.ts'
import type { Mutant } from './find.ts'
import { typeProjects } from './places.ts'
import { parse } from './syntax.ts'
import type { Copy } from './workspace.ts'

type Sources = ReadonlyMap<string, string>

type Project = { file: string; sees: (path: string) => boolean }

const isPage = (path: string) => path.includes('/web/')
const isServer = (path: string) => path.includes('/server/')

/** The projects without their tests, and without errors about what a mutant no longer uses. */
const projectsIn = ({ root }: Copy): Project[] =>
  typeProjects
    .filter(name => existsSync(join(root, name)))
    .map(name => {
      const ofPage = name.includes('web')
      const file = `mutate.${name}`
      const settings = {
        extends: `./${name}`,
        compilerOptions: {
          noUnusedLocals: false,
          noUnusedParameters: false,
          incremental: true,
          tsBuildInfoFile: `./.${name}.tsbuildinfo`,
        },
        include: ofPage ? ['src/**/web/**/*.ts', 'src/**/web/**/*.tsx'] : ['src/**/*.ts'],
        exclude: ofPage ? ['src/**/*.test.*'] : ['src/**/web/**', 'src/**/*.test.*'],
      }
      writeFileSync(join(root, file), JSON.stringify(settings))
      return { file, sees: path => !(ofPage ? isServer : isPage)(path) }
    })

/** The files with errors. */
const filesInError = async ({ root }: Copy, project: string): Promise<Set<string>> => {
  const tsc = join(root, 'node_modules/typescript/bin/tsc')
  const child = spawn(process.execPath, [tsc, '-p', project, '--pretty', 'false'], { cwd: root })
  const output = await text(child.stdout)
  return new Set([...output.matchAll(/^(\S[^(\n]*)\(\d+,\d+\): error/gm)].map(([, path]) => path!))
}

const errorsIn = async (copy: Copy, projects: readonly Project[], paths: readonly string[]) => {
  const seeing = projects.filter(({ sees }) => paths.some(sees))
  const found = await Promise.all(seeing.map(({ file }) => filesInError(copy, file)))
  return new Set(found.flatMap(files => [...files]))
}

/** These operators keep the type, so their mutants need no type check. */
const isOfSameType = ({ path, group, operator, before }: Mutant) =>
  path.endsWith('.sql') ||
  group === 'sql' ||
  ['arithmetic', 'minus sign removed', 'rounding, min and max', 'pattern anchor removed'].includes(operator) ||
  (operator === 'comparison' && /^[<>]=?$/.test(before))

type Reach = (path: string) => ReadonlySet<string>

/** What each file imports directly or indirectly, type imports and lazy imports included, and the file itself. */
const reachIn = (sources: Sources): Reach => {
  const imports = new Map(
    [...sources].map(([path, source]) => [
      path,
      [...source.matchAll(/\b(?:from|import)\s*\(?\s*['"](\.[^'"]+)['"]/g)].map(([, to]) =>
        posix.join(posix.dirname(path), to!),
      ),
    ]),
  )
  const known = new Map<string, Set<string>>()
  return path => {
    const reached = known.get(path) ?? new Set<string>([path])
    if (known.has(path)) return reached
    // The set grows during this loop.
    for (const file of reached) for (const to of imports.get(file) ?? []) reached.add(to)
    known.set(path, reached)
    return reached
  }
}

/** Sets of mutants of which none imports the file of another, so that an error in a mutant's file is its own. */
const independentSets = (ones: readonly Mutant[], reach: Reach): Mutant[][] => {
  const sets: Mutant[][] = []
  const imports = (one: Mutant, another: Mutant) => reach(one.path).has(another.path)
  for (const one of ones.toSorted((a, b) => reach(a.path).size - reach(b.path).size)) {
    const fits = sets.find(set => !set.some(other => imports(one, other) || imports(other, one)))
    if (fits) fits.push(one)
    else sets.push([one])
  }
  return sets
}

/**
 * Yields all mutants, each with whether it compiles, as soon as that is known. Many are tried together, at most one per file, and
 * none that imports the file of another: an error in a mutant's file is then its own, and an error elsewhere belongs to a mutant
 * that is imported there.
 */
export async function* compiled(
  copy: Copy,
  sources: Sources,
  mutants: readonly Mutant[],
  { signal, wants }: { signal: AbortSignal; /** Called as late as possible. */ wants: (mutant: Mutant) => boolean },
): AsyncGenerator<[Mutant, boolean]> {
  const projects = projectsIn(copy)
  const reach = reachIn(sources)
  const put = (ones: readonly Mutant[]) => {
    for (const { path, edits } of ones) copy.write(path, applyEdits(sources.get(path)!, edits))
  }
  const takeBack = (ones: readonly Mutant[]) => {
    for (const { path } of ones) copy.write(path, sources.get(path)!)
  }
  async function* together(ones: readonly Mutant[]): AsyncGenerator<[Mutant, boolean]> {
    if (ones.length === 0) return
    signal.throwIfAborted()
    put(ones)
    const wrong = await errorsIn(
      copy,
      projects,
      ones.map(({ path }) => path),
    )
    takeBack(ones)
    const [refused, rest] = partition(ones, ({ path }) => wrong.has(path) || (wrong.size > 0 && ones.length === 1))
    const elsewhere = [...wrong].filter(path => !refused.some(one => one.path === path))
    const [suspects, sound] = partition(rest, ({ path }) => elsewhere.some(file => reach(file).has(path)))
    for (const mutant of refused) yield [mutant, false]
    for (const mutant of sound) yield [mutant, true]
    const parts = refused.length > 0 ? 1 : 2
    const size = Math.ceil(suspects.length / parts)
    for (let part = 0; part < parts; part++) yield* together(suspects.slice(part * size, (part + 1) * size))
  }

  const [unchecked, checked] = partition(mutants, isOfSameType)
  for (const mutant of unchecked) yield [mutant, true]
  const parses = ({ path, edits }: Mutant) => parse(path, applyEdits(sources.get(path)!, edits)) !== null
  const byPath = [...Map.groupBy(checked, ({ path }) => path).values()]
  const rounds = Math.max(0, ...byPath.map(ones => ones.length))
  for (let round = 0; round < rounds; round++) {
    const [whole, broken] = partition(byPath.flatMap(ones => ones.slice(round, round + 1)).filter(wants), parses)
    for (const mutant of broken) yield [mutant, false]
    for (const set of independentSets(whole, reach)) yield* together(set)
  }
}

const partition = <T>(items: readonly T[], goesFirst: (item: T) => boolean): [T[], T[]] => [
  items.filter(goesFirst),
  items.filter(item => !goesFirst(item)),
]
