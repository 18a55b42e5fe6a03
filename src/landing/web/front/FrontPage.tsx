import { Features } from './Features.tsx'
import { Footer } from './Footer.tsx'
import { Hero } from './Hero.tsx'
import { IconSprite } from './Icon.tsx'
import { HowItWorks } from './HowItWorks.tsx'
import { NavBar } from './NavBar.tsx'
import { Pricing } from './Pricing.tsx'
import { ForDevelopers, ForTesters } from './Sides.tsx'
import { Testimonials } from './Testimonials.tsx'
import { Waitlist } from './Waitlist.tsx'

/** The landing page (spec §2), in the spec's order. Rendered at build time only (prerender.tsx). */
export const FrontPage = () => (
  <>
    <a
      href="#main"
      className="fixed top-2 left-2 z-50 rounded-md bg-primary px-4 py-2 font-medium text-primary-foreground not-focus:sr-only"
    >
      Skip to content
    </a>
    <NavBar />
    <main id="main" tabIndex={-1}>
      <Hero />
      <HowItWorks />
      <Features />
      <ForDevelopers />
      <ForTesters />
      <Pricing />
      <Testimonials />
      <Waitlist />
    </main>
    <Footer />
    <IconSprite />
    <div
      id="toasts"
      role="status"
      className="pointer-events-none fixed right-4 bottom-4 left-4 z-40 grid justify-items-end gap-2"
    />
  </>
)
