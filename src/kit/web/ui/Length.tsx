import { seenLength } from '../../seenText.ts'

/** For a field's `aside`: the length of the text, counted as in the contract's `longText`, and the required length. */
export const Length = ({ text, minLength }: { text: string; minLength: number }) => {
  const length = seenLength(text)
  return (
    <span className="tabular-nums">
      {length < minLength ? `${length} of at least ${minLength} characters` : `${length} characters`}
    </span>
  )
}
