/**
 * The browser's server in `npm run dev`: Vite serves the modules of the page, and everything else goes to our server. It keeps
 * running while our server restarts, so an open page stays connected to Vite, and its requests just take longer.
 */
import { readFile } from 'node:fs/promises'
import { type IncomingMessage, type Server, type ServerResponse, createServer, request as call } from 'node:http'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { type ViteDevServer, createServer as createVite } from 'vite'
import { projectRoot } from '../../src/kit/server/root.ts'
import { pageHeader } from './protocol.ts'
import type { ServerProcess } from './serverProcess.ts'
import type { FileEvent } from './watchFiles.ts'

type Backend = Pick<ServerProcess, 'port'>
type DevProxy = { server: Server; changed: (event: FileEvent, file: string) => void; close: () => Promise<void> }

export const openProxy = async (backend: Backend): Promise<DevProxy> => {
  // By default Node closes idle connections after 5 s, even if a request is waiting while Vite blocks the event loop.
  const server = createServer({ keepAliveTimeout: 60_000 })
  const vite = await createVite({
    root: projectRoot,
    // Our server decides which page belongs to an address.
    appType: 'custom',
    // Vite does not watch files itself: `changed` reports them.
    server: { middlewareMode: true, hmr: { server }, watch: null },
  })
  server.on('request', (request, response) => {
    const fail = (error: unknown) => refuse(response, error)
    const toBackend = () => void forward(backend, vite, request, response).catch(fail)
    // Vite would look for /docs in the folder docs/.
    if (/^\/(api|docs|health)\b/.test(request.url ?? '')) toBackend()
    else vite.middlewares(request, response, (error?: unknown) => (error ? fail(error) : toBackend()))
  })
  return { server, changed: (event, file) => void vite.watcher.emit(event, file), close: () => vite.close() }
}

/** Forwards the request; if the server answers with the name of a page, sends that page as Vite transforms it. */
const forward = async (backend: Backend, vite: ViteDevServer, request: IncomingMessage, response: ServerResponse) => {
  const port = await backend.port()
  if (port === null) throw new Error('The server could not start: see the terminal.')
  const answer = await send(port, request, response)
  const { [pageHeader]: page, 'content-length': _, ...headers } = answer.headers
  if (typeof page !== 'string') {
    response.writeHead(answer.statusCode ?? 502, answer.headers)
    return pipeline(answer, response)
  }
  answer.resume()
  const html = await vite.transformIndexHtml(`/${page}`, await readFile(join(projectRoot, page), 'utf8'), request.url)
  response.writeHead(answer.statusCode ?? 200, {
    ...headers,
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': relaxed(String(headers['content-security-policy'])),
  })
  response.end(request.method === 'HEAD' ? undefined : html)
}

const send = (port: number, request: IncomingMessage, response: ServerResponse) =>
  new Promise<IncomingMessage>((resolve, reject) => {
    const headers = { ...request.headers, 'x-forwarded-for': request.socket.remoteAddress }
    const sent = call({ host: '127.0.0.1', port, method: request.method, path: request.url, headers }, resolve)
    sent.once('error', reject)
    response.once('close', () => sent.destroy())
    request.pipe(sent)
  })

/** Vite writes an inline script for fast refresh into the page, and polls for a lost server in a worker. */
const relaxed = (policy: string) =>
  `${policy.replace("script-src 'self'", "script-src 'self' 'unsafe-inline'")};worker-src 'self' blob:`

const refuse = (response: ServerResponse, error: unknown) => {
  if (response.headersSent) return response.destroy()
  response.writeHead(503, { 'content-type': 'text/plain; charset=utf-8' })
  return response.end(error instanceof Error ? error.message : String(error))
}
