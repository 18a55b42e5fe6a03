import { expect, test, vi } from 'vitest'
import { readStored } from './stored.ts'

const model = { title: '', count: 3, open: true, filters: { names: [] as string[] } }

const reading = (text: string | null) => {
  vi.stubGlobal('localStorage', { getItem: () => text })
  return readStored('key', model)
}

test('what was kept comes back, and what it lacks is the model’s', () => {
  expect(reading('{"title":"A","filters":{"names":["b"]},"other":1}')).toEqual({
    ...model,
    title: 'A',
    filters: { names: ['b'] },
  })
})

test('what is of another kind than the model’s is left out', () => {
  expect(reading('{"title":1,"count":null,"open":"yes","filters":[]}')).toEqual(model)
  expect(reading('{"filters":{"names":["a",1,null]}}')).toEqual({ ...model, filters: { names: ['a'] } })
})

test.each([null, 'null', '[]', '"text"', '{nope'])('%s is nothing', text => {
  expect(reading(text)).toBeNull()
})
