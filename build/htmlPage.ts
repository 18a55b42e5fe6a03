/**
 * Shared by the plugins that change an HTML page. Vite passes them the page as text, so each change names the text that it expects.
 * If Vite or the source page no longer has it, the build fails instead of leaving the page unchanged.
 */
import { join } from 'node:path'
import { type IndexHtmlTransformContext, type Plugin, type ResolvedConfig, normalizePath } from 'vite'

/** Replaces `wanted`, which the page must contain exactly once. */
export const replaceOnce = (html: string, wanted: string, replacement: string): string => {
  const pieces = html.split(wanted)
  if (pieces.length !== 2) throw new Error(`the page has ${wanted} ${pieces.length - 1} times, not once.`)
  return pieces.join(replacement)
}

/** Finds the only tag that matches `pattern`, and the address in its first group. */
export const findOnce = (html: string, pattern: RegExp): { tag: string; address: string } => {
  const matches = [...html.matchAll(new RegExp(pattern, 'g'))]
  const [tag, address] = matches[0] ?? []
  if (matches.length !== 1 || tag === undefined || address === undefined)
    throw new Error(`the page has ${matches.length} tags such as ${pattern.source}, not one.`)
  return { tag, address }
}

type Change = {
  name: string
  /** The page's file, relative to the root. */
  page: string
  /** `pre`: the page as we wrote it. `post`: as Vite outputs it. */
  order: 'pre' | 'post'
  /** If it is missing, `npm run dev` changes the page too. */
  apply?: 'build'
  change: (html: string, context: IndexHtmlTransformContext, config: ResolvedConfig) => string | Promise<string>
}

export const htmlPagePlugin = ({ name, page, order, apply, change }: Change): Plugin => {
  let config: ResolvedConfig
  let changed = false
  return {
    name,
    ...(apply && { apply }),
    configResolved(resolved) {
      config = resolved
    },
    transformIndexHtml: {
      order,
      async handler(html, context) {
        if (normalizePath(context.filename) !== normalizePath(join(config.root, page))) return html
        changed = true
        try {
          return await change(html, context, config)
        } catch (error) {
          throw new Error(`${name}, ${page}: ${error instanceof Error ? error.message : String(error)}`, {
            cause: error,
          })
        }
      },
    },
    // Runs only in builds.
    writeBundle() {
      if (!changed) this.error(`${page} is not a page of this build.`)
    },
  }
}
