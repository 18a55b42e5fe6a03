/** Sample data for the pictures: twelve testers on day 11 of 14. */
export const dayCount = 14
export const today = 10

export type Tester = {
  alias: string
  device: string
  /** A day without a check-in. */
  missed?: number
  /** Whether the tester checked in today. */
  checkedIn: boolean
}

const person = (ordinal: number, device: string, checkedIn: boolean, missed?: number): Tester => ({
  alias: `Tester ${ordinal}`,
  device,
  checkedIn,
  ...(missed !== undefined && { missed }),
})

export const testers: Tester[] = [
  person(1, 'Pixel 8 · Android 15', true),
  person(2, 'Galaxy S23 · Android 14', true),
  person(3, 'Moto G84 · Android 14', true, 6),
  person(4, 'Redmi Note 13 · Android 14', true),
  person(5, 'Xperia 10 · Android 13', false, 9),
  person(6, 'Galaxy A54 · Android 14', true),
  person(7, 'OnePlus 11 · Android 15', true),
  person(8, 'Pixel 6a · Android 15', true, 4),
  person(9, 'Nothing Phone · Android 14', true),
  person(10, 'Fairphone 5 · Android 14', true),
  person(11, 'Galaxy S21 · Android 13', true),
  person(12, 'Pixel 7 · Android 15', true),
]

/** Opted in from the start of one day until the start of another; days count from 0. */
export type Run = { from: number; until?: number }

/** Another campaign with more than twelve seats: when each run began, and below them the testers who left. */
export const runs: Run[] = [
  ...Array.from({ length: 12 }, () => ({ from: 0 })),
  { from: 2 },
  { from: 5 },
  { from: 0, until: 5 },
  { from: 1, until: 8 },
]
