import { Avatar } from '../../../kit/web/ui/Values.tsx'
import { Section } from './parts.tsx'

const quotes = [
  {
    text: 'I tried with friends twice, and both times someone dropped out. Here I could see every morning who was still in, and on day fifteen I applied.',
    name: 'Marta Lindqvist',
    who: 'Indie developer, Android',
  },
  {
    text: 'The bug reports come with steps and the exact phone. Half of what we fixed before launch would never have shown up on our own devices.',
    name: 'Daniel Okafor',
    who: 'Product lead at a small studio',
  },
  {
    text: 'I check in on the bus, write down what annoyed me, and get paid for it. The money is there as soon as my test is verified.',
    name: 'Priya Raman',
    who: 'Tester',
  },
]

export const Testimonials = () => (
  <Section id="testimonials" title="What people say" className="border-t bg-card">
    <ul className="grid gap-10 md:grid-cols-3 md:gap-8">
      {quotes.map(({ text, name, who }) => (
        <li key={name}>
          <figure className="flex h-full flex-col border-l-2 border-highlight pl-6">
            <blockquote className="text-lg text-pretty md:text-xl md:leading-8">
              <p>“{text}”</p>
            </blockquote>
            <figcaption className="mt-auto flex items-center gap-3 pt-6">
              <Avatar name={name} className="size-10" />
              <span>
                <span className="block font-medium">{name}</span>
                <span className="block text-muted-foreground">{who}</span>
              </span>
            </figcaption>
          </figure>
        </li>
      ))}
    </ul>
  </Section>
)
