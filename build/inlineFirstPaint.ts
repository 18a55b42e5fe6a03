/**
 * Inlines the style sheet and the small scripts that the first paint needs, so that it waits for a single request
 * (docs/decisions/010-first-paint.md). The server allows these scripts by their hashes
 * (src/app/server/htmlDocument.ts).
 */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type IndexHtmlTransformContext, type Plugin, minify } from 'vite'
import { findOnce, htmlPagePlugin, replaceOnce } from './htmlPage.ts'

/** `scripts`: files of public/, which the page loads with `<script src="/…"></script>`. */
export const inlineFirstPaint = ({ page, scripts }: { page: string; scripts: string[] }): Plugin =>
  htmlPagePlugin({
    name: 'inline-first-paint',
    page,
    order: 'post',
    apply: 'build',
    async change(html, { bundle = {} }, { publicDir }) {
      let changed = inlineStyle(html, bundle)
      for (const name of scripts) {
        const { code } = await minify(name, await readFile(join(publicDir, name), 'utf8'))
        changed = replaceOnce(changed, `<script src="/${name}"></script>`, inTag('script', code))
      }
      return changed
    },
  })

const inlineStyle = (html: string, bundle: NonNullable<IndexHtmlTransformContext['bundle']>) => {
  const { tag, address } = findOnce(html, /<link rel="stylesheet"[^>]* href="\/([^"]+)">/)
  const sheet = bundle[address]
  if (sheet?.type !== 'asset') throw new Error(`the build has no style sheet ${address}.`)
  // Lazy chunks load their page's style sheet unless the page has a link to it; a disabled link is never fetched.
  const disabled = tag.replace('>', ' disabled>')
  return replaceOnce(html, tag, inTag('style', String(sheet.source)) + disabled)
}

const inTag = (tag: 'script' | 'style', text: string) => {
  if (text.toLowerCase().includes(`</${tag}`)) throw new Error(`a ${tag} that has </${tag} in it would end there.`)
  return `<${tag}>${text}</${tag}>`
}
