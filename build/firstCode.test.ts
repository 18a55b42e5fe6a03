import { expect, test } from 'vitest'
import { firstCode } from './firstCode.ts'
import { buildPages, pageWith } from './testing.ts'

const page = pageWith('<!--code--><script type="module" src="/main.ts"></script>')
const files = {
  'index.html': page,
  'main.ts': `import { shared } from './shared.ts'
    import { routes } from './routes.ts'
    console.log(shared, routes)`,
  'shared.ts': `export const shared = { word: 'the app has it already' }`,
  'routes.ts': `const inside: unknown[] = [
      { index: true, lazy: async () => ({ Component: (await import('./screens/home.ts')).home }) },
      { path: 'people/:id', lazy: async () => ({ Component: (await import('./screens/person.ts')).person }) },
      { children: [{ path: 'people/new', lazy: async () => ({ Component: (await import('./screens/add.ts')).add }) }] },
    ]
    export const routes: unknown[] = [
      { path: 'office', lazy: async () => (await import('./screens/frame.ts')).frame, children: [{ children: inside }] },
      { path: 'plain', Component: 'loaded with the app' },
      { path: '*', lazy: async () => (await import('./screens/person.ts')).person },
    ]`,
  'parts.ts': `export const parts = ['two', 'screens', 'share', 'this']`,
  'screens/frame.ts': `export const frame = ['frame']`,
  'screens/home.ts': `export const home = async () => [await import('../boss.ts')]`,
  'screens/person.ts': `import { parts } from '../parts.ts'
    import { shared } from '../shared.ts'
    export const person = ['person', parts, shared]`,
  'screens/add.ts': `import { parts } from '../parts.ts'
    export const add = ['add', parts]`,
  'boss.ts': `export const boss = 'for one role'`,
}
const options = {
  page: 'index.html',
  mark: '<!--code-->',
  routes: 'routes.ts',
  besides: { '/office BOSS': ['boss.ts'] },
}

type Table = { files: string[]; screens: Record<string, number[]> }

const tableOf = async (changed: Record<string, string> = {}): Promise<Table> => {
  const { read } = await buildPages({ ...files, ...changed }, [firstCode(options)])
  const [, json] = /id="first-code">([^<]*)</.exec(await read('index.html'))!
  return JSON.parse(json!) as Table
}

/** File names without the hash: `frame`, `person`. */
const namesOf = ({ files: all, screens }: Table, screen: string) =>
  screens[screen]!.map(number => /^assets\/(\w+)-[\w-]+\.js$/.exec(all[number]!)![1]!).toSorted((one, other) =>
    one.localeCompare(other),
  )

test('each screen has its own files, those around it, and what they share, but not what the app has loaded', async () => {
  const table = await tableOf()
  expect(namesOf(table, '/office')).toEqual(['frame', 'home'])
  expect(namesOf(table, '/office/people/new')).toEqual(['add', 'frame', 'parts'])
  expect(namesOf(table, '/office/people/:id')).toEqual(['frame', 'parts', 'person'])
})

test('what only one role needs stands under its name', async () => {
  expect(namesOf(await tableOf(), '/office BOSS')).toEqual(['boss'])
})

test('a fixed path comes before one with an id, which would fit it too', async () => {
  const paths = Object.keys((await tableOf()).screens)
  expect(paths).toEqual(['/office', '/office/people/new', '/office/people/:id', '/office BOSS'])
})

test('a file is named once, however many screens load it', async () => {
  const { files: all } = await tableOf()
  expect(new Set(all).size).toBe(all.length)
})

test('a module that is no longer loaded lazily fails the build', async () => {
  const eager = { 'main.ts': `${files['main.ts']}\nimport { boss } from './boss.ts'\nconsole.log(boss)` }
  await expect(tableOf(eager)).rejects.toThrow('boss.ts is not a file of its own')
})

test('routes that are not written as a list fail the build, not the first visit', async () => {
  await expect(tableOf({ 'routes.ts': `export const routes = [].concat([])` })).rejects.toThrow('are not a list')
})
