/** Places in the order in which events become visible. Pure. */

/** Everything up to the number `id` of the transaction `tx`. */
export type Cursor = { tx: string; id: number }

/** Nobody goes on from there: whoever does asks for everything again. */
export const longAgo: Cursor = { tx: '0', id: 0 }

export const cursorText = ({ tx, id }: Cursor): string => `${tx}-${id}`

/** Undefined for what is no cursor. */
export const cursorOf = (text: string | null | undefined): Cursor | undefined => {
  const [, tx, id] = /^(\d{1,18})-(\d{1,15})$/.exec(text ?? '') ?? []
  return tx === undefined || id === undefined ? undefined : { tx, id: Number(id) }
}

export const isAfter = (a: Cursor, b: Cursor): boolean => (a.tx === b.tx ? a.id > b.id : BigInt(a.tx) > BigInt(b.tx))
