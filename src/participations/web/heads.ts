/** What the headers of the screens say, also before their code has loaded (src/app/web/shells.tsx). */
export const myTestsHead = {
  title: 'My Tests',
  description:
    'Check in every day, submit your proof at the end, and get paid once it is verified. The most urgent tests come first.',
}

export const reviewHead = { title: 'Review proofs' }
