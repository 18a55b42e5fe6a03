import { BrandMark, Icon } from './Icon.tsx'
import { WaitlistLink, frame } from './parts.tsx'

const links = [
  { href: '#how-it-works', label: 'How It Works' },
  { href: '#features', label: 'Features' },
  { href: '#pricing', label: 'Pricing' },
  { href: '#testimonials', label: 'Testimonials' },
]

export const NavBar = () => (
  <header className="sticky top-0 z-20 border-b bg-background/90 backdrop-blur-md">
    <nav aria-label="Page" className={`${frame} flex h-16 items-center gap-2`}>
      <a href="#top" className="flex rounded-md" aria-label="Fieldtest, back to top">
        <BrandMark />
      </a>
      <ul className="ml-8 hidden items-center gap-1 md:flex">
        {links.map(({ href, label }) => (
          <li key={href}>
            <a
              href={href}
              className="rounded-md px-3 py-2 text-muted-foreground transition-colors hover:text-foreground"
            >
              {label}
            </a>
          </li>
        ))}
      </ul>
      <div className="ml-auto flex items-center gap-1.5">
        <a
          href="/dashboard"
          data-signed-in
          hidden
          className="hidden rounded-md px-3 py-2 text-muted-foreground hover:text-foreground lg:not-[[hidden]]:block"
        >
          Your dashboard
        </a>
        <WaitlistLink variant="ghost" size="md" className="max-md:hidden">
          Sign In
        </WaitlistLink>
        <WaitlistLink size="md">Join Waitlist</WaitlistLink>
        <button
          type="button"
          popoverTarget="sections"
          aria-label="Menu"
          className="grid size-10 place-items-center rounded-md hover:bg-muted md:hidden"
        >
          <Icon name="menu" className="size-5" />
        </button>
      </div>
    </nav>
    <SectionMenu />
  </header>
)

/** The menu on a phone: a native popover, which opens before any script has loaded. */
const SectionMenu = () => (
  <div
    id="sections"
    popover="auto"
    className="fixed inset-auto top-[4.25rem] right-4 m-0 w-60 rounded-xl border bg-card p-2 text-foreground shadow-raised"
  >
    <ul>
      {[...links, { href: '#waitlist', label: 'Sign In' }].map(({ href, label }) => (
        <li key={label}>
          <a href={href} className="block rounded-md px-3 py-2.5 text-base font-medium hover:bg-muted">
            {label}
          </a>
        </li>
      ))}
      <li>
        <a
          href="/dashboard"
          data-signed-in
          hidden
          className="block rounded-md px-3 py-2.5 text-base font-medium hover:bg-muted"
        >
          Your dashboard
        </a>
      </li>
    </ul>
  </div>
)
