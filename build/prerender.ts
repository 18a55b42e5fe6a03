/**
 * Renders components into a page at build time, so that their words are there before any script: the landing page is
 * served as it is then, and index.html has the first picture of each screen (docs/decisions/010-first-paint.md).
 */
import { join } from 'node:path'
import { type Plugin, runnerImport } from 'vite'
import { htmlPagePlugin, replaceOnce } from './htmlPage.ts'

type Rendering = {
  page: string
  /** The comment in the page that the markup replaces. */
  mark: string
  /** The module, from the root, and its function that gives the markup. */
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
      return replaceOnce(html, mark, String(markup()))
    },
  })
