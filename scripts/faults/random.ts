/** Numbers that a seed decides (mulberry32). What happens between processes is still not the same twice. */
export type Random = { below: (count: number) => number }

export const randomOf = (seed: number): Random => {
  let state = seed
  return {
    below: count => {
      state = (state + 0x6d2b79f5) | 0
      let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
      mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
      return Math.trunc((((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296) * count)
    },
  }
}
