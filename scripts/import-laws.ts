/**
 * The import laws: which file may import which (docs: ARCHITECTURE.md, "Laws"). Prints the arrows between the folders of src, and
 * exits with 1 if a law is broken, if the picture in ARCHITECTURE.md does not match the code, or if fewer modules were read than
 * there are, so that it can never pass by reading nothing.
 *
 * Why not dependency-cruiser: under TypeScript 7 it needs `parser: 'swc'`, which cannot read .tsx (17.4.3).
 *
 *     node scripts/import-laws.ts [--write] [root]
 */
import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve, sep } from 'node:path'
import { lawsBrokenIn } from './import-laws/laws.ts'
import { readModule } from './import-laws/modules.ts'
import { arrowsOf, listOf, pictureOf, withPicture } from './import-laws/picture.ts'
import { optionsOf } from './options.ts'

const fewestModules = 10

const { values: options, positionals } = optionsOf({
  options: { write: { type: 'boolean', default: false } },
  allowPositionals: true,
})
const root = resolve(positionals[0] ?? join(import.meta.dirname, '..'))
const folders = ['src/**', 'scripts/**', 'build/**', 'bench/**', 'e2e/**', 'checks/**', '*.config.ts']
const paths = globSync(folders, { cwd: root })
  .map(path => path.split(sep).join('/'))
  .filter(path => /\.tsx?$/.test(path) && !path.endsWith('.d.ts'))
  .toSorted()
const modules = paths.map(path => ({ path, ...readModule(root, path) }))
const graph = new Map(modules.map(({ path, imports }) => [path, imports]))
const violations = [...modules.flatMap(module => module.violations), ...lawsBrokenIn(root, graph)]
const importCount = modules.reduce((sum, { imports }) => sum + imports.length, 0)
const readEnough = modules.length >= fewestModules && importCount > 0

/** Checked only if there are no circles, because a picture of circles would have no end. */
const pictureIsTrue = () => {
  const file = join(root, 'ARCHITECTURE.md')
  const document = readFileSync(file, 'utf8')
  const expected = withPicture(document, pictureOf(arrowsOf(graph)))
  if (expected === document) return true
  if (options.write) writeFileSync(file, expected)
  else console.error('The picture in ARCHITECTURE.md is out of date: run node scripts/import-laws.ts --write')
  return options.write
}

console.log(listOf(arrowsOf(graph)))
for (const { from, line, sentence } of violations) console.error(`${from}:${line} ${sentence}`)
if (readEnough) console.log(`${modules.length} modules, ${importCount} imports, ${violations.length} laws broken.`)
else
  console.error(
    `Only ${modules.length} modules with ${importCount} imports were found in ${root}: the check itself is broken.`,
  )
process.exitCode = readEnough && violations.length === 0 && pictureIsTrue() ? 0 : 1
