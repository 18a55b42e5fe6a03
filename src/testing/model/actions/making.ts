/** How actions are made: who acts on what, and how often. */
import type { SignedIn } from '../../../kit/endpoint.ts'
import type { Books, Campaign, Code, Person, Test } from '../books.ts'
import type { Attempt, Draw, Scene } from './scene.ts'

export const begins = /^begin/
export const callerOf = ({ id, role }: Person): SignedIn => ({ id, role, sessionId: id })
export const reason = 'The proof shows another app than the one that was to be tested.'

export type Made = Omit<Attempt, 'name' | 'decides'> & { decides?: RegExp }
export type Make = (scene: Scene, draw: Draw, key: string) => Made | undefined | Promise<Made | undefined>

/** Usually one with which the action can succeed; undefined if there is none. */
export const pick = <T>(draw: Draw, all: readonly T[], likely: (one: T) => boolean): T | undefined => {
  const among = draw(12) === 0 ? all : all.filter(likely)
  return among[draw(among.length)]
}

export const present = (books: Books, role: Person['role']) =>
  books.people.filter(person => person.role === role && !person.deleted)

/** Leaves out what ended long ago; what has ended lately is still tried. */
const recent = <T>(all: readonly T[], most = 60) => all.slice(-most)

/** Often limits the choice to the cases where most can go wrong, if there are any. */
export const preferred = <T>(draw: Draw, all: readonly T[], isRare: (one: T) => boolean): readonly T[] => {
  const rare = all.filter(isRare)
  return rare.length > 0 && draw(3) > 0 ? rare : all
}

/** An action on a campaign, with what the books say about it. */
export const onCampaign =
  (
    likely: (c: Campaign, books: Books) => boolean,
    does: (c: Campaign, scene: Scene, draw: Draw, key: string) => Made | undefined,
    isRare: (c: Campaign, books: Books) => boolean = () => false,
  ): Make =>
  (scene, draw, key) => {
    const { books } = scene
    const all = recent(books.campaigns.filter(({ developer }) => !developer.deleted))
    const among = preferred(draw, all, one => likely(one, books) && isRare(one, books))
    const c = pick(draw, among, one => likely(one, books))
    return c && does(c, scene, draw, key)
  }

export const onTest =
  (
    likely: (test: Test, books: Books) => boolean,
    does: (test: Test, scene: Scene, draw: Draw, key: string) => Made,
  ): Make =>
  (scene, draw, key) => {
    const { books } = scene
    const all = recent(books.tests, 150)
    const among = preferred(draw, all, one => likely(one, books) && books.isRare(one.campaign))
    const test = pick(draw, among, one => likely(one, books))
    return test && does(test, scene, draw, key)
  }

const keptMs = 48 * 3_600_000

/** A repeated key gets the same answer, and nothing more happens. */
export const once = (
  scene: Scene,
  key: string,
  by: Person,
  decide: () => Promise<Code | null> | Code | null,
): Pick<Attempt, 'keyed' | 'by' | 'decide'> => ({
  keyed: true,
  by,
  decide: async () => {
    // Keys are deleted with the account, and after two days.
    const done = scene.keys.get(key)
    if (done !== undefined && !by.deleted && done > scene.books.now - keptMs) return null
    scene.answers.delete(key)
    const refusal = await decide()
    // A refusal by our own rules stores no key.
    if (refusal === null) scene.keys.set(key, scene.books.now)
    return refusal
  },
})

export const named = (c: Campaign) => `campaign ${c.n}`
export const called = (person: Person) => `${person.role.toLowerCase()} ${person.n}`
export const testOf = (test: Test) => `test ${test.n} of ${named(test.campaign)}`

export const is =
  (...statuses: Campaign['status'][]) =>
  ({ status }: Campaign) =>
    statuses.includes(status)
export const has =
  (...statuses: Test['status'][]) =>
  ({ status }: Test) =>
    statuses.includes(status)
export const wrongUnless = (may: boolean, then: () => void): Code | null => {
  if (!may) return 'WRONG_STATE'
  then()
  return null
}

export const adminOf = ({ books }: Scene) => present(books, 'ADMIN')[0]!

export const hasEnded = is('COMPLETED', 'CANCELLED')
