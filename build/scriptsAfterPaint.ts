/**
 * For a page that shows something without its scripts: runs them only after the first paint. On a slow phone they would compete
 * with it for network and processor (docs/decisions/010-first-paint.md).
 */
import type { Plugin } from 'vite'
import { findOnce, htmlPagePlugin, replaceOnce } from './htmlPage.ts'

type Options = {
  page: string
  /** Files of public/, which the page loads with `<script src="/…" defer></script>`. They wait as well. */
  deferred?: string[]
  /** `early`: fetches them during the first paint, for a page that is of little use without scripts. */
  fetched?: 'early' | 'late'
}

export const scriptsAfterPaint = ({ page, deferred = [], fetched = 'late' }: Options): Plugin => ({
  ...htmlPagePlugin({
    name: 'scripts-after-paint',
    page,
    order: 'post',
    apply: 'build',
    change(html) {
      const { tag, address } = findOnce(html, /<script type="module"[^>]* src="([^"]+)"><\/script>/)
      const imports = [address, ...deferred.map(name => `/${name}`)].map(file => `import(${JSON.stringify(file)})`)
      const preloads = [...html.matchAll(/ *<link rel="modulepreload"[^>]* href="([^"]+)">\n?/g)]
      const start =
        fetched === 'early'
          ? atFirstFrame([address, ...preloads.map(([, file]) => file!)], imports)
          : whenLoaded(imports)
      const withoutScripts = [
        tag,
        ...preloads.map(([link]) => link),
        ...deferred.map(name => `<script src="/${name}" defer></script>`),
      ].reduce((rest, gone) => replaceOnce(rest, gone, ''), html)
      return replaceOnce(withoutScripts, '</body>', `<script>${start}</script></body>`)
    },
  }),
  ...(fetched === 'late' && { config: () => withoutPreloads(page) }),
})

/** Makes the modules that the page's entry imports wait, too. */
const withoutPreloads = (page: string) => ({
  build: {
    modulePreload: {
      resolveDependencies: (
        _file: string,
        files: string[],
        { hostId, hostType }: { hostId: string; hostType: string },
      ) => (hostType === 'html' && hostId.endsWith(page) ? [] : files),
    },
  },
})

const whenLoaded = (imports: string[]) =>
  `addEventListener('load',()=>requestAnimationFrame(()=>setTimeout(()=>{${imports.join(';')}})))`

/**
 * Fetches the scripts with the first frame, and runs them after it. A timer also runs them, because a tab in the background draws
 * no frames and may still have to react to something.
 */
const atFirstFrame = (files: string[], imports: string[]) =>
  `{let run=()=>{run=()=>{};${imports.join(';')}};` +
  `requestAnimationFrame(()=>{setTimeout(()=>run());for(let href of ${JSON.stringify(files)})` +
  `document.head.append(Object.assign(document.createElement('link'),{rel:'modulepreload',crossOrigin:'',href}))});` +
  `setTimeout(()=>run(),1e3)}`
