/** The heading of the form's screen, shown before its code has loaded as well (src/app/web/screenShells.tsx). */
export const formHead = {
  title: 'Feedback form',
  description: 'Up to 20 questions, which testers answer with their proof.',
}
