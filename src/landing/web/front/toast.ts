const shownMs = 4000

/** A toast for about four seconds (spec §9), a tenth of the size of the app's. */
export const toast = (title: string, text: string): void => {
  const host = document.querySelector('#toasts')
  const card = document.createElement('div')
  card.className = 'toast pointer-events-auto w-full max-w-sm rounded-xl border bg-card px-5 py-4 shadow-raised'
  const head = document.createElement('p')
  head.className = 'text-base font-semibold'
  head.textContent = title
  const body = document.createElement('p')
  body.className = 'text-base text-muted-foreground'
  body.textContent = text
  card.append(head, body)
  host?.append(card)
  setTimeout(() => card.remove(), shownMs)
}
