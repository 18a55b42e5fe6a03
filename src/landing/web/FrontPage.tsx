import { focusOnArrival } from '../../app/web/arrival.ts'
import { useAuth } from '../../app/web/auth.tsx'
import { paths } from '../../app/web/paths.ts'
import { Brand } from '../../app/web/ui/Brand.tsx'
import { ButtonLink } from '../../app/web/ui/Button.tsx'
import { DocumentTitle } from '../../app/web/ui/DocumentTitle.tsx'

const sides = [
  {
    title: 'For developers',
    text: 'Post your app, say how many testers you need and for how many days, and see the whole cost before you pay. Testers are paid when their work is verified; what is left comes back to you.',
  },
  {
    title: 'For testers',
    text: 'Join a campaign that fits your device, check in each day, and hand in your proof. What you earn lands in your balance, and you withdraw it from $10 on.',
  },
]

export const FrontPage = () => {
  const { user } = useAuth()
  return (
    <div className="mx-auto flex min-h-dvh max-w-5xl flex-col px-5 sm:px-8">
      <DocumentTitle title="App testing by real people" />
      <header className="flex h-16 items-center justify-between">
        <Brand />
        {user ? (
          <ButtonLink to={paths.dashboard}>Go to your dashboard</ButtonLink>
        ) : (
          <nav aria-label="Account" className="flex gap-1 sm:gap-2">
            <ButtonLink to={paths.login} variant="ghost">
              Sign in
            </ButtonLink>
            <ButtonLink to={paths.register}>Create account</ButtonLink>
          </nav>
        )}
      </header>
      <main className="flex flex-1 flex-col justify-center gap-14 py-16">
        <div>
          <h1
            ref={focusOnArrival}
            tabIndex={-1}
            className="max-w-2xl text-3xl font-semibold tracking-tight sm:text-[3.25rem] sm:leading-[1.08]"
          >
            Your app, tested by real people on real devices.
          </h1>
          <p className="mt-5 max-w-xl text-lg text-muted-foreground">
            Fieldtest brings developers and testers together: Android and iOS apps, tested day by day, with testers who
            are paid when their work is verified.
          </p>
        </div>
        <div className="grid gap-8 border-t pt-8 sm:grid-cols-2">
          {sides.map(({ title, text }) => (
            <section key={title}>
              <h2 className="text-lg font-semibold">{title}</h2>
              <p className="mt-1 max-w-md text-base text-muted-foreground">{text}</p>
            </section>
          ))}
        </div>
      </main>
    </div>
  )
}
