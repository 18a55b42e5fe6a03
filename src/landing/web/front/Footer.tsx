import { BrandMark, Icon } from './Icon.tsx'
import { Notices, notices } from './Notices.tsx'
import { frame } from './parts.tsx'

type FooterLink = { label: string; href: string }

const groups: { title: string; links: FooterLink[] }[] = [
  {
    title: 'Product',
    links: [
      { label: 'How It Works', href: '#how-it-works' },
      { label: 'Features', href: '#features' },
      { label: 'Pricing', href: '#pricing' },
      { label: 'API reference', href: '/docs' },
    ],
  },
  {
    title: 'Company',
    links: [
      { label: 'For developers', href: '#developers' },
      { label: 'For testers', href: '#testers' },
      { label: 'Testimonials', href: '#testimonials' },
      { label: 'Waitlist', href: '#waitlist' },
    ],
  },
]

const linkStyle =
  'inline-block rounded-sm py-2.5 text-base text-muted-foreground transition-colors hover:text-foreground md:py-1'

export const Footer = () => (
  <footer className="border-t bg-muted/50">
    <div
      className={`${frame} grid grid-cols-2 gap-x-6 gap-y-10 py-14 md:grid-cols-[minmax(0,1.6fr)_repeat(3,minmax(0,1fr))]`}
    >
      <div className="col-span-2 md:col-span-1">
        <BrandMark />
        <p className="mt-3 max-w-64 text-base text-muted-foreground">Real people on real devices, day after day.</p>
        <Share />
      </div>
      {groups.map(({ title, links }) => (
        <nav key={title} aria-label={title}>
          <h2 className="text-base font-semibold">{title}</h2>
          <ul className="mt-2">
            {links.map(({ label, href }) => (
              <li key={label}>
                <a href={href} className={linkStyle}>
                  {label}
                </a>
              </li>
            ))}
          </ul>
        </nav>
      ))}
      <div>
        <h2 className="text-base font-semibold">Legal</h2>
        <ul className="mt-2">
          {notices.map(({ id, title }) => (
            <li key={id}>
              <button type="button" popoverTarget={id} className={`${linkStyle} cursor-pointer`}>
                {title}
              </button>
            </li>
          ))}
        </ul>
      </div>
    </div>
    <p className={`${frame} pb-10 text-muted-foreground`}>© Fieldtest</p>
    <Notices />
  </footer>
)

const shareText = 'Fieldtest: real testers, real devices and a faster launch.'
/** The server replaces `{address}` with its public address, or with nothing. */
const sharedMessage = encodeURIComponent(`${shareText} `) + '{address}'

const social = [
  {
    label: 'Share on X',
    href: `https://x.com/intent/post?text=${sharedMessage}`,
    icon: <path d="M4 4l16 16M20 4L4 20" strokeWidth="2.4" />,
  },
  {
    label: 'Share on Bluesky',
    href: `https://bsky.app/intent/compose?text=${sharedMessage}`,
    icon: (
      <path
        strokeWidth="1.8"
        d="M12 11C10 7 6.500 4.200 4.600 4.200C2.800 4.200 3 8.500 4 11c.7 1.800 2.600 2.300 4.600 2C5.600 13.500 5 15.300 7 17.600c3 3.300 4.600-.6 5-2c.4 1.400 2 5.300 5 2c2-2.300 1.400-4.100-1.600-4.600c2 .3 3.900-.2 4.600-2c1-2.500 1.200-6.800-.6-6.800C17.500 4.200 14 7 12 11z"
      />
    ),
  },
]

/** Share links: there are no social accounts to follow. */
const Share = () => (
  <ul
    aria-label="Share Fieldtest"
    className="mt-5 -ml-3 flex gap-1 [&_a]:grid [&_a]:size-10 [&_a]:place-items-center [&_a]:rounded-md [&_a]:text-muted-foreground [&_a]:hover:bg-muted [&_a]:hover:text-foreground"
  >
    {social.map(({ label, href, icon }) => (
      <li key={label}>
        <a href={href} target="_blank" rel="noreferrer" aria-label={`${label} (opens in a new tab)`}>
          <svg
            aria-hidden
            viewBox="0 0 24 24"
            className="size-[1.125rem] fill-none stroke-current"
            strokeLinecap="round"
            strokeLinejoin="round"
          >
            {icon}
          </svg>
        </a>
      </li>
    ))}
    <li>
      <a href={`mailto:?subject=Fieldtest&body=${sharedMessage}`} aria-label="Share by email">
        <Icon name="mail" className="size-[1.125rem]" />
      </a>
    </li>
  </ul>
)
