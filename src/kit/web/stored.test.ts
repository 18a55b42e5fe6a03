import { afterEach, expect, test, vi } from 'vitest'
import { refuseLocalStorage, stubLocalStorage } from '../../testing/localStorage.ts'
import { dropStored, keepStored, readStored } from './stored.ts'

afterEach(() => {
  vi.unstubAllGlobals()
})

const model = { title: '', count: 3, open: true, filters: { names: [] as string[] } }

const reading = (text: string | null) => {
  vi.stubGlobal('localStorage', { getItem: () => text })
  return readStored('key', model)
}

test('stored values are restored, and missing ones come from the defaults', () => {
  expect(reading('{"title":"A","filters":{"names":["b"]},"other":1}')).toEqual({
    ...model,
    title: 'A',
    filters: { names: ['b'] },
  })
})

test('values of a different type than the default are ignored', () => {
  expect(reading('{"title":1,"count":"2","open":null,"filters":[]}')).toEqual(model)
  expect(reading('{"filters":{"names":["a",1,null]}}')).toEqual({ ...model, filters: { names: ['a'] } })
})

test('an emptied number stays empty, and is not filled in with the default', () => {
  stubLocalStorage()
  keepStored('a', { ...model, count: Number.NaN })
  expect(readStored('a', model)).toEqual({ ...model, count: Number.NaN })
})

test.each([null, 'null', '[]', '"text"', '{nope'])('%s is read as nothing', text => {
  expect(reading(text)).toBeNull()
})

test('a stored value can be read again until it is dropped', () => {
  stubLocalStorage()
  keepStored('a', { title: 'A' })
  keepStored('b', { title: 'B' })
  dropStored('a')
  expect(['a', 'b'].map(key => readStored(key, model)?.title)).toEqual([undefined, 'B'])
})

test('a full or forbidden storage causes no failure', () => {
  refuseLocalStorage()
  keepStored('a', { title: 'A' })
  dropStored('a')
  expect(readStored('a', model)).toBeNull()
})
