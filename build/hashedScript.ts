/**
 * Gives a script of public/ that the page's inline scripts load an address with a hash: a browser keeps such a file, and would ask
 * for the other again on every visit. Comes after inlineFirstPaint.
 */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Plugin, minify } from 'vite'
import { htmlPagePlugin, replaceOnce } from './htmlPage.ts'

/** `script`: a file of public/, which the page names once, as `/name`. */
export const hashedScript = ({ page, script }: { page: string; script: string }): Plugin => {
  let publicDir: string
  const plugin = htmlPagePlugin({
    name: 'hashed-script',
    page,
    order: 'post',
    apply: 'build',
    change(html, { bundle = {} }) {
      const [name] =
        Object.entries(bundle).find(([, file]) => file.type === 'asset' && file.names.includes(script)) ?? []
      if (!name) throw new Error(`the build has no file for ${script}.`)
      return replaceOnce(html, `/${script}`, `/${name}`)
    },
  })
  return {
    ...plugin,
    configResolved(config) {
      publicDir = config.publicDir
      if (typeof plugin.configResolved === 'function') return plugin.configResolved.call(this, config)
    },
    async buildStart() {
      const { code } = await minify(script, await readFile(join(publicDir, script), 'utf8'))
      this.emitFile({ type: 'asset', name: script, source: code })
    },
  }
}
