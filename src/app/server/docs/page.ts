/**
 * The page that shows the API document. Its script needs eval, and this site's tokens are in localStorage, so the page is
 * sandboxed without an origin, contains the document itself, and makes no calls.
 */
import { createHash } from 'node:crypto'

/** Sends nothing anywhere, and has no button for trying calls, since they would be refused without an origin. */
const configuration = {
  withDefaultFonts: false,
  telemetry: false,
  hideClientButton: true,
  hideTestRequestButton: true,
  showDeveloperTools: 'never',
  agent: { disabled: true },
  mcp: { disabled: true },
  documentDownloadType: 'none',
  persistAuth: false,
}

/** Without an origin, reading storage throws. console.info is silenced because the script logs its version there. */
const prepare = `for (const name of ['localStorage', 'sessionStorage']) {
  const kept = new Map()
  Object.defineProperty(window, name, { value: {
    getItem: key => kept.get(String(key)) ?? null,
    setItem: (key, value) => void kept.set(String(key), String(value)),
    removeItem: key => void kept.delete(String(key)),
    clear: () => kept.clear(),
    key: index => [...kept.keys()][index] ?? null,
    get length() { return kept.size },
  } })
}
console.info = () => undefined`
const start = `Scalar.createApiReference('#reference', {
  ...${JSON.stringify(configuration)},
  content: JSON.parse(document.getElementById('document').textContent),
})`

const hashOf = (script: string) => `'sha256-${createHash('sha256').update(script).digest('base64')}'`

/** `sandbox` without allow-same-origin takes away the page's origin. Its own script may use eval, and no calls are allowed. */
export const pagePolicy = [
  'sandbox allow-scripts allow-popups allow-popups-to-escape-sandbox',
  "default-src 'none'",
  `script-src 'self' 'unsafe-eval' ${hashOf(prepare)} ${hashOf(start)}`,
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data: blob:",
  "font-src 'self' data:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

/** `document` as JSON text. */
export const docsPage = (document: string, script: string): string => `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Fieldtest API</title>
    <link rel="icon" href="data:,">
  </head>
  <body>
    <noscript>The API reference needs JavaScript. The document itself is at /api/v1/openapi.json.</noscript>
    <div id="reference"></div>
    <script type="application/json" id="document">${document.replaceAll('<', String.raw`\u003c`)}</script>
    <script>${prepare}</script>
    <script src="/docs/${script}"></script>
    <script>${start}</script>
  </body>
</html>
`
