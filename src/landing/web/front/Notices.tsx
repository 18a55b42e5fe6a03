import { Icon } from './Icon.tsx'

/** Legal notices, which must match what the product does. Shown in native popovers. */
export const notices = [
  {
    id: 'privacy',
    title: 'Privacy',
    paragraphs: [
      'The waitlist stores your email address, country and role, and when you signed up. We use them only to tell you when it is your turn.',
      'To stop bots from flooding the list, we count sign-ups per IP address for one hour and then delete the address.',
      'This page loads nothing from other companies: no ads, no analytics, no third-party fonts.',
    ],
  },
  {
    id: 'terms',
    title: 'Terms',
    paragraphs: [
      'Joining the waitlist is free and comes with no obligation.',
      'Developers pay for a campaign before it starts. Testers are paid when their test is verified, and unspent money is refunded to the developer.',
      'One person, one account, your own device. We do not pay for automated check-ins or copied proof.',
    ],
  },
  {
    id: 'cookies',
    title: 'Cookies',
    paragraphs: [
      'We do not use cookies. Your theme and, once you sign in, your session are stored in your browser. Logging out removes the session.',
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
