/**
 * Renders components into a page at build time, so that it shows them before any script has loaded: the whole landing page and, in
 * index.html, the skeleton of each screen (docs/decisions/010-first-paint.md).
 */
import { join } from 'node:path'
import { type Plugin, runnerImport } from 'vite'
import { htmlPagePlugin, replaceOnce } from './htmlPage.ts'

type Rendering = {
  page: string
  /** The comment in the page to replace with the markup. */
  mark: string
  /** A module, relative to the root, and the function in it that returns the markup. */
  module: string
  render: string
}

export const prerender = ({ page, mark, module, render }: Rendering): Plugin =>
  htmlPagePlugin({
    name: 'prerender',
    page,
    order: 'pre',
    async change(html, _context, { root }) {
      const { module: loaded } = await runnerImport<Record<string, unknown>>(join(root, module), {
        configFile: false,
        logLevel: 'error',
      })
      const markup = loaded[render]
      if (typeof markup !== 'function') throw new Error(`${module} has no function ${render}.`)
      return replaceOnce(html, mark, String(await markup()))
    },
  })
