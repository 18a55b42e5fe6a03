/** The example in the pictures: twelve testers on the eleventh of fourteen days. */
export const dayCount = 14
export const today = 10

export type Tester = {
  alias: string
  device: string
  /** A day without a check-in. */
  missed?: number
  /** Whether today's check-in is there. */
  here: boolean
}

const person = (ordinal: number, device: string, here: boolean, missed?: number): Tester => ({
  alias: `Tester ${ordinal}`,
  device,
  here,
  ...(missed !== undefined && { missed }),
})

export const testers: Tester[] = [
  person(1, 'Pixel 8 · Android 15', true),
  person(2, 'Galaxy S23 · Android 14', true),
  person(3, 'Moto G84 · Android 14', true, 6),
  person(4, 'Redmi Note 13 · Android 14', true),
  person(5, 'Xperia 10 · Android 13', false),
  person(6, 'Galaxy A54 · Android 14', true),
  person(7, 'OnePlus 11 · Android 15', true),
  person(8, 'Pixel 6a · Android 15', true, 4),
  person(9, 'Nothing Phone · Android 14', true),
  person(10, 'Fairphone 5 · Android 14', true),
  person(11, 'Galaxy S21 · Android 13', true),
  person(12, 'Pixel 7 · Android 15', true),
]

/** Another campaign, with seats to spare: how many were opted in on each day so far. */
export const optedIn = [12, 13, 14, 14, 13, 12, 13, 14, 15, 15, 14]
