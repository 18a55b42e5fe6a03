/** Calculates while somebody types; the fee is requested when the calculator scrolls into view. */
import { clientOf } from '../../../kit/web/request.ts'
import { platformFee } from '../../../settings/terms.ts'
import type { landingApi } from '../../contract.ts'
import { pricingEndpoint } from '../../pricingEndpoint.ts'
import { calculated, typedFigures } from './calculated.ts'
import { registerLink } from './registerLink.ts'

const api = clientOf<Pick<typeof landingApi, 'pricing'>>({
  pricing: { ...pricingEndpoint, open: true },
})

export const enhanceCalculator = (form: HTMLFormElement): void => {
  const inputs = [...form.querySelectorAll('input')]
  const hint = form.querySelector<HTMLElement>('[data-limits]')!
  const link = form.querySelector('a')!
  let fee = platformFee

  const show = () => {
    const [testers, pay] = inputs
    link.href = registerLink('developer', typedFigures(testers!.value, pay!.value))
    const sums = calculated(testers!.value, pay!.value, fee)
    hint.classList.toggle('text-destructive', sums === null)
    for (const amount of form.querySelectorAll<HTMLElement>('[data-amount]')) {
      const sum = sums?.find(({ key }) => key === amount.dataset.amount)
      amount.textContent = sum?.amount ?? '–'
      if (sum) form.querySelector(`[data-label=${sum.key}]`)!.textContent = sum.label
    }
  }

  for (const input of inputs) {
    input.readOnly = false
    input.addEventListener('input', show)
  }
  form.addEventListener('submit', event => event.preventDefault())
  const seen = new IntersectionObserver(entries => {
    if (!entries.some(({ isIntersecting }) => isIntersecting)) return
    seen.disconnect()
    // Offline, the specification's fee stays.
    api.pricing().then(
      answer => {
        fee = answer.feeBasisPoints
        show()
      },
      () => undefined,
    )
  })
  seen.observe(form)
}
