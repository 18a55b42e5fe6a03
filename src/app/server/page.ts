/** The web page: rebuilt when its sources are newer, and served with the files compressed at build time. */
import { spawn } from 'node:child_process'
import { mkdir, readdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { paidAtProvider, paymentsAreTests } from '../../ledger/server/ledger.ts'
import { hasScreen } from '../../kit/screens.ts'
import { sendNotFound } from '../../kit/server/errorReplies.ts'
import { mountFrontPage } from './frontPage.ts'
import { htmlDocument } from './htmlDocument.ts'
import { projectRoot } from '../../kit/server/root.ts'

const built = join(projectRoot, 'dist', 'web')
const sources = ['src', 'public', 'index.html', 'landing.html', 'build', 'vite.config.ts', 'package-lock.json']

/** When anything below `path` last changed, in ms; ignores server code. */
const newestBelow = async (path: string): Promise<number> => {
  const facts = await stat(path).catch(() => undefined)
  if (!facts) return 0
  if (!facts.isDirectory()) return facts.mtimeMs
  const entries = await readdir(path, { withFileTypes: true, recursive: true })
  const files = entries
    .filter(
      entry => entry.isFile() && !/[\\/]server([\\/]|$)/.test(entry.parentPath) && !entry.name.endsWith('.test.ts'),
    )
    .map(entry => join(entry.parentPath, entry.name))
  const times = await Promise.all(files.map(async file => (await stat(file)).mtimeMs))
  return times.reduce((newest, time) => Math.max(newest, time), 0)
}

const isStale = async () => {
  const page = await stat(join(built, 'index.html')).catch(() => undefined)
  if (!page) return true
  const newest = await Promise.all(sources.map(source => newestBelow(join(projectRoot, source))))
  return newest.some(time => time > page.mtimeMs)
}

/** Builds into a temporary folder and then renames it, so that no server ever serves half a page. */
export const buildPageIfStale = async (log: (line: string) => void): Promise<void> => {
  if (!(await isStale())) return
  log('Building the page …')
  const fresh = `${built}-${process.pid}`
  try {
    await runVite(['build', '--outDir', fresh, '--logLevel', 'error'])
    await mkdir(join(projectRoot, 'dist'), { recursive: true })
    await rm(`${fresh}-old`, { recursive: true, force: true })
    await rename(built, `${fresh}-old`).catch(() => undefined)
    await rename(fresh, built)
  } finally {
    await Promise.all([fresh, `${fresh}-old`].map(folder => rm(folder, { recursive: true, force: true })))
  }
}

const runVite = (args: string[]) =>
  new Promise<void>((resolve, reject) => {
    const vite = join(projectRoot, 'node_modules', 'vite', 'bin', 'vite.js')
    const child = spawn(process.execPath, [vite, ...args], {
      cwd: projectRoot,
      stdio: ['ignore', 'inherit', 'inherit'],
    })
    // The build would outlive a server that is stopped meanwhile.
    const stop = () => child.kill()
    process.once('exit', stop)
    child.once('error', reject)
    child.once('exit', code => {
      process.off('exit', stop)
      if (code === 0) resolve()
      else reject(new Error(`The page could not be built (vite exited with code ${code}).`))
    })
  })

const aYear = 31_536_000

type PageOptions = { folder?: string; testMode?: boolean; checkout?: boolean }

/** Serves the landing page at /, static files, and the app at every other address. */
export const servePage = async (
  app: FastifyInstance,
  env: { PUBLIC_URL?: string | undefined },
  { folder = built, testMode = paymentsAreTests(), checkout = paidAtProvider() }: PageOptions = {},
): Promise<void> => {
  mountFrontPage(app, folder, env)
  await app.register(async files => {
    // An address that no file may have, such as //login, is simply not found.
    files.setErrorHandler((error: FastifyError, _request, reply) => {
      if ((error.statusCode ?? 500) >= 500) throw error
      reply.callNotFound()
    })
    await files.register(fastifyStatic, {
      root: folder,
      index: false,
      preCompressed: true,
      cacheControl: false,
      dotfiles: 'deny',
      setHeaders: (reply, path) => {
        const hashed = path.includes(`${folder}/assets/`)
        reply.header('cache-control', hashed ? `public, max-age=${aYear}, immutable` : 'no-cache')
      },
    })
  })
  // The page needs this before its first call.
  const payments = `${testMode ? ' data-payments="test"' : ''}${checkout ? ' data-checkout="provider"' : ''}`
  const fill = (html: string) => html.replace(' data-payments="test"', payments)
  serveApp(app, htmlDocument(join(folder, 'index.html'), { fill, variantOf: () => '' }))
}

/**
 * Sends the app for every page address that no route answers. If the app will show its not-found screen, the status is also 404,
 * for search engines and link checkers.
 */
export const serveApp = (
  app: FastifyInstance,
  sendApp: (request: FastifyRequest, reply: FastifyReply) => unknown,
): void => {
  app.setNotFoundHandler((request, reply) => {
    const isPage = (request.method === 'GET' || request.method === 'HEAD') && !request.url.startsWith('/api/')
    const [path = ''] = request.url.split('?')
    // A request for a missing file does not get the app, unless somebody typed the address.
    const isFile = /\.[a-z0-9]{2,5}$/i.test(path) && !request.headers.accept?.includes('text/html')
    if (!isPage || isFile) return sendNotFound(request, reply)
    return sendApp(request, hasScreen(path) ? reply : reply.code(404))
  })
}
