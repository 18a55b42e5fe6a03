/** Mutants that do not compile are none: `npm run check` would refuse them without any test. */
import { spawn } from 'node:child_process'
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { applyEdits } from './edits.ts'
import type { Mutant } from './find.ts'
import { folderOf, typeProjects } from './places.ts'
import { parse } from './syntax.ts'
import type { Copy } from './workspace.ts'

type Sources = ReadonlyMap<string, string>

type Project = { file: string; sees: (path: string) => boolean }

const isPage = (path: string) => path.includes('/web/')
const isServer = (path: string) => path.includes('/server/')

/** The projects without their tests, and without complaints about what a mutant no longer uses. */
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

/** Which files have an error. */
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

/** Numbers stay numbers: their types need no look. */
const isOfSameType = ({ path, group, operator, before }: Mutant) =>
  path.endsWith('.sql') ||
  group === 'sql' ||
  ['arithmetic', 'sign removed', 'rounding, least and most', 'anchor of a pattern removed'].includes(operator) ||
  (operator === 'comparison' && /^[<>]=?$/.test(before))

/** An error in another file is likely of a mutant in its slice: these by themselves, and those of no such slice together. */
const partsToSuspect = (ones: readonly Mutant[], wrong: ReadonlySet<string>): Mutant[][] => {
  const slices = new Set([...wrong].map(folderOf))
  const parts = [...Map.groupBy(ones, ({ path }) => (slices.has(folderOf(path)) ? folderOf(path) : '')).values()]
  const half = Math.ceil(ones.length / 2)
  return parts.length > 1 ? parts : [ones.slice(0, half), ones.slice(half)]
}

/**
 * All of `mutants`, each with whether it compiles, as soon as that is known. One of each file is tried at a time, all
 * together: an error in a file is its own mutant's, and the mutant of one in any other file is looked for.
 */
export async function* compiled(
  copy: Copy,
  sources: Sources,
  mutants: readonly Mutant[],
  { signal, wants }: { signal: AbortSignal; /** Asked as late as possible. */ wants: (mutant: Mutant) => boolean },
): AsyncGenerator<[Mutant, boolean]> {
  const projects = projectsIn(copy)
  const put = (ones: readonly Mutant[]) => {
    for (const { path, edits } of ones) copy.write(path, applyEdits(sources.get(path)!, edits))
  }
  const takeBack = (ones: readonly Mutant[]) => {
    for (const { path } of ones) copy.write(path, sources.get(path)!)
  }
  async function* together(ones: readonly Mutant[]): AsyncGenerator<[Mutant, boolean]> {
    signal.throwIfAborted()
    put(ones)
    const paths = ones.map(({ path }) => path)
    const wrong = ones.length > 0 ? await errorsIn(copy, projects, paths) : new Set<string>()
    takeBack(ones)
    const [refused, rest] = partition(ones, ({ path }) => wrong.has(path) || (wrong.size > 0 && ones.length === 1))
    for (const mutant of refused) yield [mutant, false]
    if (wrong.size === 0) for (const mutant of rest) yield [mutant, true]
    else if (refused.length > 0) yield* together(rest)
    else for (const part of partsToSuspect(ones, wrong)) yield* together(part)
  }

  const [unchecked, checked] = partition(mutants, isOfSameType)
  for (const mutant of unchecked) yield [mutant, true]
  const parses = ({ path, edits }: Mutant) => parse(path, applyEdits(sources.get(path)!, edits)) !== null
  const byPath = [...Map.groupBy(checked, ({ path }) => path).values()]
  const rounds = Math.max(0, ...byPath.map(ones => ones.length))
  for (let round = 0; round < rounds; round++) {
    const [whole, broken] = partition(byPath.flatMap(ones => ones.slice(round, round + 1)).filter(wants), parses)
    for (const mutant of broken) yield [mutant, false]
    yield* together(whole)
  }
}

const partition = <T>(items: readonly T[], goesFirst: (item: T) => boolean): [T[], T[]] => [
  items.filter(goesFirst),
  items.filter(item => !goesFirst(item)),
]
