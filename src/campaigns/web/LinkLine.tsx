import { clsx } from 'clsx'
import { ExternalLink } from 'lucide-react'
import { Fragment } from 'react'
import { CopyButton } from '../../kit/web/ui/Values.tsx'
import { QrButton } from './QrButton.tsx'

/** Breaks lines between the parts of the address, so that the app's id, which people compare, stays in one piece. */
const breakable = (link: string) =>
  link.match(/[^/?&]+[/?&]*/g)?.map((part, place) => (
    <Fragment key={place}>
      {part}
      <wbr />
    </Fragment>
  ))

/** The app's link: open it in a new tab, copy it, or scan it with a phone. `whole`: shown in full, for whoever has to judge it. */
export const LinkLine = ({ link, whole = false }: { link: string; whole?: boolean }) => (
  <div className="min-w-0">
    <a
      href={link}
      target="_blank"
      rel="noopener noreferrer nofollow"
      className={clsx(
        'text-link underline-offset-4 hover:underline',
        whole ? 'wrap-anywhere' : 'inline-flex max-w-full min-w-0 items-center gap-1.5',
      )}
    >
      <span className={whole ? undefined : 'truncate'}>{whole ? breakable(link) : link}</span>
      <ExternalLink aria-hidden className={clsx('size-3.5 shrink-0', whole && 'ml-1.5 inline')} />
      <span className="sr-only">(opens in a new tab)</span>
    </a>
    <div className="mt-1 -ml-3 flex flex-wrap">
      <CopyButton text={link} label="Copy link" />
      <QrButton link={link} />
    </div>
  </div>
)
