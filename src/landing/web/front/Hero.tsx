import { RosterPicture } from './RosterPicture.tsx'
import { WaitlistLink, frame } from './parts.tsx'

export const Hero = () => (
  <section aria-labelledby="top" className="overflow-hidden">
    <div className={`${frame} pt-14 pb-20 md:pt-24 md:pb-24`}>
      <h1 id="top" className="max-w-4xl scroll-mt-40 text-display font-semibold">
        Real testers. <br />
        <span className="text-link">A faster launch.</span>
      </h1>
      <div className="mt-6 grid gap-8 md:mt-8 md:grid-cols-[minmax(0,1fr)_auto] md:items-end">
        <p className="max-w-xl text-lg text-pretty text-muted-foreground md:text-xl md:leading-8">
          12 testers for 14 days, as Google Play requires before you can publish: Fieldtest puts your Android or iOS app
          in the hands of real people, on their own phones, and pays them once their testing is verified.
        </p>
        <div className="flex flex-wrap gap-3">
          <WaitlistLink preselect="developer">I Need Testers</WaitlistLink>
          <WaitlistLink preselect="tester" variant="outline">
            Start Earning
          </WaitlistLink>
        </div>
      </div>
      <div className="mt-12 md:mt-16">
        <RosterPicture />
      </div>
    </div>
  </section>
)
