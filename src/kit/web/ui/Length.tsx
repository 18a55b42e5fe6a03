import { seenLength } from '../../seenText.ts'

/** As a field's `aside`: how long the text is, counted as `longText` of the contract does, and how long it has to be. */
export const Length = ({ text, minLength }: { text: string; minLength: number }) => {
  const length = seenLength(text)
  return (
    <span className="tabular-nums">
      {length < minLength ? `${length} of at least ${minLength} characters` : `${length} characters`}
    </span>
  )
}
