/**
 * Loads the scripts of a page that is complete without them only after its first paint: on a slow phone they would
 * compete with it for network and processor (docs/decisions/010-first-paint.md).
 */
import type { Plugin } from 'vite'
import { findOnce, htmlPagePlugin, replaceOnce } from './htmlPage.ts'

/** `deferred`: files of public/, which the page loads with `<script src="/…" defer></script>`. */
export const scriptsAfterPaint = ({ page, deferred }: { page: string; deferred: string[] }): Plugin => ({
  ...htmlPagePlugin({
    name: 'scripts-after-paint',
    page,
    order: 'post',
    apply: 'build',
    change(html) {
      const { tag, address } = findOnce(html, /<script type="module"[^>]* src="([^"]+)"><\/script>/)
      const imports = [address, ...deferred.map(name => `/${name}`)].map(file => `import(${JSON.stringify(file)})`)
      const start = `addEventListener('load',()=>requestAnimationFrame(()=>setTimeout(()=>{${imports.join(';')}})))`
      return deferred.reduce(
        (rest, name) => replaceOnce(rest, `<script src="/${name}" defer></script>`, ''),
        replaceOnce(html, tag, `<script>${start}</script>`),
      )
    },
  }),
  config: () => ({
    build: {
      modulePreload: {
        // The modules that the entry imports wait too.
        resolveDependencies: (_file, files, { hostId, hostType }) =>
          hostType === 'html' && hostId.endsWith(page) ? [] : files,
      },
    },
  }),
})
