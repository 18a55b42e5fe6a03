/** Cursors in the order in which events become visible. Pure. */

/** Stands for everything up to event `id` of transaction `tx`. */
export type Cursor = { tx: string; id: number }

/** Older than any event that is kept, so a caller with this cursor has to load everything again. */
export const longAgo: Cursor = { tx: '0', id: 0 }

export const cursorText = ({ tx, id }: Cursor): string => `${tx}-${id}`

/** Undefined if the text is no cursor. */
export const cursorOf = (text: string | null | undefined): Cursor | undefined => {
  const [, tx, id] = /^(\d{1,18})-(\d{1,15})$/.exec(text ?? '') ?? []
  return tx === undefined || id === undefined ? undefined : { tx, id: Number(id) }
}

export const isAfter = (a: Cursor, b: Cursor): boolean => (a.tx === b.tx ? a.id > b.id : BigInt(a.tx) > BigInt(b.tx))
