import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, expect, inject, test, vi } from 'vitest'
import { cloneTemplate } from '../src/testing/databases.ts'
import { copyProject } from '../src/testing/projectCopy.ts'

/** `npm run dev` in a copy of the project, whose files are saved as many editors do: a new file is renamed over the old one. */
let root: string
let databaseUrl: string
let dev: ChildProcess
let address: string
let printed = ''

const start = async () => {
  const { scripts } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as { scripts: { dev: string } }
  const [command, ...args] = scripts.dev.split(' ')
  expect(command).toBe('node')
  dev = spawn(process.execPath, args, {
    cwd: root,
    env: {
      ...process.env,
      NODE_ENV: '',
      PORT: '0',
      HOST: '127.0.0.1',
      DATABASE_URL: databaseUrl,
      DATA_DIR: join(root, 'data'),
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  for (const stream of [dev.stdout!, dev.stderr!]) stream.on('data', (chunk: Buffer) => (printed += chunk.toString()))
  address = await new Promise<string>((resolve, reject) => {
    dev.stdout!.on('data', () => {
      const [, url] = /Fieldtest in development: (http\S+)\n/.exec(printed) ?? []
      if (url) resolve(url)
    })
    dev.once('exit', code => reject(new Error(`ended with ${code}: ${printed}`)))
  })
}

beforeAll(async () => {
  databaseUrl = await cloneTemplate(inject('serverUrl'))
  root = await copyProject()
  await start()
})
afterAll(async () => {
  if (dev.exitCode === null && dev.signalCode === null) dev.kill('SIGKILL')
  await vi.waitUntil(async () => (await connections()) === 0, soon)
  await rm(root, { recursive: true, force: true })
})

const soon = { timeout: 30_000 }

const ask = async <T extends pg.QueryResultRow>(url: string, query: string, values: unknown[] = []) => {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query<T>(query, values)).rows
  } finally {
    await client.end()
  }
}

/** How many connections the server has to its database: none once it has exited. */
const connections = async () => {
  const rows = await ask<{ count: number }>(
    inject('serverUrl'),
    'select count(*)::int from pg_stat_activity where datname = $1',
    [new URL(databaseUrl).pathname.slice(1)],
  )
  return rows[0]!.count
}

const lastBeat = async () =>
  (await ask<{ at: string }>(databaseUrl, 'select beat_at::text as at from heartbeat'))[0]?.at

const get = async (path: string) => {
  const reply = await fetch(address + path, { headers: { accept: '*/*' } })
  return {
    status: reply.status,
    type: reply.headers.get('content-type'),
    headers: reply.headers,
    text: await reply.text(),
  }
}

/** Saves as vim and the JetBrains editors do. */
const replaceIn = async (path: string, from: string, to: string) => {
  const text = await readFile(join(root, path), 'utf8')
  expect(text).toContain(from)
  await writeFile(
    join(root, `${path}~`),
    text.replace(from, () => to),
  )
  await rename(join(root, `${path}~`), join(root, path))
}

const restarts = () => [...printed.matchAll(/^(\S+) changed, restarting the server$/gm)].map(([, path]) => path)

const serverFile = 'src/app/server/app.ts'
const alive = async () => (await get('/health/live')).text

test('one port serves the API, the pages and their modules', async () => {
  expect(await alive()).toBe('{"status":"ok"}')
  const app = await get('/login')
  expect(app.status).toBe(200)
  expect(app.text).toContain('/src/app/web/main.tsx')
  expect(app.headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
  expect((await get('/')).text).toContain('<h1')
  expect((await get('/src/app/web/main.tsx')).type).toContain('javascript')
  expect((await get('/api/v1/openapi.json')).text).toContain('"openapi"')
})

test('deadlines keep working: the server writes a heartbeat, like any other', async () => {
  const first = await lastBeat()
  expect(first).toBeDefined()
  await expect.poll(lastBeat, soon).not.toBe(first)
})

test('addresses without a screen, missing files and unknown API paths get the same answers as in production', async () => {
  const page = await get('/no/such/page')
  expect(page.status).toBe(404)
  expect(page.text).toContain('/src/app/web/main.tsx')
  for (const path of ['/no-such.png', '/api/v1/no/such/call']) {
    const { status, type } = await get(path)
    expect(status).toBe(404)
    expect(type).toContain('json')
  }
})

test('each save of a server file restarts the server without reloading the open page', async () => {
  const messages = await openPage()
  const before = restarts().length
  await replaceIn(serverFile, `status: 'ok' }))`, `status: 'once' }))`)
  await expect.poll(alive, soon).toBe('{"status":"once"}')
  await replaceIn(serverFile, `status: 'once' }))`, `status: 'twice' }))`)
  await expect.poll(alive, soon).toBe('{"status":"twice"}')
  expect(restarts().slice(before)).toEqual([serverFile, serverFile])

  // The first message after the saves is about this file, so none of them told the page to reload.
  await replaceIn('src/kit/web/ui/Spinner.tsx', 'export const', '/* a change */ export const')
  await expect.poll(() => messages.map(({ type }) => type).includes('update'), soon).toBe(true)
  expect(messages.map(({ type }) => type)).not.toContain('full-reload')
})

test('each save of a page file replaces the module without restarting the server', async () => {
  const file = 'src/kit/web/press.ts'
  const module = async () => (await get(`/${file}`)).text
  expect(await module()).not.toContain('first save')
  const before = restarts().length
  await replaceIn(file, 'export const', 'export const first = "first save"\nexport const')
  await expect.poll(module, soon).toContain('first save')
  await replaceIn(file, 'first save', 'second save')
  await expect.poll(module, soon).toContain('second save')

  // The only restart since then is the one that this save causes.
  await replaceIn(serverFile, `status: 'twice' }))`, `status: 'ok' }))`)
  await expect.poll(alive, soon).toBe('{"status":"ok"}')
  expect(restarts().slice(before)).toEqual([serverFile])
})

test('a saved contract reaches the server and the page', async () => {
  const paths = async () => [
    (await get('/api/v1/openapi.json')).text.includes('/auth/sign-in'),
    (await get('/src/app/web/endpointTable.ts')).text.includes('/auth/sign-in'),
  ]
  expect(await paths()).toEqual([false, false])
  await replaceIn('src/accounts/contract.ts', `'/auth/login'`, `'/auth/sign-in'`)
  await expect.poll(paths, soon).toEqual([true, true])
})

test('a syntax error in a server file is printed and leaves the page running, and the next save recovers', async () => {
  await replaceIn(serverFile, 'export const createApp', 'export const = createApp')
  await expect.poll(async () => (await get('/health/live')).status, soon).toBe(503)
  expect(await alive()).toContain('The server could not start')
  expect(printed).toContain('SyntaxError')
  expect((await get('/src/app/web/main.tsx')).status).toBe(200)
  await replaceIn(serverFile, 'export const = createApp', 'export const createApp')
  await expect.poll(alive, soon).toBe('{"status":"ok"}')
})

test('Ctrl-C stops everything, and after kill -9 no server is left behind', async () => {
  dev.kill('SIGINT')
  expect(await once(dev, 'exit')).toEqual([0, null])
  expect(await connections()).toBe(0)
  printed = ''
  await start()
  expect(await connections()).toBeGreaterThan(0)
  dev.kill('SIGKILL')
  await expect.poll(connections, soon).toBe(0)
})

type Message = { type: string }

/** Acts as a page that has loaded the spinner; collects the messages that Vite sends it. */
const openPage = async (): Promise<Message[]> => {
  await get('/login')
  await get('/src/kit/web/ui/Spinner.tsx')
  const [, token] = /wsToken = "([^"]+)"/.exec((await get('/@vite/client')).text) ?? []
  const socket = new WebSocket(`${address.replace('http', 'ws')}/?token=${token}`, 'vite-hmr')
  const messages: Message[] = []
  socket.addEventListener('message', ({ data }) => messages.push(JSON.parse(String(data)) as Message))
  await once(socket, 'open')
  return messages
}
