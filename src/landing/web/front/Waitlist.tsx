import type { ReactNode } from 'react'
import { countries } from '../../../kit/countries.ts'
import { inputLook } from '../../../kit/web/ui/inputLook.ts'
import { Icon } from './Icon.tsx'
import { frame } from './parts.tsx'

export const Waitlist = () => (
  <section id="waitlist" aria-labelledby="waitlist-title" className="relative border-t py-20 md:py-28">
    {/* The links that preselect a role lead here. */}
    <span id="waitlist-developer" className="absolute top-0" />
    <span id="waitlist-tester" className="absolute top-0" />
    <div className={`${frame} grid gap-10 lg:grid-cols-2 lg:gap-20`}>
      <div>
        <h2 id="waitlist-title" className="text-heading font-semibold">
          Join the waitlist
        </h2>
        <p className="mt-5 max-w-md text-lg text-pretty text-muted-foreground">
          Tell us whether you build apps or test them. We will email you once, when it is your turn, and never share
          your address.
        </p>
        <p className="mt-8 text-base text-muted-foreground [&_a]:font-medium [&_a]:text-link [&_a]:underline [&_a]:underline-offset-4">
          Already have an account? <a href="/login">Sign in</a>
          <br />
          Don’t want to wait? <a href="/register">Create an account</a>
          <span data-signed-in hidden>
            <br />
            You are signed in. <a href="/dashboard">Go to your dashboard</a>
          </span>
        </p>
      </div>
      <WaitlistForm />
    </div>
  </section>
)

/** Works without JavaScript (plainForm.ts); waitlistForm.ts enhances it. */
const WaitlistForm = () => (
  <form
    id="waitlist-form"
    method="post"
    action="/waitlist"
    aria-labelledby="waitlist-title"
    className="grid gap-6 rounded-2xl border bg-card p-6 shadow-card sm:p-8"
  >
    <p id="joined" role="status" className="answer rounded-md bg-green-tone px-4 py-3 text-green-tone-foreground">
      <strong>Welcome to Fieldtest.</strong> We will be in touch soon.
    </p>
    <p id="refused" role="alert" className="answer rounded-md bg-red-tone px-4 py-3 text-red-tone-foreground">
      We could not add you to the waitlist. Check your email and country, wait a moment, and try again.
    </p>
    <Labeled name="email" label="Email">
      <input
        id="email"
        name="email"
        type="email"
        required
        maxLength={254}
        autoComplete="email"
        autoCapitalize="none"
        spellCheck={false}
        aria-describedby="email-error"
        className={`${inputLook} h-12 md:text-base`}
      />
    </Labeled>
    <Labeled name="country" label="Country">
      <span className="relative block">
        <select
          id="country"
          name="country"
          required
          autoComplete="country"
          aria-describedby="country-error"
          defaultValue=""
          className={`${inputLook} h-12 appearance-none pr-10 md:text-base`}
        >
          <option value="">Choose a country</option>
          {countries().map(({ code, name }) => (
            <option key={code}>{name}</option>
          ))}
        </select>
        <Icon name="down" className="pointer-events-none absolute top-4 right-3.5 size-4 text-muted-foreground" />
      </span>
    </Labeled>
    <fieldset>
      <legend className="mb-1.5 text-base font-medium">Role</legend>
      <div className="grid gap-3 sm:grid-cols-2">
        <Role value="developer" label="Developer" hint="I need testers" />
        <Role value="tester" label="Tester" hint="I want to earn" />
      </div>
    </fieldset>
    <p data-failure role="alert" className="rounded-md bg-red-tone px-4 py-3 text-red-tone-foreground empty:hidden" />
    <button
      type="submit"
      className="inline-flex h-12 items-center justify-center gap-2.5 rounded-md bg-primary px-6 text-base font-medium text-primary-foreground shadow-card transition-colors hover:bg-primary-hover aria-disabled:cursor-progress"
    >
      <span
        data-busy
        hidden
        className="size-4 animate-spin rounded-full border-2 border-current border-r-transparent [[hidden]]:hidden"
      />
      Join Waitlist
    </button>
  </form>
)

const Labeled = ({ name, label, children }: { name: string; label: string; children: ReactNode }) => (
  <div className="group grid gap-1.5" data-field={name}>
    <label htmlFor={name} className="text-base font-medium">
      {label}
    </label>
    {children}
    <p
      id={`${name}-error`}
      className="flex items-start gap-1.5 text-base text-destructive not-has-[span:not(:empty)]:hidden"
    >
      <Icon name="alert" className="mt-[0.2em] size-4 shrink-0" />
      <span data-error />
    </p>
  </div>
)

const Role = ({ value, label, hint }: { value: string; label: string; hint: string }) => (
  <label className="grid cursor-pointer grid-cols-[auto_minmax(0,1fr)] gap-x-3 rounded-md border border-input bg-card p-4 shadow-card select-none has-checked:border-primary has-checked:bg-accent has-checked:ring-1 has-checked:ring-primary has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-ring">
    <input
      type="radio"
      name="role"
      value={value}
      defaultChecked={value === 'developer'}
      className="choice-mark mt-1 size-4 outline-none"
    />
    <span className="text-base font-medium">{label}</span>
    <span className="col-start-2 text-muted-foreground">{hint}</span>
  </label>
)
