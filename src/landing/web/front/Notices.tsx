import { Icon } from './Icon.tsx'

/** What the page really does with what one leaves here; shown in the browser's own popovers. */
export const notices = [
  {
    id: 'privacy',
    title: 'Privacy',
    paragraphs: [
      'The waitlist keeps your email address, your country and your role, and when you left them. We use them to tell you when it is your turn, and for nothing else.',
      'To keep scripts from filling the list, your network address is counted for an hour and then forgotten.',
      'The page loads nothing from other companies: no advertising, no analytics, no fonts from elsewhere.',
    ],
  },
  {
    id: 'terms',
    title: 'Terms',
    paragraphs: [
      'Joining the waitlist costs nothing and binds you to nothing.',
      'Developers pay for a campaign before it starts. Testers are paid when their test is verified; what nobody earned goes back to the developer.',
      'One person, one account, one’s own device. Check-ins that were not made by hand, and proof that was copied, are not paid.',
    ],
  },
  {
    id: 'cookies',
    title: 'Cookies',
    paragraphs: [
      'There are none. Your choice of theme and, once you sign in, your session are kept in your own browser’s storage, and logging out removes the session.',
    ],
  },
]

export const Notices = () => (
  <>
    {notices.map(({ id, title, paragraphs }) => (
      <div
        key={id}
        id={id}
        popover="auto"
        role="dialog"
        aria-labelledby={`${id}-title`}
        className="m-auto w-[min(34rem,calc(100vw-2.5rem))] rounded-2xl border bg-card p-6 text-foreground shadow-raised backdrop:bg-black/50 sm:p-8"
      >
        <div className="flex items-start justify-between gap-4">
          <h2 id={`${id}-title`} className="text-xl font-semibold">
            {title}
          </h2>
          <button
            type="button"
            popoverTarget={id}
            popoverTargetAction="hide"
            aria-label="Close"
            className="-mt-2 -mr-3 grid size-10 cursor-pointer place-items-center rounded-md text-muted-foreground hover:bg-muted"
          >
            <Icon name="close" className="size-5" />
          </button>
        </div>
        {paragraphs.map(text => (
          <p key={text} className="mt-3 text-base text-muted-foreground">
            {text}
          </p>
        ))}
      </div>
    ))}
  </>
)
