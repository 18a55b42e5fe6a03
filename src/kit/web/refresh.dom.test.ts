import { beforeEach, expect, test, vi } from 'vitest'
import { refreshAccess } from './refresh.ts'
import { session } from './session.ts'

const signIn = (id: string) =>
  session.signIn({
    accessToken: `access-${id}`,
    refreshToken: `refresh-${id}`,
    user: { id, email: `${id}@example.com`, name: id, role: 'TESTER' },
  })
const refused = () => Response.json({ message: 'Your session was ended on another device.' }, { status: 401 })

beforeEach(() => {
  vi.spyOn(console, 'error').mockImplementation(() => {})
  localStorage.clear()
  signIn('ann')
})

test('a refused refresh signs out, and shows the server’s sentence', async () => {
  expect(await refreshAccess('access-ann', async () => refused())).toBeNull()
  expect([session.user(), session.whyEnded()]).toEqual([null, 'Your session was ended on another device.'])
})

const bobSignsIn = async () => {
  signIn('bob')
  return { message: 'Your session was ended on another device.' }
}

test.each([
  ['before the refusal comes', async () => (await bobSignsIn(), refused())],
  ['while its sentence is read', async () => Object.assign(refused(), { json: bobSignsIn })],
])('a person who signs in %s stays signed in', async (_, post) => {
  expect(await refreshAccess('access-ann', post)).toBeNull()
  expect([session.user()?.id, session.accessToken()]).toEqual(['bob', 'access-bob'])
})
