/** Random numbers from a seed (mulberry32). The timing between processes still differs in every run. */
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
