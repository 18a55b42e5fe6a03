import { Fragment } from 'react'

/** An address in a narrow place: its line ends after "@" or a dot, and within a word only where that alone is too long. */
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
