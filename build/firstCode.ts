/**
 * Lists the files of each screen in the page, for public/shell.js, which requests them together with the app's own scripts. If only
 * the router knew them, they would be requested a round trip or two later, once it runs (docs/decisions/010-first-paint.md).
 *
 * `{ "files": ["assets/a.js", …], "screens": { "/dashboard/campaigns/:id": [0, 4, …], "/dashboard TESTER": […] } }`
 */
import { readFile } from 'node:fs/promises'
import { join, posix } from 'node:path'
import { type ESTree, type IndexHtmlTransformContext, type Plugin, Visitor, normalizePath, parseSync } from 'vite'
import { htmlPagePlugin, replaceOnce } from './htmlPage.ts'

type Options = {
  page: string
  /** The comment in the page to replace with the table. */
  mark: string
  /** The module that exports the router's table as `routes`, relative to the root. */
  routes: string
  /** Additional modules, relative to the root: by `path ROLE`, `path?part=name ROLE`, or `below path` for every screen below it. */
  besides: Record<string, string[]>
}

export const firstCode = ({ page, mark, routes, besides }: Options): Plugin =>
  htmlPagePlugin({
    name: 'first-code',
    page,
    order: 'post',
    apply: 'build',
    async change(html, { bundle = {}, chunk: entry }, { root }) {
      const own = screensIn(await readFile(join(root, routes), 'utf8'), routes)
      if (own.size === 0) throw new Error(`${routes} has no route with a path and \`lazy\`.`)
      const screens = [...own, ...Object.entries(besides)]
      const started = filesOf(bundle, entry ? [entry.fileName] : [])
      const files: string[] = []
      const numbers = new Map<string, number>()
      const numberOf = (file: string) => {
        if (!numbers.has(file)) numbers.set(file, files.push(file) - 1)
        return numbers.get(file)
      }
      const table = screens.map(([screen, modules]) => {
        const loaded = filesOf(
          bundle,
          modules.map(module => chunkOf(bundle, join(root, module))),
        )
        return [screen, [...loaded].filter(file => !started.has(file)).map(numberOf)]
      })
      const json = JSON.stringify({ files, screens: Object.fromEntries(table) })
      return replaceOnce(html, mark, `<script type="application/json" id="first-code">${json}</script>`)
    },
  })

type Bundle = NonNullable<IndexHtmlTransformContext['bundle']>

const chunkOf = (bundle: Bundle, module: string): string => {
  const wanted = normalizePath(module)
  for (const [name, file] of Object.entries(bundle))
    if (file.type === 'chunk' && file.facadeModuleId && normalizePath(file.facadeModuleId) === wanted) return name
  throw new Error(`${module} is not a file of its own: is it still loaded lazily?`)
}

/** These files and everything that they import. */
const filesOf = (bundle: Bundle, names: readonly string[], found = new Set<string>()): Set<string> => {
  for (const name of names) {
    const file = bundle[name]
    if (file?.type !== 'chunk' || found.has(name)) continue
    found.add(name)
    filesOf(bundle, file.imports, found)
  }
  return found
}

/** For each path, the modules that it and its parent routes load; fixed paths come before those with an id. */
const screensIn = (code: string, file: string): Map<string, string[]> => {
  const { program } = parseSync(file, code)
  const lists = new Map<string, ESTree.Expression | null>()
  new Visitor({
    VariableDeclarator: ({ id, init }) => {
      if (id.type === 'Identifier') lists.set(id.name, init)
    },
  }).visit(program)

  const found = new Map<string, string[]>()
  const walk = (list: ESTree.Node | null | undefined, path: string, around: readonly string[]) => {
    if (list?.type === 'Identifier') return walk(lists.get(list.name), path, around)
    if (list?.type !== 'ArrayExpression') throw new Error(`${file}: the routes of ${path || '/'} are not a list.`)
    for (const route of list.elements) {
      const { path: own, index, lazy, children } = propertiesOf(route)
      const name = own?.type === 'Literal' ? String(own.value) : ''
      const full = name ? `${path}/${name}` : path
      const sources = importsOf(lazy).map(source => posix.join(posix.dirname(file), source))
      const modules = [...around, ...sources]
      if (children) walk(children, full, modules)
      else if (lazy && name !== '*' && (name || index)) found.set(full, modules)
    }
  }
  walk(lists.get('routes'), '', [])
  return new Map([...found].toSorted(([one], [other]) => Number(one.includes(':')) - Number(other.includes(':'))))
}

const propertiesOf = (route: ESTree.Node | null): Record<string, ESTree.Node> => {
  if (route?.type !== 'ObjectExpression') return {}
  const properties = route.properties.filter(property => property.type === 'Property')
  return Object.fromEntries(
    properties.flatMap(({ key, value }) => (key.type === 'Identifier' ? [[key.name, value]] : [])),
  )
}

const importsOf = (lazy: ESTree.Node | undefined): string[] => {
  const sources: string[] = []
  if (lazy?.type !== 'ArrowFunctionExpression') return sources
  const visitor = new Visitor({
    ImportExpression: ({ source }) => {
      if (source.type === 'Literal') sources.push(String(source.value))
    },
  })
  visitor.visit({ type: 'Program', body: [{ type: 'ExpressionStatement', expression: lazy }] } as never)
  return sources
}
