import { Fragment } from 'react'

/** An address in a narrow space: breaks after "@" or a dot, and inside a word only if the word is too long. */
export const Email = ({ address }: { address: string }) => (
  <span className="wrap-anywhere">
    {address.split(/(?<=[@.])/).map((part, place) => (
      <Fragment key={place}>
        {place > 0 && <wbr />}
        {part}
      </Fragment>
    ))}
  </span>
)
