import { Fragment } from 'react'

/** Lines may end after a dot. */
const Dotted = ({ text }: { text: string }) =>
  text.split(/(?<=\.)/).map((part, place) => (
    <Fragment key={place}>
      {place > 0 && <wbr />}
      {part}
    </Fragment>
  ))

/**
 * An address in a narrow place: its line ends after "@", else after ".", and within a word only where that word alone
 * is too long.
 */
export const Email = ({ address }: { address: string }) => {
  const [name = '', domain] = address.split(/(?<=@)/)
  return (
    <span className="wrap-anywhere">
      <Dotted text={name} />
      {domain && (
        <>
          <wbr />
          <span className="inline-block max-w-full">
            <Dotted text={domain} />
          </span>
        </>
      )}
    </span>
  )
}
