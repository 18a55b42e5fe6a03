/**
 * Runs the scripts of a page that shows something without them only after its first paint: on a slow phone they would
 * compete with it for network and processor (docs/decisions/010-first-paint.md).
 */
import type { Plugin } from 'vite'
import { findOnce, htmlPagePlugin, replaceOnce } from './htmlPage.ts'

type Options = {
  page: string
  /** Files of public/, which the page loads with `<script src="/…" defer></script>`: these wait as well. */
  deferred?: string[]
  /** `early`: with the first paint, for a page that is of little use without them. */
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

/** The modules that the page's entry imports wait too. */
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
 * Fetched when the first frame is made, run when it has been. A tab in the background has no frames, and may be the first to hear of
 * something.
 */
const atFirstFrame = (files: string[], imports: string[]) =>
  `{let run=()=>{run=()=>{};${imports.join(';')}};` +
  `requestAnimationFrame(()=>{setTimeout(()=>run());for(let href of ${JSON.stringify(files)})` +
  `document.head.append(Object.assign(document.createElement('link'),{rel:'modulepreload',crossOrigin:'',href}))});` +
  `setTimeout(()=>run(),1e3)}`
